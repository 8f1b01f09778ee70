"""Layouts of public conventions, first part: data lakes, logs, earth observation, medicine."""
from layouts.kinds import Layout, code, day, hexa, num, pick, uid

I, S, D, T = "integer", "string", "date", "datetime"
N = "integer|string"  # an id of digits: people disagree

LAYOUTS = [
    Layout("hive sales", "s3://lake/warehouse/sales/year={year}/month={month}/day={day}/region={region}/part-{part}-{_id}.c000.snappy.parquet", {
        "year": (I, day("%Y")), "month": (I, day("%m")), "day": (I, day("%d")), "region": (S, pick("eu-west", "us-east", "apac")),
        "part": (N, num(0, 199, 5)), "_id": (S, uid())}),
    Layout("hive events dt", "/data/events/dt={dt}/hour={hour}/event_type={event_type}/{_n}_0", {
        "dt|date": (D, day("%Y-%m-%d")), "hour": (I, day("%H")), "event_type": (S, pick("click", "view", "purchase", "__HIVE_DEFAULT_PARTITION__")),
        "_n": (S, num(0, 40, 6))}, noise=["/data/events/_SUCCESS", "/data/events/.metadata"]),
    Layout("delta table", "/lake/gold/orders/country={country}/order_date={order_date}/part-{part}-{_id}.c000.zstd.parquet", {
        "country": (S, pick("DE", "FR", "US", "JP")), "order_date": (D, day("%Y-%m-%d")), "part": (N, num(0, 64, 5)), "_id": (S, uid())}),
    Layout("hl7 inbound", "/hl7/inbound/{facility}/{year}/{month}/{day}/{message_type}_{trigger_event}_{message_id}.hl7", {
        "facility": (S, pick("STMARY", "GENERAL", "NORTH")), "year": (I, day("%Y")), "month": (I, day("%m")), "day": (I, day("%d")),
        "message_type": (S, pick("ADT", "ORU", "ORM", "SIU")), "trigger_event|event": (S, pick("A01", "A08", "R01", "O01", "S12")),
        "message_id|control_id|id": (N, num(100000, 999999))}),
    Layout("hl7 flat", "/interfaces/epic/outbound/{date}/{message_type}-{trigger_event}-{timestamp}-{control_id}.hl7", {
        "date": (D, day("%Y%m%d")), "message_type": (S, pick("ADT", "ORU", "MDM")), "trigger_event|event": (S, pick("A04", "A03", "R01", "T02")),
        "timestamp": (T, day("%Y%m%d%H%M%S")), "control_id|message_id|id": (N, num(10000000, 99999999))}),
    Layout("fix logs", "/var/log/fix/{year}/{quarter}/FIX.4.4-{sender}-{target}.{date}.messages.log", {
        "year": (I, day("%Y")), "quarter": (I, pick("Q1", "Q2", "Q3", "Q4")), "sender|sender_comp_id": (S, pick("ACME", "BROKERX")),
        "target|target_comp_id": (S, pick("NYSE", "LSE", "XETRA", "CME")), "date": (D, day("%Y%m%d"))}),
    Layout("fix session", "/logs/fix/{year}/Q{quarter}/session_{session}.log", {
        "year": (I, day("%Y")), "quarter": (I, num(1, 4)), "session|session_id": (S, pick("NYSE", "LSE", "XETRA", "CME", "EUREX"))}, count=60),
    Layout("sentinel-2 safe", "/eodata/Sentinel-2/MSI/L2A/{year}/{month}/{day}/{mission}_MSI{level}_{sensing_time}_N{baseline}_R{orbit}_T{tile}_{_made}.SAFE/GRANULE/L2A_T{tile}_A{_a}_{sensing_time}/IMG_DATA/R10m/T{tile}_{sensing_time}_{band}_10m.jp2", {
        "year": (I, day("%Y")), "month": (I, day("%m")), "day": (I, day("%d")), "mission|satellite|platform": (S, pick("S2A", "S2B")),
        "level|product_level|product|product_type|processing_level": (S, pick("L2A", "L1C")), "sensing_time|datetime|sensing_start|acquisition_time|timestamp": (T, day("%Y%m%dT%H%M%S")),
        "baseline|processing_baseline": (N, pick("0509", "0510", "0400")), "orbit|relative_orbit": (N, num(1, 143, 3)), "tile|tile_id": (S, code("32@@@")),
        "_made": (T, day("%Y%m%dT%H%M%S")), "_a": (S, num(10000, 40000, 6)), "band": (S, pick("B02", "B03", "B04", "B08", "TCI"))}),
    Layout("sentinel-1", "/eodata/Sentinel-1/{mission}_{mode}_{product}_{level}_{start}_{stop}_{orbit}_{take}_{uid}.zip", {
        "mission|satellite|platform": (S, pick("S1A", "S1B")), "mode|beam_mode|beam": (S, pick("IW", "EW")), "product|product_type": (S, pick("GRDH", "SLC_", "GRDM")),
        "level|_": (S, pick("1SDV", "1SDH")), "start|start_time|sensing_start|sensing_time": (T, day("%Y%m%dT%H%M%S")), "stop|stop_time|sensing_stop|end_time|end": (T, day("%Y%m%dT%H%M%S")),
        "orbit|absolute_orbit": (N, num(20000, 50000, 6)), "take|data_take|datatake|mission_data_take": (S, hexa(6)), "uid|unique_id|product_id|id": (S, code("#@@#"))}),
    Layout("landsat", "/landsat/collection02/level-2/standard/oli-tirs/{year}/{path}/{row}/{sensor}_{level}_{_pr}_{acquisition_date}_{processing_date}_02_{tier}/{sensor}_{level}_{_pr}_{acquisition_date}_{processing_date}_02_{tier}_SR_{band}.TIF", {
        "year": (I, day("%Y")), "path|wrs_path": (N, num(1, 233, 3)), "row|wrs_row": (N, num(1, 248, 3)), "sensor|satellite|mission": (S, pick("LC08", "LC09", "LE07")),
        "level|processing_level|correction_level": (S, pick("L2SP", "L2SR")), "_pr": (S, num(100000, 233248)), "acquisition_date|date": (D, day("%Y%m%d")),
        "processing_date": (D, pick("20210101", "20220303", "20230915", "20240401")), "tier|collection_category": (S, pick("T1", "T2", "RT")), "band": (S, pick("B1", "B2", "B3", "B4", "B5", "B10"))}),
    Layout("landsat flat", "landsat/{sensor}_{level}_{pathrow}_{acquisition_date}_{processing_date}_{collection}_{tier}_{band}.TIF", {
        "sensor|satellite|mission": (S, pick("LC08", "LC09")), "level|processing_level|correction_level": (S, pick("L1TP", "L2SP")), "pathrow|wrs|path_row": (N, num(100000, 233248)),
        "acquisition_date|date": (D, day("%Y%m%d")), "processing_date": (D, pick("20210101", "20220303", "20230915")), "collection|collection_number": (N, pick("01", "02")),
        "tier|collection_category": (S, pick("T1", "T2")), "band": (S, pick("B1", "B2", "B3", "B4", "B5"))}),
    Layout("modis", "/modis/{product}/{year}/{doy}/{product}.A{acquired}.h{h}v{v}.{collection}.{produced}.hdf", {
        "product": (S, pick("MOD13Q1", "MYD11A1", "MOD09GA")), "year": (I, day("%Y")), "doy|day_of_year": (I, day("%j")), "acquired|acquisition_date|date": (D, day("%Y%j")),
        "h|horizontal_tile|horizontal|tile_h": (N, num(0, 35, 2)), "v|vertical_tile|vertical|tile_v": (N, num(0, 17, 2)), "collection|version": (N, pick("006", "061")),
        "produced|production_date|production_time|processing_time|processed": ("string|integer|datetime", day("%Y%j%H%M%S"))}),
    Layout("goes abi", "noaa-goes16/ABI-L2-{product}/{year}/{doy}/{hour}/OR_ABI-L2-{product}-M{mode}C{channel}_G{satellite}_s{start}_e{end}_c{created}.nc", {
        "product": (S, pick("CMIPF", "MCMIPC", "ACHAF")), "year": (I, day("%Y")), "doy|day_of_year": (I, day("%j")), "hour": (I, day("%H")), "mode|scan_mode": (N, pick("3", "6")),
        "channel|band": (N, num(1, 16, 2)), "satellite|platform": (N, pick("16", "17")), "start|start_time": ("string|integer|datetime", day("%Y%j%H%M%S1")),
        "end|end_time": ("string|integer|datetime", day("%Y%j%H%M%S2")), "created|creation_time": ("string|integer|datetime", day("%Y%j%H%M%S3"))}),
    Layout("era5", "/reanalysis/era5/{variable}/{year}/era5_{variable}_{frequency}_{yearmonth}.nc", {
        "variable": (S, pick("t2m", "u10", "v10", "msl", "tp")), "year": (I, day("%Y", 1980, 2023)), "frequency|resolution|freq": (S, pick("hourly", "daily", "monthly")),
        "yearmonth|year_month|month|date": ("date|integer|string", day("%Y%m", 1980, 2023))}, count=150),
    Layout("cmip6 drs", "/data/CMIP6/{activity}/{institution}/{source}/{experiment}/{variant}/{table}/{variable}/{grid}/v{version}/{variable}_{table}_{source}_{experiment}_{variant}_{grid}_{start}-{end}.nc", {
        "activity|activity_id": (S, pick("CMIP", "ScenarioMIP")), "institution|institution_id": (S, pick("MPI-M", "NCAR", "MOHC", "IPSL")), "source|source_id|model|model_id": (S, pick("MPI-ESM1-2-LR", "CESM2", "UKESM1-0-LL", "IPSL-CM6A-LR")),
        "experiment|experiment_id": (S, pick("historical", "ssp585", "ssp245", "piControl")), "variant|variant_label|member|member_id|ensemble": (S, pick("r1i1p1f1", "r2i1p1f1", "r10i1p1f2")),
        "table|table_id": (S, pick("Amon", "day", "Omon", "6hrLev")), "variable|variable_id": (S, pick("tas", "pr", "psl", "tos")), "grid|grid_label": (S, pick("gn", "gr")),
        "version": (D, day("%Y%m%d")), "start|start_date": ("date|integer|string", pick("185001", "195001", "201501")), "end|end_date": ("date|integer|string", pick("186912", "201412", "210012"))}, count=120),
    Layout("weather stations", "/noaa/isd/{year}/{usaf}-{wban}-{year}.gz", {
        "year": (I, day("%Y", 1990)), "usaf|station|station_id|usaf_id": (N, num(10010, 999999, 6)), "wban|wban_id": (N, num(0, 99999, 5))}, count=150),
    Layout("station csv", "weather/{country}/station_{station}/{date}_{variable}.csv", {
        "country": (S, pick("de", "fr", "ch", "at")), "station|station_id": (N, num(1, 900, 4)), "date": (D, day("%Y-%m-%d")), "variable|name|measurement|parameter": (S, pick("temperature", "humidity", "wind", "pressure"))}),
    Layout("dicom uid", "/pacs/{patient_id}/{study_date}/{study_uid}/{series_uid}/{instance_uid}.dcm", {
        "patient_id|patient": (S, code("PAT######")), "study_date|date": (D, day("%Y%m%d")), "study_uid|study_instance_uid|study": (S, code("1.2.840.113619.2.##.####.###")),
        "series_uid|series_instance_uid|series": (S, code("1.2.840.113619.2.##.####.###.#")), "instance_uid|sop_instance_uid|instance": (S, code("1.2.840.113619.2.##.####.###.#.##"))}),
    Layout("dicom named", "/archive/dicom/{modality}/patient_{patient_id}/study_{study}/series_{series}/IM{instance}.dcm", {
        "modality": (S, pick("CT", "MR", "US", "XA")), "patient_id|patient": (N, num(1, 9999, 5)), "study|study_id": (N, num(1, 40, 3)), "series|series_id|series_number": (N, num(1, 12)),
        "instance|image|instance_number|im|image_number|im_id": (N, num(1, 400, 6))}),
    Layout("bids", ["/bids/ds000117/sub-{subject}/ses-{session}/func/sub-{subject}_ses-{session}_task-{task}_run-{run}_{suffix}.nii.gz"], {
        "subject|sub|participant": (N, num(1, 16, 2)), "session|ses": (S, pick("mri", "meg")), "task": (S, pick("facerecognition", "rest")), "run": (N, num(1, 9, 2)),
        "suffix|modality": (S, pick("bold", "sbref"))}, noise=["/bids/ds000117/participants.tsv", "/bids/ds000117/dataset_description.json"]),
    Layout("bids anat", ["/study/sub-{subject}/anat/sub-{subject}_{suffix}.nii.gz", "/study/sub-{subject}/anat/sub-{subject}_{suffix}.json"], {
        "subject|sub|participant": (N, num(1, 120, 3)), "suffix|modality": (S, pick("T1w", "T2w", "FLAIR"))}),
    Layout("illumina fastq", "/runs/{run_date}_{instrument}_{run}_{flowcell}/Data/Intensities/BaseCalls/{sample}_S{sample_number}_L{lane}_{read}_001.fastq.gz", {
        "run_date|date": ("date|string|integer", day("%y%m%d")), "instrument|instrument_id": (S, pick("M00123", "A00456", "NB551")), "run|run_number": (N, num(1, 300, 4)),
        "flowcell|flowcell_id": (S, code("H@@@#@@@@")), "sample|sample_name|sample_id": (S, pick("liver-1", "liver-2", "brain-1", "ctrl-3")), "sample_number|s|sample_index": (N, num(1, 24)),
        "lane": (N, num(1, 8, 3)), "read|read_number": (S + "|" + I, pick("R1", "R2", "I1"))}),
    Layout("vcf by chromosome", "/genomics/{project}/{sample}/{sample}.chr{chromosome}.{caller}.vcf.gz", {
        "project": (S, pick("TCGA-BRCA", "TCGA-LUAD", "ICGC-PACA")), "sample|sample_id": (S, code("NA#####")), "chromosome|chr|chrom": (S, pick("1", "2", "10", "X", "22", "7")),
        "caller|tool": (S, pick("gatk", "deepvariant", "strelka"))}),
    Layout("ena runs", "/vol1/fastq/{prefix}/{sub}/{accession}/{accession}_{read}.fastq.gz", {
        "prefix|_": (S, pick("SRR123", "ERR456", "DRR001")), "sub|_": (S, num(0, 99, 3)), "accession|run|run_accession|run_id": (S, lambda r, row: row["prefix"] + str(r.randint(1000, 9999))), "read": (N, pick("1", "2"))}),
    Layout("tcga", "/gdc/{project}/{data_category}/{file_id}/{barcode}.{workflow}.tsv", {
        "project|project_id": (S, pick("TCGA-BRCA", "TCGA-GBM", "TCGA-OV")), "data_category|category": (S, pick("Transcriptome_Profiling", "Copy_Number_Variation")), "file_id|uuid|id": ("uuid", uid()),
        "barcode|sample|case|sample_id": (S, code("TCGA-@@-####-01A")), "workflow|name": (S, pick("htseq_counts", "star_counts"))}),
    Layout("mission telemetry", "/telemetry/{mission}/{instrument}/{date}/{mission}_{instrument}_{sequence}.dat", {
        "mission|mission_id": (S, pick("cassini", "juno", "galileo", "voyager2")), "instrument": (S, pick("mag", "uvs", "cam", "rpws")), "date": (D, day("%Y-%m-%d")), "sequence|number|sequence_number|id|seq": (N, num(1, 9999, 5))}),
    Layout("client quarters", "/data/CLIENT-{client_id}/{year}/Q{quarter}/{report}.csv", {
        "client_id|client": (S, code("@@@")), "year": (I, day("%Y")), "quarter": (I, num(1, 4)), "report|name|report_type": (S, pick("report", "ledger", "summary", "balance"))}),
    Layout("kubernetes pods", "/var/log/pods/{namespace}_{pod}_{pod_uid}/{container}/{restart}.log", {
        "namespace": (S, pick("default", "kube-system", "payments", "monitoring")), "pod|pod_name": (S, lambda r, row: r.choice(["api", "worker", "web-front"]) + "-" + code("#%#%%##%%#")(r, row) + "-" + code("%%#%#")(r, row)),
        "pod_uid|uid|pod_id": ("uuid", uid()), "container|container_name": (S, pick("app", "sidecar", "istio-proxy")), "restart|restart_count|restarts|attempt": (I + "|" + S, num(0, 7))}),
    Layout("kubernetes containers", "/var/log/containers/{pod}_{namespace}_{container}-{container_id}.log", {
        "pod|pod_name": (S, lambda r, row: r.choice(["coredns", "fluentd", "api-server"]) + "-" + code("%%#%#")(r, row)), "namespace": (S, pick("default", "kube-system", "payments")),
        "container|container_name": (S, pick("app", "sidecar", "proxy")), "container_id": (S, hexa(64))}),
    Layout("nginx rotated", ["/var/log/nginx/{site}/{kind}.log.{n}.gz", "/var/log/nginx/{site}/{kind}.log.{n}"], {
        "site|host|domain|vhost|name": (S, pick("example.com", "shop.example.com", "api.example.org")), "kind|log|type|log_type|name": (S, pick("access", "error")), "n|rotation|number|index|sequence": (N, num(1, 52))}),
    Layout("apache dated", "/var/log/httpd/{vhost}-{kind}_log-{date}.gz", {
        "vhost|site|host|domain|name": (S, pick("www", "shop", "intranet")), "kind|log|type|name|log_type": (S, pick("access", "error")), "date": (D, day("%Y%m%d"))}),
    Layout("cloudtrail", "s3://org-trail/AWSLogs/{account_id}/CloudTrail/{region}/{year}/{month}/{day}/{account_id}_CloudTrail_{region}_{timestamp}_{_unique}.json.gz", {
        "account_id|account": (N, num(100000000000, 100000000009)), "region": (S, pick("us-east-1", "eu-central-1", "ap-southeast-2")), "year": (I, day("%Y")), "month": (I, day("%m")), "day": (I, day("%d")),
        "timestamp|datetime|time|delivered": (T, day("%Y%m%dT%H%MZ")), "_unique": (S, code("@%@#%@%%##@@%%@%"))}),
    Layout("elb logs", "s3://lb/prod/AWSLogs/{account_id}/elasticloadbalancing/{region}/{year}/{month}/{day}/{account_id}_elasticloadbalancing_{region}_{load_balancer}_{end_time}_{ip}_{_r}.log", {
        "account_id|account": (N, pick("123456789012", "210987654321")), "region": (S, pick("us-east-1", "eu-west-1")), "year": (I, day("%Y")), "month": (I, day("%m")), "day": (I, day("%d")),
        "load_balancer|load_balancer_id|lb|elb|name": (S, lambda r, row: "app." + r.choice(["web", "api"]) + "-alb." + hexa(16)(r, row)), "end_time|timestamp|datetime": (T, day("%Y%m%dT%H%MZ")),
        "ip|ip_address|client_ip": (S, code("10.1.#.##")), "_r": (S, code("#%#%##%%"))}),
    Layout("s3 access", "logs/{bucket}/{timestamp}-{request}", {
        "bucket|name": (S, pick("assets", "backups", "media")), "timestamp|datetime": (T, day("%Y-%m-%d-%H-%M-%S")), "request|id|request_id|hash|unique": (S, lambda r, row: hexa(16)(r, row).upper())}),
    Layout("log4j rolled", "/opt/app/{service}/logs/{service}-{date}-{index}.log.gz", {
        "service|app|application": (S, pick("billing", "auth", "gateway")), "date": (D, day("%Y-%m-%d")), "index|number|sequence|n|rotation": (N, num(1, 20))}),
    Layout("journald", "/var/log/journal/{machine_id}/user-{user}@{_seq}-{_a}-{_b}.journal", {
        "machine_id|machine|id|hash": (S, hexa(32)), "user|user_id|uid": (N, pick("1000", "1001", "1002")), "_seq": (S, hexa(32)), "_a": (S, hexa(16)), "_b": (S, hexa(16))}, count=40),
    Layout("syslog by host", "/var/log/remote/{host}/{year}/{month}/{day}/{program}.log", {
        "host|hostname|server": (S, pick("web01", "web02", "db01", "mail")), "year": (I, day("%Y")), "month": (I, day("%m")), "day": (I, day("%d")), "program|name|service|facility": (S, pick("sshd", "cron", "kernel", "postfix"))}),
    Layout("airflow task logs", "/opt/airflow/logs/dag_id={dag_id}/run_id={run}/task_id={task_id}/attempt={attempt}.log", {
        "dag_id": (S, pick("daily_sales", "ingest_crm", "ml_train")), "run|run_id|execution_date": ("string|datetime", day("scheduled__%Y-%m-%dT%H:%M:%S+00:00")), "task_id": (S, pick("extract", "load", "transform.clean", "notify")), "attempt": (I, num(1, 4))}),
    Layout("airflow old", "/airflow/logs/{dag_id}/{task_id}/{execution_date}/{attempt}.log", {
        "dag_id|dag|name": (S, pick("daily_sales", "ingest_crm", "ml_train")), "task_id|task|name": (S, pick("extract", "load", "clean", "notify")), "execution_date|datetime|timestamp": (T, day("%Y-%m-%dT%H:%M:%S+00:00")), "attempt|number|try|try_number": (I + "|" + S, num(1, 4))}),
]
