"""A real terminal for a test: tmux plays the person, and what stands on its screen can be waited for."""
import pathlib
import re
import shutil
import subprocess
import time

from support import harness

SECONDS = 20
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "screen-256color"}


def program():
    """Stands where airlock was built; the harness runs a link to that from a folder of its own."""
    for folder in harness.AIRLOCK.parents:
        if (folder / "wizard_screens").is_file():
            return folder / "wizard_screens"
    return None


class Case(harness.Case):
    def setUp(self):
        if not shutil.which("tmux"):
            self.skipTest("there is no tmux")
        super().setUp()
        self.environment["TERM"] = ENVIRONMENT["TERM"]
        self.servers = 0
        self.addCleanup(self.end)

    def end(self):
        """The next terminal is another server's."""
        self.tmux("kill-server", check=False)
        self.servers += 1

    def tmux(self, *words, check=True):
        done = subprocess.run(["tmux", "-S", str(self.folder / f"socket{self.servers}"), "-f", "/dev/null", *words], capture_output=True,
                              text=True, timeout=SECONDS, env={**ENVIRONMENT, "HOME": str(self.folder)})
        if check and done.returncode:
            self.fail(f"tmux {words}: {done.stderr}")
        return done.stdout

    def open(self, *words, size=(80, 24), variables="", command=None):
        """In a shell without line editing, so that nobody but the wizard touches the terminal's settings. Without a command: the screens
        with nothing behind them."""
        if not command and not program():
            self.skipTest("wizard_screens was not built")
        script = self.folder / "script"
        script.write_text(f"""cd {self.folder}
trap : INT QUIT HUP TERM
stty -a > before
{variables} {command or program()} {' '.join(words)}
echo "exit code $?"
stty -a > after
echo settled
exec cat
""")
        self.tmux("new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), f"exec sh {script}")
        self.tmux("set", "-g", "status", "off")
        self.tmux("set", "-g", "remain-on-exit", "on")

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def wait(self, *texts):
        """Until all of them are on the screen."""
        end = time.monotonic() + SECONDS
        while not all(text in (screen := self.screen()) for text in texts):
            if time.monotonic() > end:
                self.fail(f"never seen: {texts}\n{screen}")
            time.sleep(harness.LOOK_AGAIN)
        return screen

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def type(self, text):
        self.tmux("send-keys", "-l", text)

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def process(self):
        """The wizard's process: the child of the pane's shell."""
        shell = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        return int(pathlib.Path(f"/proc/{shell}/task/{shell}/children").read_text(encoding="ascii").split()[0])

    def expect_end(self, code, *texts):
        screen = self.wait(f"exit code {code}", "settled", *texts)
        settings = [re.sub(r"rows \d+; columns \d+;", "", (self.folder / name).read_text()) for name in ("before", "after")]
        self.assertEqual(*settings)
        self.assertNotIn("AIRLOCK WIZARD", screen)
        self.assertEqual(self.tmux("display-message", "-p", "#{alternate_on}").strip(), "0")
        return screen
