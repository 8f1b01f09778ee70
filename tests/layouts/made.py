"""Layouts as they are met in the world, each with the fields that a person would choose.

A layout is a function that makes one path and the fields of it from a random.Random; LAYOUTS lists them with the types. Used
by tests/commands/infer_test.py, which infers rules from some paths and asks whether they give these fields on others.
"""
import datetime
import uuid

WORDS = "alpha bravo orbit harbor meadow copper winter summit garden lantern falcon ribbon".split()


def day(r, first=2019, last=2024):
    return datetime.date(first, 1, 1) + datetime.timedelta(r.randrange((last - first + 1) * 365))


def moment(r):
    return datetime.datetime.combine(day(r), datetime.time(r.randrange(24), r.randrange(60), r.randrange(60)))


def hexa(r, count):
    return "".join(r.choice("0123456789abcdef") for _ in range(count))


def guid(r):
    return str(uuid.UUID(int=r.getrandbits(128), version=4))


def mission(r):
    n, d = r.randrange(1, 999), day(r)
    name = r.choice(["readings", "telemetry", "events"])
    return f"/data/mission_{n:03d}/{d}/{name}.csv", {"mission_id": n, "date": str(d)}


def hive(r):
    d, part = day(r), r.randrange(300)
    region = r.choice(["eu", "us", "apac"])
    return (f"s3://lake/events/year={d.year}/month={d.month:02d}/day={d.day:02d}/region={region}/"
            f"part-{part:05d}-{guid(r)}.snappy.parquet",
            {"year": d.year, "month": d.month, "day": d.day, "region": region, "part": part})


def hive_date(r):
    d = day(r)
    country = r.choice(["de", "fr", "us", "jp"])
    return (f"/warehouse/sales.db/orders/dt={d}/country={country}/{r.randrange(10**6):06d}_0.orc",
            {"dt": str(d), "country": country})


def hl7(r):
    d = day(r)
    kind, trigger, n = r.choice([("ADT", "A01"), ("ADT", "A08"), ("ORU", "R01")]) + (r.randrange(10**5, 10**6),)
    return (f"/hl7/inbound/{d.year}/{d.month:02d}/{d.day:02d}/{kind}_{trigger}_{n}.hl7",
            {"year": d.year, "month": d.month, "day": d.day, "message_type": kind, "trigger_event": trigger, "message_id": n})


def fix(r):
    year, quarter = r.randrange(2018, 2025), r.randrange(1, 5)
    session = r.choice(["NYSE", "LSE", "CME", "XETRA"])
    return f"/logs/fix/{year}/Q{quarter}/session_{session}.log", {"year": year, "quarter": quarter, "session_id": session}


def legal(r):
    matter = f"M-{r.randrange(2018, 2025)}-{r.randrange(1, 400):04d}"
    custodian = r.choice(["smith_john", "doe_jane", "lee_kim", "garcia_ana", "brown_bob"])
    return (f"/legal/matters/{matter}/custodians/{custodian}/email/{r.randrange(10**6):07d}.msg",
            {"matter_id": matter, "custodian": custodian})


def client_quarter(r):
    client = r.choice(["ABC", "XYZ", "ACME", "GLOBEX"])
    year, quarter = r.randrange(2018, 2025), r.randrange(1, 5)
    return (f"/data/CLIENT-{client}/{year}/Q{quarter}/{r.choice(['report', 'summary'])}.csv",
            {"client_id": client, "year": year, "quarter": quarter})


def sentinel2(r):
    t, g = moment(r), moment(r)
    satellite, level, orbit = r.choice(["S2A", "S2B"]), r.choice(["L1C", "L2A"]), r.randrange(1, 144)
    tile = f"{r.randrange(1, 61):02d}{r.choice('CDEFGHJK')}{r.choice('ABCDEF')}{r.choice('ABCDEF')}"
    product = f"{satellite}_MSI{level}_{t:%Y%m%dT%H%M%S}_N0510_R{orbit:03d}_T{tile}_{g:%Y%m%dT%H%M%S}.SAFE"
    return (f"/sat/sentinel2/{product}/MTD_MSI{level}.xml",
            {"satellite": satellite, "level": level, "sensing_time": f"{t:%Y-%m-%dT%H:%M:%S}", "relative_orbit": orbit,
             "tile": tile})


