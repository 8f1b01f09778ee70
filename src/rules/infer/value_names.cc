// Names that values suggest: {prod, dev} is an environment, {NYSE, LSE} an exchange. One row a
// name: the words that are written there, where # stands for digits, ? for one letter or digit and
// * for anything.
#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/ascii.h"
#include "rules/infer/vocabulary.h"

namespace airlock::rules {

namespace {

constexpr std::size_t kMostAsked = 200;  // different values; more say nothing new

struct ValueName {
  std::string_view name;
  std::string_view values;  // with a space around each
};

// The first of equals wins: what is more particular stands first.
constexpr std::array kValueNames = {
    ValueName{"environment",
              " prod production prd dev development staging stage stg test testing qa uat sandbox "
              "preprod int live demo integration nonprod acceptance "},
    ValueName{"log_level", " debug info warn warning error critical fatal trace notice "},
    ValueName{"architecture",
              " amd64 arm64 i386 i686 i586 x86_64 x86 x64 aarch64 armhf armel armv7 armv7l all any "
              "noarch "
              "ppc64el ppc64le s390x riscv64 mips64el source "},
    ValueName{"component",
              " main contrib non-free non-free-firmware universe multiverse restricted "},
    ValueName{"branch",
              " main master develop development trunk release-* release/* hotfix-* "
              "feature-* bugfix-* gh-pages staging "},
    ValueName{"direction",
              " inbound outbound incoming outgoing in out upload download tx rx ingress egress "
              "sent received "},
    ValueName{"layer",
              " bronze silver gold staging intermediate marts mart raw curated trusted refined "
              "landing core base reporting stg int cleansed enriched "},
    ValueName{"kind", " metrics params tags artifacts "},
    ValueName{"log_type", " access error audit slow general ssl_access ssl_error "},
    ValueName{"status",
              " processed failed pending done archived active approved rejected draft final open "
              "closed success error new paid unpaid released obsolete review cancelled completed "
              "running queued accepted "},
    ValueName{"country",
              " us uk gb de fr it es nl be ch at se no dk fi pl cz pt ie ca mx br ar jp cn kr in "
              "au nz za sg hk gr hu ro bg ru ua tr il ae sa usa deu fra gbr ita esp jpn chn ind "
              "bra can germany france italy spain japan china india brazil canada mexico poland "
              "austria switzerland netherlands belgium sweden norway denmark finland portugal "
              "ireland australia "},
    ValueName{
        "language",
        " en de fr es it nl pt ja zh ko ru pl sv da fi cs tr ar he hi sw uk id vi th el hu ro "
        "en-us en-gb de-de de-at de-ch fr-fr fr-ca fr-ch es-es es-mx pt-br pt-pt zh-cn zh-tw "
        "ja-jp it-it nl-nl en_us en_gb de_de fr_fr es_es pt_br zh_cn ja_jp english german "
        "french spanish "},
    ValueName{"currency", " usd eur gbp jpy chf aud cad nzd sek nok dkk cny inr brl "},
    ValueName{"split",
              " train test val valid validation dev eval holdout training testing train-* dev-* "
              "test-* "},
    ValueName{
        "weekday",
        " monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun "},
    ValueName{"side", " left right front back top bottom recto verso obverse reverse "},
    ValueName{"band",
              " b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b01 b02 b03 b04 b05 b06 b07 b08 b09 b8a tci "
              "scl aot wvp pan nir swir swir# red green blue qa_pixel st_b# "
              "sr_b# "},
    ValueName{"color", " red green blue rgb black white yellow "},
    ValueName{"quality", " low medium high lossless "},
    ValueName{"resolution", " #p #i 4k 8k hd uhd sd fullhd #x# "},
    ValueName{"backup_type", " full incremental incr diff differential snapshot wal "},
    ValueName{"frequency",
              " hourly daily weekly monthly quarterly yearly annual annually 3hourly 6hourly "},
    ValueName{"interval", " #m #h #d #w #mo #s #min "},
    ValueName{"department",
              " finance hr legal sales marketing engineering it operations ops support accounting "
              "procurement research rnd purchasing logistics admin compliance "},
    ValueName{"exchange",
              " nyse nasdaq lse xetra cme eurex euronext tse hkex asx cboe bats amex tsx sgx bse "
              "nse otc arca iex cbot nymex comex ice six binance coinbase kraken bitstamp xnys "
              "xnas xlon "},
    ValueName{"symbol",
              " aapl msft goog googl amzn tsla meta nvda ibm jpm bp intc amd nflx orcl csco ko pep "
              "wmt dis ba ge f gm v ma brk spy qqq sap bmw *usdt *usd *btc *eur eurusd gbpusd "
              "usdjpy btc eth ada sol xrp es nq cl gc zn "},
    ValueName{"modality", " ct mr us xa cr dx mg nm pt pet mri xray ot sc rf ecg eeg meg "},
    ValueName{"message_type",
              " adt oru orm siu mdm dft bar vxu oml mfn rde ack omp ras orl qbp rsp "},
    ValueName{"datatype", " anat func dwi fmap perf beh "},
    ValueName{"suffix",
              " t1w t2w flair bold sbref dwi epi t2star t1map magnitude# phasediff asl "
              "pet events physio meg eeg "},
    ValueName{"mission",
              " cassini juno galileo voyager# voyager pioneer# apollo# hubble jwst kepler tess mro "
              "maven insight rosetta gaia messenger dawn magellan newhorizons new-horizons "
              "swift chandra soho stereo landsat# modis aqua terra grace# icesat# curiosity "
              "perseverance viking# mariner# ulysses huygens artemis# "},
    ValueName{"satellite",
              " s1a s1b s1c s2a s2b s2c s3a s3b s5p lc0# le0# lt0# lo0# goes# noaa# "
              "metop# himawari# sentinel-* landsat-* "},
    ValueName{
        "instrument",
        " mag uvs cam rpws nac wac iss vims cirs inms msi olci slstr oli tirs etm viirs avhrr "
        "abi spectrometer magnetometer camera radiometer lidar radar hirise crism uvis "
        "nircam miri nirspec fgs wfc3 acs oli-tirs "},
    ValueName{"channel", " cam_* lidar_* radar_* cam# left_rgb right_rgb "},
    ValueName{"sensor",
              " temp vibration rpm accel accelerometer gyro gyroscope co2 pm25 motion "
              "proximity thermocouple imu gps lidar radar "},
    ValueName{"variable",
              " temperature humidity wind pressure precipitation rainfall snow radiation dewpoint "
              "visibility cloud_cover wind_speed wind_direction tas tasmin tasmax pr psl tos uas "
              "vas huss zg ua va ta t2m d2m u10 v10 msl tp sst ssrd u100 v100 sp swvl# hurs rsds "
              "rlds sfcwind z500 t850 "},
    ValueName{"experiment",
              " historical ssp# picontrol abrupt-4xco2 1pctco2 amip rcp# rcp## hist-* esm-* "},
    ValueName{"table", " amon omon lmon simon day 3hr 6hr 6hrlev 6hrplevpt eday emon fx ofx oday "},
    ValueName{"variant", " r#i#p#f# r#i#p# "},
    ValueName{"grid", " gn gr gr# gm "},
    ValueName{"activity", " cmip scenariomip damip hightmip ccmip c4mip pmip cordex "},
    ValueName{"caller",
              " gatk deepvariant strelka strelka2 mutect mutect2 freebayes bcftools samtools "
              "haplotypecaller varscan varscan2 octopus manta delly lumpy "},
    ValueName{"read", " r1 r2 r3 i1 i2 "},
    ValueName{"tier", " t1 t2 rt gold silver bronze "},
    ValueName{"region",
              " emea apac amer americas latam eu us na sa asia europe africa north south "
              "east west northeast northwest southeast southwest nordics dach benelux "
              "eu-* us-* ap-* "},
    ValueName{"program",
              " sshd cron kernel postfix systemd dovecot sudo rsyslog named ntpd dhclient "
              "auditd syslog daemon "},
    ValueName{"host",
              " web# db# app# node# host# mail# srv# server# mx# worker# lb# cache# www# vm# "
              "web-# db-# app-# srv-# *.local *.internal *.lan "},
    ValueName{"service",
              " auth billing checkout catalog gateway api web frontend backend worker scheduler "
              "notifications identity proxy ingest login nginx redis kafka rabbitmq api-gateway "
              "*-service *-api *-svc "},
    ValueName{"distribution",
              " rocky alma almalinux centos fedora debian ubuntu alpine rhel opensuse suse arch "
              "bookworm bullseye buster jammy focal noble "},
    ValueName{"domain", " *.com *.org *.net *.io *.de *.co.uk *.edu *.gov *.info *.dev "},
    ValueName{"stage", " build test lint deploy package compile publish release unit integration "},
    ValueName{"platform",
              " linux windows macos darwin win32 win_amd64 ios android manylinux* musllinux* "
              "macosx* freebsd "},
    ValueName{"python", " cp# py# pp# py2.py3 "},
    ValueName{"abi", " none abi# cp# "},
    ValueName{"source", " web-dl webrip bluray hdtv dvdrip brrip bdrip web hdrip remux "},
    ValueName{"codec", " x264 x265 h264 h265 hevc avc av1 xvid aac mp3 flac "},
    ValueName{
        "document_type",
        " invoice invoices contract contracts letter letters receipt receipts statement "
        "statements quote quotes offer order report reports memo certificate angebot rechnung "
        "vertrag bericht facture devis contrat "},
    ValueName{"provider", " aws gcp azure digitalocean hetzner ovh "},
    ValueName{"protocol", " http https tcp udp ftp sftp ssh mqtt amqp "},
    ValueName{"component",
              " vpc eks rds iam s3 ec2 lambda dns network networking compute storage "
              "database security monitoring cluster "},
    ValueName{"folder", " cur new tmp "},
    ValueName{"gender", " male female m f "},
    ValueName{"genre", " jazz rock classical pop blues metal electronic folk soul hip-hop "},
};

// Recursive, which is fine: texts have at most 64 bytes, and a pattern of the table has two signs
// at most that can take a different length.
bool fits(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  switch (pattern[0]) {
    case '*':
      for (std::size_t from = 1; from <= text.size(); ++from)
        if (fits(text.substr(from), pattern.substr(1))) return true;
      return false;
    case '#': {
      std::size_t digits = 0;
      while (digits < text.size() && is_digit(text[digits])) ++digits;
      return digits > 0 && fits(text.substr(digits), pattern.substr(1));
    }
    case '?':
      return !text.empty() && (is_digit(text[0]) || is_lower(text[0])) &&
             fits(text.substr(1), pattern.substr(1));
    default:
      return !text.empty() && text[0] == pattern[0] && fits(text.substr(1), pattern.substr(1));
  }
}

// Texts with the signs of patterns in them would match themselves by accident.
bool is_among(std::string_view text, std::string_view list) {
  if (text.empty() || text.size() > 64 || text.find_first_of(" *#?") != std::string_view::npos)
    return false;
  for (std::size_t start = 1; start < list.size();) {
    const std::size_t end = list.find(' ', start);
    const std::string_view word = list.substr(start, end - start);
    if (!word.empty() && fits(text, word)) return true;
    start = end + 1;
  }
  return false;
}

// In small letters, each once.
std::set<std::string> different_of(std::span<const std::string_view> values) {
  std::set<std::string> different;
  for (const std::string_view value : values) {
    different.insert(lower(value));
    if (different.size() > kMostAsked) break;
  }
  return different;
}

}  // namespace

// Most of the values must be words of the row: a list of what may stand there is never complete.
// The row that knows most of them wins, the first among equals.
std::optional<std::string_view> name_for_values(std::span<const std::string_view> values) {
  const std::set<std::string> asked = different_of(values);
  std::optional<std::string_view> best;
  std::size_t most = 0;
  for (const ValueName& one : kValueNames) {
    const auto known = static_cast<std::size_t>(std::ranges::count_if(
        asked, [&](const std::string& text) { return is_among(text, one.values); }));
    // All of them, or at least two and two thirds.
    const bool is_enough = known == asked.size() || (known >= 2 && known * 3 >= asked.size() * 2);
    if (!is_enough || known <= most) continue;
    most = known;
    best = one.name;
  }
  return best;
}

}  // namespace airlock::rules
