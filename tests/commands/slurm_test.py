#!/usr/bin/env python3
"""examples/slurm on a Slurm of its own, on this host: an array of shards, one of them lost and sent again, and the merge that proves that all
are there. The same with plain processes, everywhere. Slurm needs root and slurm-wlm (scripts/setup --cluster); without them it is skipped.

    tests/commands/slurm_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, processes

EXAMPLES = harness.ROOT / "examples" / "slurm"
EXTRACTOR = harness.ROOT / "examples" / "honest" / "trusting_quarter.py"
NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol")
SHARDS = 4
CONFIGURATION = """ClusterName=airlock
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1
MailProg=/bin/true
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
"""
# It looks for a folder of cgroups, and needs nothing of it.
CGROUP = "CgroupPlugin=cgroup/v1\nCgroupMountpoint={folder}/cgroup\nCgroupAutomount=no\n"


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Case(harness.Case):
    def setUp(self):
        super().setUp()
        (self.folder / "rows").mkdir()
        self.paths = self.folder / "paths"
        self.paths.write_text("".join(f"/data/CLIENT-ABC/2024/Q{1 + number % 5 % 4}/{number}.csv\n" for number in range(2003)))

    def assert_merged(self):
        one = self.airlock("extract", EXTRACTOR, self.paths, code=0).out
        self.assertEqual((self.folder / "all.ndjson").read_text(), one)


class PlainProcesses(Case):
    def shard(self, index):
        environment = {**os.environ, "AIRLOCK": str(harness.AIRLOCK), "AIRLOCK_HOME": str(self.home), "SLURM_ARRAY_TASK_ID": str(index)}
        return subprocess.Popen([EXAMPLES / "extract.sbatch", EXTRACTOR, self.paths, self.folder / "rows", str(SHARDS)], env=environment,
                                stderr=subprocess.DEVNULL)

    def merge(self):
        environment = {**os.environ, "AIRLOCK": str(harness.AIRLOCK), "AIRLOCK_HOME": str(self.home)}
        return subprocess.run([EXAMPLES / "merge.sbatch", self.folder / "rows", self.folder / "all.ndjson"], env=environment, capture_output=True, text=True)

    def test_all_shards_at_once_one_killed_and_sent_again(self):
        jobs = [self.shard(index) for index in range(1, SHARDS + 1)]
        jobs[2].kill()
        self.assertEqual([job.wait(harness.SECONDS) for job in jobs], [0, 0, -signal.SIGKILL, 0])
        told = self.merge()
        self.assertEqual((told.returncode, (self.folder / "all.ndjson").exists()), (1, False))
        self.assertIn("shard 3/4 is missing", told.stderr)
        self.assertEqual([self.shard(index).wait(harness.SECONDS) for index in range(1, SHARDS + 1)], [0] * SHARDS)
        self.assertEqual(self.merge().returncode, 0)
        self.assert_merged()


@unittest.skipUnless(os.geteuid() == 0 and all(map(shutil.which, NEEDED)), "no Slurm here: needs root and scripts/setup --cluster")
class Slurm(Case):
    def setUp(self):
        super().setUp()
        self.slurm = self.folder / "slurm"
        for name in ("munge", "state", "spool", "cgroup/freezer"):
            (self.slurm / name).mkdir(parents=True)
        host = socket.gethostname().partition(".")[0]
        (self.slurm / "slurm.conf").write_text(CONFIGURATION.format(host=host, folder=self.slurm, ports=free_ports(2)))
        (self.slurm / "cgroup.conf").write_text(CGROUP.format(folder=self.slurm))
        (self.slurm / "munge").chmod(0o700)
        key = self.slurm / "munge" / "key"
        key.write_bytes(os.urandom(64))
        key.chmod(0o400)
        self.environment = {**os.environ, "SLURM_CONF": str(self.slurm / "slurm.conf"), "AIRLOCK": str(harness.AIRLOCK), "AIRLOCK_HOME": str(self.home)}
        munge = self.slurm / "munge"
        self.daemon("munged", "--foreground", "--force", f"--socket={munge}/socket", f"--key-file={key}", f"--pid-file={munge}/pid", f"--log-file={munge}/log",
                    f"--seed-file={munge}/seed")
        harness.wait_for((munge / "socket").exists, "munge")
        self.daemon("slurmctld", "-D", "-i")
        self.daemon("slurmd", "-D")
        harness.wait_for(lambda: "idle" in self.run_slurm("sinfo", "--noheader", "--format=%T").stdout, "a node that is idle")

    def daemon(self, *words):
        with open(self.slurm / f"{words[0]}.out", "wb") as out:
            process = subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        self.addCleanup(self.end, process)

    @staticmethod
    def end(process):
        below = processes.descendants(process.pid)
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for one in below:
            if processes.is_alive(one):
                os.kill(one[0], signal.SIGKILL)

    def run_slurm(self, *words):
        return subprocess.run([str(word) for word in words], env=self.environment, cwd=self.slurm, capture_output=True, text=True, timeout=harness.SECONDS)

    def submit(self, *words):
        done = self.run_slurm("sbatch", "--parsable", "--output=%x.%a.%j.out", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def wait_for_all(self):
        harness.wait_for(lambda: not self.run_slurm("squeue", "--noheader").stdout.strip(), "the end of all jobs", 4 * harness.SECONDS)

    def logs(self, job):
        return "".join(file.read_text() for file in self.slurm.glob(f"{job}.*.out"))

    def test_an_array_of_shards_and_its_merge(self):
        rows, extract = self.folder / "rows", [EXAMPLES / "extract.sbatch", EXTRACTOR, self.paths, self.folder / "rows", SHARDS]
        # One is left out, as if its node had been lost: the merge says which.
        job = self.submit("--array=1,2,4", *extract)
        self.submit(f"--dependency=afterany:{job}", EXAMPLES / "merge.sbatch", rows, self.folder / "all.ndjson")
        self.wait_for_all()
        self.assertFalse((self.folder / "all.ndjson").exists())
        self.assertIn("shard 3/4 is missing", self.logs("airlock-merge"))
        job = self.submit("--array=1-4", *extract)
        self.submit(f"--dependency=afterok:{job}", EXAMPLES / "merge.sbatch", rows, self.folder / "all.ndjson")
        self.wait_for_all()
        self.assertIn("2003 rows of 4 shards", self.logs("airlock-merge"))
        self.assert_merged()


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