def landsat(r):
    path, row, d, p = r.randrange(1, 234), r.randrange(1, 249), day(r), day(r)
    sensor, tier = r.choice(["LC08", "LE07", "LC09"]), r.choice(["T1", "T2"])
    scene = f"{sensor}_L1TP_{path:03d}{row:03d}_{d:%Y%m%d}_{p:%Y%m%d}_02_{tier}"
    return (f"/archive/landsat/{scene}/{scene}_B{r.randrange(1, 8)}.TIF",
            {"sensor": sensor, "path": path, "row": row, "acquisition_date": str(d), "tier": tier})


def dcim(r):
    folder, n = r.randrange(100, 120), r.randrange(1, 9999)
    return f"/media/card/DCIM/{folder}CANON/IMG_{n:04d}.JPG", {"folder_number": folder, "image_number": n}


def maven(r):
    group, artifact = r.choice([("org/apache/commons", "commons-lang3"), ("com/google/guava", "guava"), ("junit", "junit"),
                                ("org/slf4j", "slf4j-api"), ("com/fasterxml/jackson/core", "jackson-databind")])
    version = f"{r.randrange(1, 9)}.{r.randrange(20)}.{r.randrange(9)}"
    return (f"/repo/maven2/{group}/{artifact}/{version}/{artifact}-{version}.{r.choice(['jar', 'pom'])}",
            {"group_id": group, "artifact_id": artifact, "version": version})


def debian(r):
    package = r.choice(["curl", "bash", "libssl3", "vim", "zlib1g", "git"])
    source = {"libssl3": "openssl", "zlib1g": "zlib"}.get(package, package)
    version = f"{r.randrange(1, 9)}.{r.randrange(1, 20)}-{r.randrange(1, 6)}"
    arch = r.choice(["amd64", "arm64", "i386"])
    component = r.choice(["main", "contrib", "main"])
    return (f"/mirror/debian/pool/{component}/{source[0]}/{source}/{package}_{version}_{arch}.deb",
            {"component": component, "package": package, "version": version, "architecture": arch})


def kubernetes(r):
    namespace, pod, uid = r.choice(["default", "kube-system", "shop"]), f"{r.choice(['web', 'api', 'db'])}-{hexa(r, 10)}-{hexa(r, 5)}", guid(r)
    container, restart = r.choice(["nginx", "app", "sidecar"]), r.randrange(4)
    return (f"/var/log/pods/{namespace}_{pod}_{uid}/{container}/{restart}.log",
            {"namespace": namespace, "pod": pod, "pod_uid": uid, "container": container, "restart_count": restart})


def mlflow(r):
    experiment, run = r.randrange(40), hexa(r, 32)
    kind = r.choice(["metrics", "params", "tags"])
    return (f"/srv/mlruns/{experiment}/{run}/{kind}/{r.choice(['accuracy', 'loss', 'lr', 'depth'])}",
            {"experiment_id": experiment, "run_id": run, "kind": kind})


def dicom(r):
    patient, d, series, image = r.randrange(1, 999), day(r), r.randrange(1, 30), r.randrange(1, 400)
    return (f"/pacs/patients/PAT{patient:05d}/STUDY_{d:%Y%m%d}/SERIES_{series:03d}/IM_{image:04d}.dcm",
            {"patient_id": patient, "date": str(d), "series_number": series, "image_number": image})


def dbt(r):
    layer = r.choice(["staging", "intermediate", "marts"])
    prefix = {"staging": "stg", "intermediate": "int", "marts": "fct"}[layer]
    return f"/srv/dbt/target/compiled/shop/models/{layer}/{prefix}_{r.choice(WORDS)}.sql", {"layer": layer}


def cloudtrail(r):
    account, region, t = "123456789012" if r.random() < .5 else "210987654321", r.choice(["us-east-1", "eu-west-1"]), moment(r)
    name = f"{account}_CloudTrail_{region}_{t:%Y%m%dT%H%MZ}_{hexa(r, 16).upper()}.json.gz"
    return (f"s3://audit/AWSLogs/{account}/CloudTrail/{region}/{t:%Y/%m/%d}/{name}",
            {"region": region, "year": t.year, "month": t.month, "day": t.day, "timestamp": f"{t:%Y-%m-%dT%H:%M}:00Z"})


