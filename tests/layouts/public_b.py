"""Layouts of public conventions, second part: machine learning, packages, media, documents, devices."""
from layouts.kinds import Layout, by, code, day, hexa, num, pick, uid, words, NAMES

I, S, D, T = "integer", "string", "date", "datetime"
N = "integer|string"

ALBUMS = {"Miles Davis": ["Kind of Blue (1959)", "Bitches Brew (1970)"], "Nina Simone": ["Pastel Blues (1965)"], "Radiohead": ["OK Computer (1997)", "Kid A (2000)", "Amnesiac (2001)"],
          "Sigur Rós": ["Takk (2005)"]}
ARTIFACT = {"org/apache/commons": ["commons-lang3", "commons-io"], "com/google/guava": ["guava"], "org/slf4j": ["slf4j-api", "slf4j-simple"], "junit": ["junit"]}

LAYOUTS = [
    Layout("mlflow", ["mlruns/{experiment_id}/{run_id}/metrics/{key}", "mlruns/{experiment_id}/{run_id}/params/{key}"], {
        "experiment_id|experiment": (N, num(0, 12)), "run_id|run": (S, hexa(32)), "key|metric|name|metric_name": (S, pick("accuracy", "loss", "lr", "batch_size", "f1"))}, count=120),
    Layout("mlflow artifacts", "mlruns/{experiment_id}/{run_id}/artifacts/{artifact}/MLmodel", {
        "experiment_id|experiment": (N, num(0, 9)), "run_id|run": (S, hexa(32)), "artifact|model|name|artifact_name": (S, pick("model", "best_model", "preprocessor"))}),
    Layout("checkpoints", "runs/{experiment}/seed_{seed}/checkpoints/epoch={epoch}-step={step}-val_loss={val_loss}.ckpt", {
        "experiment|run|name|model": (S, pick("resnet50", "vit-b16", "unet")), "seed|seed_id": (I, num(0, 9)), "epoch": (I, num(0, 99)), "step": (I, num(100, 99999)), "val_loss": ("float", lambda r, row: f"{r.random():.2f}")}),
    Layout("imagenet", "/datasets/imagenet/{split}/{synset}/{synset}_{image}.JPEG", {
        "split": (S, pick("train", "val")), "synset|class|class_id|wnid|label|synset_id": (S, lambda r, row: f"n0{r.randint(1440764, 1440790)}"), "image|image_id|id|number": (N, num(1, 19999))}),
    Layout("coco", "coco/{split}{year}/{image_id}.jpg", {
        "split": (S, pick("train", "val", "test")), "year": (I, pick("2014", "2017")), "image_id|id|image|number": (N, num(1, 581929, 12))}),
    Layout("kitti", "kitti/raw/{date}/{date}_drive_{drive}_sync/image_{camera}/data/{frame}.png", {
        "date": (D, pick("2011_09_26", "2011_09_28", "2011_10_03")), "drive|drive_id": (N, num(1, 120, 4)), "camera|image|camera_id|image_id": (N, num(0, 3, 2)), "frame|frame_id|id|number|image_id": (N, num(0, 900, 10))}),
    Layout("nuscenes", "nuscenes/{kind}/{channel}/n{vehicle}-{timestamp}__{channel}__{microseconds}.jpg", {
        "kind|sample_type|split|type": (S, pick("samples", "sweeps")), "channel|sensor|camera": (S, pick("CAM_FRONT", "CAM_BACK", "CAM_FRONT_LEFT")), "vehicle|n|_": (N, pick("008", "015")),
        "timestamp|datetime|date|log": (T + "|" + S, day("%Y-%m-%d-%H-%M-%S")), "microseconds|epoch|timestamp_us|timestamp|id": (N, num(1531883530412470, 1541883530412470))}),
    Layout("librispeech", "LibriSpeech/{subset}/{speaker}/{chapter}/{speaker}-{chapter}-{utterance}.flac", {
        "subset|split": (S, pick("train-clean-100", "dev-other", "test-clean")), "speaker|speaker_id|reader": (N, num(14, 8975)), "chapter|chapter_id": (N, num(208, 294000)), "utterance|utterance_id": (N, num(0, 80, 4))}),
    Layout("common voice", "cv-corpus-{version}-{date}/{locale}/clips/common_voice_{locale}_{clip}.mp3", {
        "version": (S + "|float", pick("13.0", "14.0", "15.0")), "date|release_date": (D, pick("2023-03-09", "2023-06-23", "2023-09-08")), "locale|language|lang": (S, pick("de", "en", "fr", "sw")), "clip|clip_id|id": (N, num(17000000, 39000000))}),
    Layout("slippy tiles", "/tiles/{layer}/{z}/{x}/{y}.png", {
        "layer|style|name": (S, pick("osm", "satellite", "terrain")), "z|zoom": (I, num(0, 18)), "x|column": (I, num(0, 99999)), "y|row": (I, num(0, 99999))}, count=200),
    Layout("kafka segments", "/kafka/data/{topic}-{partition}/{offset}.log", {
        "topic": (S, pick("orders", "user.events", "audit")), "partition": (I, num(0, 11)), "offset|base_offset": (N, num(0, 99999999, 20))}),
    Layout("kafka connect s3", "topics/{topic}/partition={partition}/{topic}+{partition}+{offset}.avro", {
        "topic": (S, pick("orders", "payments", "clicks")), "partition": (I, num(0, 11)), "offset|start_offset": (N, num(0, 9999999, 10))}),
    Layout("jenkins", "/var/lib/jenkins/jobs/{job}/builds/{build}/archive/{artifact}-{version}.jar", {
        "job|job_name": (S, pick("nightly", "release-pipeline", "unit-tests")), "build|build_number|build_id": (I + "|" + S, num(1, 900)), "artifact|name": (S, pick("core", "api", "cli")), "version": (S, lambda r, row: f"{r.randint(0, 3)}.{r.randint(0, 20)}.{r.randint(0, 9)}")}),
    Layout("ci artifacts", "artifacts/{project}/{branch}/{pipeline}/{commit}/{job}.zip", {
        "project": (S, pick("frontend", "backend", "infra")), "branch": (S, pick("main", "develop", "release-1.2")), "pipeline|pipeline_id|build|id|number": (N, num(10000, 99999)), "commit|sha|hash|commit_sha|commit_id": (S, hexa(40)),
        "job|name": (S, pick("build", "test", "lint"))}),
    Layout("terraform", "s3://tf-state/{environment}/{region}/{component}/terraform.tfstate", {
        "environment|env": (S, pick("dev", "staging", "prod")), "region": (S, pick("eu-west-1", "us-east-1")), "component|module|service|stack|name": (S, pick("vpc", "eks", "rds", "iam"))}, count=40),
    Layout("maven", ["/root/.m2/repository/{group}/{artifact}/{version}/{artifact}-{version}.jar", "/root/.m2/repository/{group}/{artifact}/{version}/{artifact}-{version}.pom"], {
        "group|group_id|group_path": (S, pick(*ARTIFACT)), "artifact|artifact_id": (S, by("group", ARTIFACT)), "version": (S, lambda r, row: f"{r.randint(1, 4)}.{r.randint(0, 12)}" + r.choice(["", ".1", ".2"]) + r.choice(["", "", "-SNAPSHOT"]))}, count=140),
    Layout("debian pool", "pool/{component}/{initial}/{source}/{package}_{version}_{arch}.deb", {
        "component|section": (S, pick("main", "contrib", "non-free")), "source|source_package": (S, pick("curl", "bash", "zlib", "openssl", "nginx")), "initial|prefix|letter": (S, lambda r, row: row["source"][0]),
        "package|name|package_name": (S, lambda r, row: r.choice([row["source"], "lib" + row["source"] + "-dev", row["source"] + "-doc"])), "version": (S, lambda r, row: f"{r.randint(1, 8)}.{r.randint(0, 90)}.{r.randint(0, 9)}-{r.randint(1, 5)}" + r.choice(["", "+deb12u1", "~bpo11"])),
        "arch|architecture": (S, pick("amd64", "arm64", "all", "i386"))}),
    Layout("rpm repo", "/repo/{distro}/{release}/{arch}/Packages/{initial}/{name}-{version}-{rel}.el{release}.{arch}.rpm", {
        "distro|distribution": (S, pick("rocky", "alma")), "release|version|os_version|el": (N, pick("8", "9")), "arch|architecture": (S, pick("x86_64", "aarch64", "noarch")), "name|package|package_name": (S, pick("bash", "kernel", "vim", "curl")),
        "initial|prefix|letter|_": (S, lambda r, row: row["name"][0]), "version": (S, lambda r, row: f"{r.randint(1, 8)}.{r.randint(0, 90)}.{r.randint(0, 9)}"), "rel|release|release_number|revision|build": (N, num(1, 40))}),
    Layout("pypi wheels", "/simple/{project}/{package}-{version}-{python}-{abi}-{platform}.whl", {
        "project|name|package": (S, pick("numpy", "pandas", "requests")), "package|distribution|name": (S, lambda r, row: row["project"]), "version": (S, lambda r, row: f"{r.randint(1, 3)}.{r.randint(0, 26)}.{r.randint(0, 9)}"),
        "python|python_tag|python_version": (S, pick("cp311", "cp312", "py3")), "abi|abi_tag": (S, pick("cp311", "none", "abi3")), "platform|platform_tag": (S, pick("manylinux_2_17_x86_64", "win_amd64", "any"))}),
    Layout("npm cache", "_cacache/content-v2/sha512/{a}/{b}/{rest}", {
        "a|prefix|_": (S, hexa(2)), "b|_": (S, hexa(2)), "rest|hash|digest": (S, hexa(124))}),
    Layout("git lfs", ".git/lfs/objects/{a}/{b}/{oid}", {
        "oid|hash|sha256|object_id|id": (S, hexa(64)), "a|prefix|_": (S, lambda r, row: row["oid"][:2]), "b|_": (S, lambda r, row: row["oid"][2:4])}),
    Layout("docker overlay", "/var/lib/docker/overlay2/{layer}/diff/usr/lib/{lib}/{file}.so", {
        "layer|layer_id|hash|id": (S, hexa(64)), "lib|arch|name": (S, pick("x86_64-linux-gnu", "python3", "ssl")), "file|name|library": (S, pick("libz", "libssl", "libm"))}),
    Layout("sec edgar", "edgar/data/{cik}/{accession}/{form}_{date}.htm", {
        "cik|company|company_id": (N, num(1000, 1900000)), "accession|accession_number|number": (N, num(100000000000000000, 199999999999999999)), "form|form_type|type|name": (S, pick("10-K", "10-Q", "8-K")), "date|filing_date": (D, day("%Y%m%d"))}),
    Layout("sec edgar dashes", "https://www.sec.gov/Archives/edgar/data/{cik}/{accession}.txt", {
        "cik|company|company_id": (N, num(1000, 1900000)), "accession|accession_number|accession_id": (S, code("000######-##-######"))}),
    Layout("invoices", "/finance/customers/{customer}/{year}/invoices/INV-{_y}-{invoice}.pdf", {
        "customer|customer_id|client|customer_name": (S, pick("acme-gmbh", "globex", "initech", "umbrella-corp")), "year": (I, day("%Y")), "_y": (I, day("%Y")), "invoice|invoice_id|invoice_number|inv|number|inv_id": (N, num(1, 9999, 4))}),
    Layout("bank statements", "/bank/statements/{customer}/{account}/{year}/{month_name}/statement_{date}.pdf", {
        "customer|customer_id|name|statement|customer_name": (S, pick(*NAMES)), "account|account_id|account_number|iban": (S, code("DE####################")), "year": (I, day("%Y")), "month_name|month": (S, day("%B")), "date|statement_date": (D, day("%Y-%m-%d"))}),
    Layout("legal matters", "/legal/matters/{matter_id}/custodians/{custodian}/{kind}/{document}.msg", {
        "matter_id|matter": (S, code("M-2024-####")), "custodian|custodian_name|custodian_id": (S, lambda r, row: r.choice(NAMES) + "_" + r.choice(["john", "ana", "li"])), "kind|source|type|folder|source_type": (S, pick("email", "chat", "files")), "document|document_id|number|id": (N, num(1, 9999, 4))}),
    Layout("cad revisions", "/cad/{project}/drawings/{drawing}_rev{revision}_{status}.dwg", {
        "project|project_id": (S, code("P-####")), "drawing|drawing_id|drawing_number": (S, code("@@-#####")), "revision|rev": (S, pick("A", "B", "C", "D")), "status|state": (S, pick("draft", "approved", "released"))}),
    Layout("podcasts", "/podcasts/{show}/{year}/{date} - {episode} - {title}.mp3", {
        "show|podcast|series|name": (S, pick("Hard Fork", "Radiolab", "Planet Money")), "year": (I, day("%Y")), "date": (D, day("%Y-%m-%d")), "episode|episode_number|ep|number": (N, num(1, 400, 3)), "title|name": (S, words(2, 4))}),
    Layout("tv series", "/media/tv/{show}/Season {season}/{show} - S{season}E{episode} - {title} [{quality}].mkv", {
        "show|series": (S, pick("The Wire", "Dark", "Breaking Bad", "Lost")), "season": (I, num(1, 7, 2)), "episode": (I, num(1, 22, 2)), "title|name|episode_title": (S, words(1, 3)), "quality|resolution": (S, pick("1080p", "720p", "2160p"))}),
    Layout("tv dotted", "/downloads/{show}.S{season}E{episode}.{resolution}.{source}.x264-{group}.mkv", {
        "show|series|title|name": (S, pick("The.Wire", "Dark", "Breaking.Bad", "Lost")), "season": (I, num(1, 7, 2)), "episode": (I, num(1, 22, 2)), "resolution|quality": (S, pick("1080p", "720p")), "source|type": (S, pick("WEB-DL", "BluRay", "HDTV")), "group|release_group|name": (S, pick("NTb", "DEMAND", "LOL"))}),
    Layout("movies", "/media/movies/{title} ({year})/{title} ({year}) - {quality}.mkv", {
        "title|movie|name": (S, pick("Heat", "The Matrix", "Alien", "Blade Runner", "Stalker", "Solaris")), "year": (I, num(1960, 2023)), "quality|resolution": (S, pick("1080p", "2160p", "720p"))}),
    Layout("music", "/music/{artist}/{album}/{track} - {title}.flac", {
        "artist": (S, pick(*ALBUMS)), "album": (S, by("artist", ALBUMS)), "track|track_number|number": (N, num(1, 18, 2)), "title|name|track_title": (S, words(1, 4))}, count=150),
    Layout("books", "/library/{author}/{title} ({year})/{title} - {author2}.{format}", {
        "author": (S, pick("Ursula K. Le Guin", "Stanislaw Lem", "Octavia Butler")), "title|book|name": (S, words(2, 3)), "year": (I, num(1950, 2020)), "author2|_|author": (S, lambda r, row: row["author"]), "format|extension|ext": (S, pick("epub", "mobi", "pdf"))}),
    Layout("maildir", "/var/vmail/{domain}/{user}/Maildir/{folder}/{time}.M{micro}P{pid}.{host},S={size}:2,{flags}", {
        "domain": (S, pick("example.com", "example.org")), "user|mailbox|name": (S, pick(*NAMES)), "folder|name": (S, pick("cur", "new")), "time|timestamp|epoch|datetime": (N + "|datetime", num(1600000000, 1700000000)), "micro|m|microseconds|_": (N, num(1, 999999)), "pid|p|_": (N, num(100, 32000)),
        "host|hostname": (S, pick("mx1", "mx2")), "size|s": (I, num(800, 99999)), "flags|_": (S, pick("S", "RS", ""))}),
    Layout("backups", "/backup/{host}/{frequency}/{date}_{time}/{database}.sql.gz", {
        "host|hostname|server": (S, pick("db01", "db02", "web01")), "frequency|schedule|interval|type": (S, pick("daily", "weekly", "monthly")), "date": (D, day("%Y-%m-%d")), "time": (S + "|" + I, day("%H%M%S")), "database|db|name": (S, pick("crm", "billing", "auth"))}),
    Layout("snapshots", "/.snapshots/{volume}@auto-{timestamp}/", {
        "volume|dataset|name": (S, pick("home", "root", "srv")), "timestamp|datetime|date|auto": (T, day("%Y-%m-%d_%H-%M"))}),
    Layout("dcim", "/DCIM/{folder}CANON/IMG_{number}.{ext}", {
        "folder|folder_number": (N, num(100, 120)), "number|image|img|image_id|image_number|img_id|id|sequence": (N, num(1, 9999, 4)), "ext|extension|format": (S, pick("JPG", "CR2", "MOV"))}),
    Layout("dcim dated", "/photos/{year}/{year}-{month}-{day}/IMG_{date}_{time}.jpg", {
        "year": (I, day("%Y")), "month": (I, day("%m")), "day": (I, day("%d")), "date": (D, day("%Y%m%d")), "time": (S + "|" + I, day("%H%M%S"))}),
    Layout("phone camera", "/sdcard/DCIM/Camera/{kind}_{datetime}.{ext}", {
        "kind|type|prefix|name": (S, pick("IMG", "VID", "PANO")), "datetime|timestamp|taken": (T, day("%Y%m%d_%H%M%S")), "ext|extension|format": (S, pick("jpg", "mp4"))}),
    Layout("dbt models", ["models/{layer}/{source}/{prefix}_{source}__{model}.sql", "models/{layer}/{source}/{prefix}_{source}__{model}.yml"], {
        "layer|stage|folder": (S, pick("staging", "intermediate", "marts")), "source|source_name": (S, pick("stripe", "salesforce", "jaffle_shop")), "prefix|_": (S, pick("stg", "int", "fct")), "model|model_name|entity|name|table": (S, pick("payments", "orders", "customers", "order_items"))}),
    Layout("dbt target", "target/run/{project}/models/{layer}/{model}.sql", {
        "project|name|run|project_name": (S, pick("analytics", "finance")), "layer|model|folder|stage|schema": (S, pick("staging", "marts", "core")), "model|model_name|name": (S, pick("stg_orders", "stg_payments", "dim_customers", "fct_orders"))}),
    Layout("stock ticks", "/ticks/{exchange}/{symbol}/{year}/{month}/{symbol}_{date}.csv.gz", {
        "exchange": (S, pick("NYSE", "NASDAQ", "LSE")), "symbol|ticker": (S, pick("AAPL", "MSFT", "GOOG", "BP", "TSLA")), "year": (I, day("%Y")), "month": (I, day("%m")), "date": (D, day("%Y%m%d"))}),
    Layout("crypto dumps", "data/spot/daily/klines/{symbol}/{interval}/{symbol}-{interval}-{date}.zip", {
        "symbol|pair|ticker": (S, pick("BTCUSDT", "ETHUSDT", "ADABTC")), "interval": (S, pick("1m", "5m", "1h", "1d")), "date": (D, day("%Y-%m-%d"))}),
    Layout("iso week", "/retail/{store}/{week}/sales.csv", {
        "store|store_id": (S + "|" + I, lambda r, row: f"store-{r.randint(1, 80):03d}"), "week|date|iso_week": ("date|string", day("%G-W%V"))}),
    Layout("german dates", "D:\\Ablage\\Kunden\\{customer}\\{date}_{kind}.docx", {
        "customer|client|kunden|name|customer_name|kunde": (S, pick("Müller GmbH", "Weiß AG", "Schröder KG")), "date": (D, day("%d.%m.%Y")), "kind|type|name|document_type|title": (S, pick("Angebot", "Rechnung", "Vertrag"))}),
    Layout("windows logs", "C:\\inetpub\\logs\\LogFiles\\W3SVC{site}\\u_ex{date}.log", {
        "site|site_id|w3svc|w3svc_id": (N, num(1, 9)), "date": ("date|string|integer", day("%y%m%d"))}),
    Layout("unc projects", "\\\\fileserver\\projects\\{project}\\{department}\\{document}_v{version}.xlsx", {
        "project|project_id": (S, code("PRJ-####")), "department|dept|name|team": (S, pick("Finance", "HR", "Legal", "Sales")), "document|name|title": (S, words(1, 2, "_")), "version": (I + "|" + S, num(1, 12))}),
    Layout("game saves", "/saves/{game}/{user}/slot{slot}/save_{timestamp}.sav", {
        "game|name": (S, pick("skyrim", "civ6", "stardew")), "user|user_id|player|steam_id|number|id": (N, num(76561190000000000, 76561199999999999)), "slot|slot_id": (I + "|" + S, num(1, 5)), "timestamp|datetime|save": (T, day("%Y%m%d-%H%M%S"))}),
    Layout("iot devices", "/iot/{site}/{device}/{year}/{month}/{day}/{hour}/{sensor}-{_e}.json", {
        "site|plant|location|name": (S, pick("plant-a", "plant-b")), "device|device_id": (N, code("dev-####")), "year": (I, day("%Y")), "month": (I, day("%m")), "day": (I, day("%d")), "hour": (I, day("%H")), "sensor|sensor_type|type|name": (S, pick("temp", "vibration", "rpm")), "_e": (S, num(1600000000, 1700000000))}),
    Layout("firehose", "s3://stream/{year}/{month}/{day}/{hour}/{stream}-{version}-{timestamp}-{uuid}", {
        "year": (I, day("%Y")), "month": (I, day("%m")), "day": (I, day("%d")), "hour": (I, day("%H")), "stream|delivery_stream|name|stream_name": (S, pick("orders", "clicks")), "version|_": (N, pick("1", "2")), "timestamp|datetime": (T, day("%Y-%m-%d-%H-%M-%S")), "uuid|id": ("uuid", uid())}),
    Layout("tenant api logs", "/logs/{environment}/{service}/{tenant}/{date}/{hour}/{service}.{level}.log", {
        "environment|env": (S, pick("dev", "staging", "prod")), "service|service_name|app": (S, pick("checkout", "catalog", "auth")), "tenant|tenant_id": (N, code("tenant-###")), "date": (D, day("%Y-%m-%d")), "hour": (I, day("%H")), "level|log_level": (S, pick("info", "error", "warn"))}),
    Layout("survey scans", "scans/batch_{batch}/box-{box}/page_{page}_{side}.tiff", {
        "batch|batch_id": (N, num(1, 60, 3)), "box|box_id": (N, num(1, 20)), "page|page_id|page_number": (N, num(1, 300, 4)), "side": (S, pick("recto", "verso"))}),
    Layout("optional region", ["/exports/{customer}/{year}/{month}/export_{id}.csv", "/exports/{customer}/archive/{year}/{month}/export_{id}.csv"], {
        "customer|customer_id|name|client|export": (S, pick("acme", "globex", "initech")), "year": (I, day("%Y")), "month": (I, day("%m")), "id|export|export_id": (N, num(1, 999, 3))}),
    Layout("three kinds mixed", ["/hospital/labs/{patient}/{date}/result_{id}.pdf", "/hospital/imaging/{patient}/{date}/scan_{id}.dcm"], {
        "patient|patient_id": (N, code("PT#####")), "date": (D, day("%Y-%m-%d")), "id|result|scan|result_id|scan_id": (N, num(1, 9999, 5))}),
    Layout("url assets", "https://cdn.example.com/{product}/v{version}/{locale}/{file}.{hash}.js", {
        "product|app|name": (S, pick("shop", "admin")), "version": (S, lambda r, row: f"{r.randint(1, 3)}.{r.randint(0, 9)}.{r.randint(0, 9)}"), "locale|language|lang": (S, pick("en", "de", "fr-CH")), "file|name|bundle|chunk": (S, pick("main", "vendor", "runtime")), "hash|content_hash": (S, hexa(8))}),
    Layout("month names", "/reports/{region}/{year}/{month}/{report}.xlsx", {
        "region": (S, pick("emea", "apac", "amer")), "year": (I, day("%Y")), "month|month_name": (S, day("%b")), "report|name|report_name|report_type": (S, pick("revenue", "headcount", "churn"))}),
    Layout("epoch snapshots", "/snapshots/{cluster}/{epoch}/node-{node}/dump.rdb", {
        "cluster|name|cluster_name": (S, pick("redis-a", "redis-b")), "epoch|timestamp|datetime|time": ("datetime|integer", num(1600000000, 1700000000)), "node|node_id": (I + "|" + S, num(1, 12))}),
]
