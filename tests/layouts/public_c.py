"""Layouts of public conventions, third part: written after the tables were made."""
from layouts.kinds import Layout, code, day, hexa, num, pick, NAMES

I, S, D, T = "integer", "string", "date", "datetime"
N = "integer|string"

LAYOUTS = [
    Layout("nexrad", "noaa-nexrad-level2/{year}/{month}/{day}/{station}/{station}{date}_{time}_V06", {
        "year": (I, day("%Y")), "month": (I, day("%m")), "day": (I, day("%d")), "station|site|radar|station_id": (S, pick("KTLX", "KFWS", "KAMA", "KLOT")),
        "date|timestamp": ("date|datetime", day("%Y%m%d")), "time|timestamp": ("string|integer|datetime", day("%H%M%S"))}),
    Layout("seismic sds", "/sds/{year}/{network}/{station}/{channel}.D/{network}.{station}.{location}.{channel}.D.{year}.{doy}", {
        "year": (I, day("%Y")), "network|net": (S, pick("IU", "GE", "CH")), "station|sta|station_id": (S, pick("ANMO", "DAVOX", "FUORN", "STU")), "channel|chan": (S, pick("BHZ", "HHN", "LHE")),
        "location|loc": (S, pick("00", "10")), "doy|day_of_year|day": (I + "|" + S, day("%j"))}),
    Layout("wikipedia dumps", "/dumps/{wiki}/{date}/{wiki}-{date}-{kind}.xml.bz2", {
        "wiki|project|language": (S, pick("enwiki", "dewiki", "frwiki")), "date|dump_date": (D, day("%Y%m%d")), "kind|type|content|name": (S, pick("pages-articles", "stub-meta-history", "abstract"))}),
    Layout("arxiv", "/arxiv/src/{yymm}/{paper}.tar.gz", {
        "yymm|month|year_month": (S + "|" + I, day("%y%m")), "paper|paper_id|arxiv_id|id|number|version": (S, lambda r, row: row["yymm"] + "." + str(r.randint(10000, 19999)))}),
    Layout("go modules", "pkg/mod/cache/download/{host}/{owner}/{module}/@v/v{version}.zip", {
        "host|domain": (S, pick("github.com", "golang.org", "gopkg.in")), "owner|user|org|organization|account": (S, pick("spf13", "stretchr", "uber-go", "pkg")), "module|repo|package|name|repository": (S, pick("cobra", "testify", "zap", "errors")),
        "version": (S, lambda r, row: f"{r.randint(0, 3)}.{r.randint(0, 20)}.{r.randint(0, 9)}")}),
    Layout("conda packages", "/conda/{channel}/{platform}/{name}-{version}-{build}.conda", {
        "channel": (S, pick("conda-forge", "defaults", "bioconda")), "platform|subdir|arch|architecture": (S, pick("linux-64", "osx-arm64", "noarch", "win-64")), "name|package": (S, pick("numpy", "scipy", "pandas", "pip")),
        "version": (S, lambda r, row: f"{r.randint(1, 3)}.{r.randint(0, 26)}.{r.randint(0, 9)}"), "build|build_string|code": (S, lambda r, row: f"py3{r.randint(9, 12)}h{hexa(7)(r, row)}_{r.randint(0, 3)}")}),
    Layout("postgres wal", "/backup/wal/{cluster}/{timeline}/{segment}.gz", {
        "cluster|server|name|database": (S, pick("main", "replica", "reporting")), "timeline": (S + "|" + I, num(1, 9, 8)), "segment|wal|hash|name|wal_segment": (S, lambda r, row: row["timeline"] + hexa(16)(r, row).upper())}),
    Layout("mysql binlogs", "/var/lib/mysql/{server}/binlog.{number}", {
        "server|host|instance|database": (S, pick("db01", "db02", "db03")), "number|sequence|index|binlog|binlog_id|rotation": (N, num(1, 900, 6))}),
    Layout("elastic snapshots", "indices/{index}-{date}/{shard}/snap-{snapshot}.dat", {
        "index|index_name|name": (S, pick("logs-nginx", "logs-app", "metrics-host")), "date": (D, day("%Y.%m.%d")), "shard|shard_id|number|id": (I + "|" + S, num(0, 4)), "snapshot|snap|snapshot_id|snap_id|hash": (S, hexa(22))}),
    Layout("prometheus blocks", "/prometheus/{tenant}/{block}/chunks/{chunk}", {
        "tenant|tenant_id|name|folder": (S, pick("team-a", "team-b", "infra")), "block|block_id|ulid|code": (S, lambda r, row: "01" + code("@#@@##@@@#@#@@##@@@###@#")(r, row)), "chunk|chunk_id|number": (N, num(1, 40, 6))}),
    Layout("plates", "/screens/{screen}/plate_{plate}/{well}_s{site}_w{channel}.tif", {
        "screen|screen_id|experiment": (S, pick("hela-kinase", "u2os-gpcr", "a549-tox")), "plate|plate_id": (N, num(1, 40, 3)), "well": (S, lambda r, row: r.choice("ABCDEFGH") + str(r.randint(1, 12)).zfill(2)), "site|s|field": (N, num(1, 9)),
        "channel|w|wavelength": (N, num(1, 5))}),
    Layout("fits", "/archive/{telescope}/{instrument}/{night}/{object}_{filter}_{exposure}s_{frame}.fits", {
        "telescope|observatory|satellite|mission|folder": (S, pick("vlt", "gemini", "keck")), "instrument": (S, pick("fors2", "gmos", "nirc2")), "night|date": (D, day("%Y%m%d")), "object|target|name": (S, pick("M31", "NGC1300", "M87", "HD209458")),
        "filter|band": (S, pick("g", "r", "i", "z")), "exposure|exposure_time": (N, pick("30", "60", "120", "300")), "frame|number|sequence|frame_number": (N, num(1, 200, 4))}),
    Layout("call recordings", "\\\\pbx01\\recordings\\{year}\\{month}\\{agent}_{direction}_{phone}_{timestamp}.wav", {
        "year": (I, day("%Y")), "month": (I, day("%m")), "agent|agent_id|user|extension|name|employee": (S, pick(*NAMES)), "direction": (S, pick("in", "out")), "phone|phone_number|number|caller": (N, num(30000000000, 49999999999)), "timestamp|datetime": (T, day("%Y%m%d%H%M%S"))}),
    Layout("cctv", "/nvr/cam-{camera}/{date}/{hour}/{start}-{end}.mp4", {
        "camera|camera_id|cam": (N, num(1, 24, 2)), "date": (D, day("%Y-%m-%d")), "hour": (I, day("%H")), "start|start_time|time": ("string|integer", day("%H%M%S")), "end|end_time|time_2": ("string|integer", lambda r, row: f"{min(23, int(row['start'][:2]))}{r.randint(10, 59)}59")}),
    Layout("claims", "/insurance/claims/{year}/{line}/CLM-{claim}/{kind}_{n}.pdf", {
        "year": (I, day("%Y")), "line|line_of_business|product|category|folder|type": (S, pick("auto", "home", "life")), "claim|claim_id|claim_number|clm|clm_id": (N, num(1, 999999, 7)), "kind|document_type|type|name": (S, pick("photo", "invoice", "report", "letter")), "n|number|page|index|sequence": (N, num(1, 9))}),
    Layout("student submissions", "/courses/{course}/{semester}/hw{homework}/{student}_{attempt}.ipynb", {
        "course|course_id": (S, pick("CS101", "CS229", "MATH51")), "semester|term": (S, pick("fall2022", "spring2023", "fall2023")), "homework|hw|assignment|hw_id|homework_id": (I + "|" + S, num(1, 8)), "student|student_id|name|student_name": (S, code("s######")), "attempt|number|version": (N, num(1, 3))}),
    Layout("edi", "/edi/{partner}/{direction}/{transaction}_{control}_{date}.x12", {
        "partner|partner_id|name|folder|customer": (S, pick("walmart", "target", "amazon", "kroger")), "direction": (S, pick("inbound", "outbound")), "transaction|transaction_set|type|document_type|number|message_type": (N, pick("850", "810", "856", "997")), "control|control_number|number_2|number|id|message_id": (N, num(1, 999999999, 9)), "date": (D, day("%Y%m%d"))}),
    Layout("swift", "/swift/{direction}/{date}/{message}_{bic}_{reference}.fin", {
        "direction": (S, pick("incoming", "outgoing")), "date": (D, day("%Y-%m-%d")), "message|message_type|type|mt|code": (S, pick("MT103", "MT202", "MT940", "MT950")), "bic|code|sender|code_2": (S, pick("DEUTDEFF", "CHASUS33", "BNPAFRPP")), "reference|ref|number|id|message_id|trn": (N, num(10000000, 99999999))}),
    Layout("gtfs", "gtfs/{country}/{agency}/{date}/feed_v{version}.zip", {
        "country": (S, pick("us", "de", "fr", "jp")), "agency|operator|name|folder": (S, pick("mta", "bvg", "ratp", "jr-east")), "date": (D, day("%Y%m%d")), "version": (I + "|" + S, num(1, 9))}),
    Layout("drone survey", "/uav/{project}/{flight_date}_{site}/DJI_{image}.{ext}", {
        "project|project_id|name|folder": (S, pick("dam-inspection", "solar-farm", "quarry")), "flight_date|date": (D, day("%Y%m%d")), "site|location|name|folder_2": (S, pick("north", "south", "east")), "image|dji|image_number|number|dji_id|image_id": (N, num(1, 999, 4)), "ext|extension|format": (S, pick("JPG", "DNG"))}),
    Layout("newspapers", "/newspapers/{lccn}/{year}/{month}/{day}/ed-{edition}/seq-{page}/ocr.xml", {
        "lccn|newspaper|code|title|newspaper_id": (S, code("sn########")), "year": (I, day("%Y", 1900, 1950)), "month": (I, day("%m")), "day": (I, day("%d")), "edition|ed|ed_id": (N, num(1, 3)), "page|seq|sequence|seq_id": (N, num(1, 40))}),
    Layout("zeek logs", "/nsm/zeek/logs/{date}/{kind}.{start}-{end}.log.gz", {
        "date": (D, day("%Y-%m-%d")), "kind|protocol|log|type|log_type|name|stream": (S, pick("conn", "dns", "http", "ssl")), "start|start_time|time|begin": (S, day("%H:00:00")), "end|end_time|time_2|stop": (S, day("%H:59:59"))}),
    Layout("hrrr", "s3://noaa-hrrr-bdp-pds/hrrr.{date}/conus/hrrr.t{cycle}z.wrf{product}f{hour}.grib2", {
        "date": (D, day("%Y%m%d")), "cycle|hour|cycle_hour|run": (I + "|" + S, day("%H")), "product|level|type|name": (S, pick("sfc", "prs", "nat")), "hour|forecast_hour|f|lead|lead_time": (I + "|" + S, num(0, 48, 2))}),
    Layout("argo floats", "/argo/dac/{dac}/{float}/profiles/{mode}{float}_{cycle}.nc", {
        "dac|center|data_center|institution|name|folder": (S, pick("aoml", "coriolis", "bodc")), "float|float_id|platform|wmo|id|number": (N, num(1900000, 6999999)), "mode|code|data_mode": (S, pick("R", "D")), "cycle|cycle_number|number|profile": (N, num(1, 300, 3))}),
]