def grib(r):
    d, cycle, hour = day(r), r.choice([0, 6, 12, 18]), r.randrange(0, 240, 3)
    return (f"/weather/gfs.{d:%Y%m%d}/{cycle:02d}/atmos/gfs.t{cycle:02d}z.pgrb2.0p25.f{hour:03d}",
            {"date": str(d), "cycle": cycle, "forecast_hour": hour})


def fastq(r):
    d, sample, lane, read = day(r), f"{r.choice(['KO', 'WT'])}{r.randrange(1, 40)}", r.randrange(1, 5), r.choice(["R1", "R2"])
    number = r.randrange(1, 96)
    return (f"/seq/runs/{d:%Y%m%d}_NB501/{sample}_S{number}_L{lane:03d}_{read}_001.fastq.gz",
            {"date": str(d), "sample": sample, "sample_number": number, "lane": lane, "read": read})


def nginx(r):
    d, host = day(r), r.choice(["web01", "web02", "web17"])
    return f"/var/log/nginx/{host}/access.log-{d:%Y%m%d}.gz", {"date": str(d)}


def backups(r):
    t, database, kind = moment(r), r.choice(["orders", "users", "billing"]), r.choice(["full", "incremental"])
    return (f"/backups/postgres/{database}/{kind}/{database}_{t:%Y%m%dT%H%M%S}.sql.gz",
            {"backup_type": kind, "timestamp": f"{t:%Y-%m-%dT%H:%M:%S}"})


def invoices(r):
    year, month, n = r.randrange(2019, 2025), r.randrange(1, 13), r.randrange(1, 99999)
    customer = r.randrange(1, 900)
    return (f"/finance/invoices/{year}/{month:02d}/customer_{customer}/INV-{n:06d}.pdf",
            {"year": year, "month": month, "customer_id": customer, "invoice_number": n})


def photos(r):
    t = moment(r)
    return f"/photos/{t.year}/{t:%Y-%m-%d}/IMG_{t:%Y%m%d_%H%M%S}.jpg", {"year": t.year, "date": f"{t:%Y-%m-%d}", "timestamp": f"{t:%Y-%m-%dT%H:%M:%S}"}


def sensors(r):
    site, sensor, d = r.choice(["north", "south", "plant7"]), r.randrange(1, 80), day(r)
    return (f"/iot/sites/{site}/sensor-{sensor:02d}/{d:%Y/%m/%d}/{r.randrange(24):02d}.json",
            {"site": site, "sensor_id": sensor, "year": d.year, "month": d.month, "day": d.day})


def git_objects(r):
    h = hexa(r, 40)
    return f"/srv/git/airlock.git/objects/{h[:2]}/{h[2:]}", {"hash": h[2:]}


def weekly(r):
    year, week, store = r.randrange(2019, 2025), r.randrange(1, 53), r.randrange(1, 400)
    return f"/retail/{year}-W{week:02d}/store_{store:04d}/sales.csv", {"year": year, "week": week, "store_id": store}


def windows(r):
    project, d = r.choice(["Apollo", "Gemini", "Mercury"]), day(r)
    return (f"D:\\Projects\\{project}\\Exports\\{d}\\drawing_{r.randrange(1, 500)}.dwg",
            {"project": project, "date": str(d)})


def uploads(r):
    user, d, u = r.randrange(1, 90000), day(r), guid(r)
    return f"/srv/uploads/users/{user}/{d:%Y-%m}/{u}.png", {"user_id": user, "year": d.year, "month": d.month, "uuid": u}


def experiments(r):
    run, fold, epoch = r.randrange(1, 99), r.randrange(10), r.randrange(1, 100)
    return f"/ml/experiments/exp_{run:02d}/fold_{fold}/checkpoint_epoch_{epoch:03d}.pt", {"experiment_id": run, "fold": fold, "epoch": epoch}


LAYOUTS = {f.__name__: f for f in (
    mission, hive, hive_date, hl7, fix, legal, client_quarter, sentinel2, landsat, dcim, maven, debian, kubernetes, mlflow,
    dicom, dbt, cloudtrail, grib, fastq, nginx, backups, invoices, photos, sensors, git_objects, weekly, windows, uploads,
    experiments)}
