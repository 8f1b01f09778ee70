#include "rules/infer/conventions.h"

#include <re2/re2.h>

#include <algorithm>
#include <memory>

namespace airlock::rules {

namespace {

// Each row: title, what a whole name must match, the glob that a rule gets, and the fields. A row
// stands before those that would match its names too. A field that some names lack (a band, a date)
// is left out by the caller.
//
// A function, not a constant: the table is built when somebody infers, and never at start.
const std::vector<Convention>& all_conventions() {
  static const std::vector<Convention> kAll = {
      {"Sentinel-2 product",
       R"(S2[A-D]_MSIL\d\w_\d{8}T\d{6}_N\d{4}_R\d{3}_T\w{5}_\d{8}T\d{6}(\.\w+)?)",
       "S2?_MSIL*",
       {{"satellite", "^(S2[A-D])_", "string", ""},
        {"level", "_MSI(L\\d\\w)_", "string", ""},
        {"sensing_time", "^\\w+_MSIL\\d\\w_(\\d{8}T\\d{6})_", "datetime", ""},
        {"baseline", "_N(\\d{4})_", "string", ""},
        {"relative_orbit", "_R(\\d{3})_", "integer", ""},
        {"tile", "_T(\\w{5})_", "string", ""},
        {"generation_time", "_(\\d{8}T\\d{6})(?:\\.|$)", "datetime", ""}}},
      {"Sentinel-2 band image",
       R"(T\d{2}[A-Z]{3}_\d{8}T\d{6}_\w{3}(_\d{2}m)?\.\w+)",
       "T*_*_*",
       {{"tile", "^T(\\w{5})_", "string", ""},
        {"sensing_time", "_(\\d{8}T\\d{6})_", "datetime", ""},
        {"band", "^\\w+T\\d{6}_(\\w{3})", "string", ""}}},
      {"Sentinel-1 product",
       R"(S1[A-D]_\w{2}_\w{4}_\d\w{3}_\d{8}T\d{6}_\d{8}T\d{6}_\d{6}_[0-9A-Fa-f]{6}_[0-9A-Za-z]{4}(\.\w+)?)",
       "S1?_*",
       {{"satellite", "^(S1[A-D])_", "string", ""},
        {"mode", "^S1._(\\w{2})_", "string", ""},
        {"product_type", "^S1._\\w{2}_(\\w{4})_", "string", ""},
        {"polarisation", "^S1._\\w{7}_\\d\\w(\\w{2})_", "string", ""},
        {"start_time", "_(\\d{8}T\\d{6})_\\d{8}T", "datetime", ""},
        {"stop_time", "_\\d{8}T\\d{6}_(\\d{8}T\\d{6})_", "datetime", ""},
        {"orbit", "T\\d{6}_(\\d{6})_", "integer", ""},
        {"data_take", "T\\d{6}_\\d{6}_(\\w{6})_", "string", ""},
        {"product_id", "_(\\w{4})(?:\\.|$)", "string", ""}}},
      {"Landsat product",
       R"(L[COTEM]0\d_L\d[A-Z]{2}_\d{6}_\d{8}_\d{8}_\d{2}_(T1|T2|RT)([_.].*)?)",
       "L?0?_L???_*_*_*_*_*",
       {{"sensor", "^(L[COTEM]0\\d)_", "string", ""},
        {"level", "^\\w{4}_(L\\d\\w\\w)_", "string", ""},
        {"path", "^\\w{4}_\\w{4}_(\\d{3})\\d{3}_", "integer", ""},
        {"row", "^\\w{4}_\\w{4}_\\d{3}(\\d{3})_", "integer", ""},
        {"acquisition_date", "_\\d{6}_(\\d{8})_", "date", ""},
        {"processing_date", "_\\d{8}_(\\d{8})_", "date", ""},
        {"collection", "_(\\d{2})_(?:T1|T2|RT)", "integer", ""},
        {"tier", "_\\d{2}_(T1|T2|RT)", "string", ""},
        {"band", "_(B\\d{1,2}|QA_\\w+|ST_\\w+)\\.", "string", ""}}},
      {"MODIS product",
       R"([A-Z0-9]+\.A\d{7}\.h\d{2}v\d{2}\.\d{3}\.\d{13}\.\w+)",
       "*.A???????.h??v??.*.*.*",
       {{"product", "^([A-Z0-9]+)\\.A", "string", ""},
        {"date", "\\.A(\\d{7})\\.", "date", "ordinal"},
        {"horizontal_tile", "\\.h(\\d{2})v", "integer", ""},
        {"vertical_tile", "\\.h\\d{2}v(\\d{2})\\.", "integer", ""},
        {"collection", "\\.h\\d{2}v\\d{2}\\.(\\d{3})\\.", "string", ""},
        {"production_time", "\\.(\\d{13})\\.", "datetime", "%Y%j%H%M%S"}}},
      {"GFS forecast",
       R"((gfs|gdas)\.t\d{2}z\.pgrb2\w*\.\w+\.f\d{3}(\.\w+)?)",
       "*.t??z.pgrb2*.*.f???*",
       {{"model", "^(\\w+)\\.t", "string", ""},
        {"cycle", "\\.t(\\d{2})z\\.", "integer", ""},
        {"resolution", "\\.pgrb2\\w*\\.(\\w+)\\.f", "string", ""},
        {"forecast_hour", "\\.f(\\d{3})", "integer", ""}}},
      {"Debian package",
       R"([a-z0-9][a-z0-9+.-]*_[0-9][A-Za-z0-9.+~:-]*_[a-z0-9-]+\.u?deb)",
       "*_*_*.*deb",
       {{"package", "^([^_]+)_", "string", ""},
        {"version", "_([^_]+)_", "string", ""},
        {"architecture", "_([^_]+)\\.u?deb$", "string", ""}}},
      {"Kubernetes pod folder",
       R"([a-z0-9-]+_[a-z0-9.-]+_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})",
       "*_*_*",
       {{"namespace", "^([^_]+)_", "string", ""},
        {"pod", "^[^_]+_([^_]+)_", "string", ""},
        {"pod_uid", "_([0-9a-f-]{36})$", "uuid", ""}}},
      {"Kubernetes container log",
       R"([a-z0-9.-]+_[a-z0-9-]+_[a-z0-9-]+-[0-9a-f]{64}\.log)",
       "*_*_*-*.log",
       {{"pod", "^([^_]+)_", "string", ""},
        {"namespace", "^[^_]+_([^_]+)_", "string", ""},
        {"container", "^[^_]+_[^_]+_(.+)-[0-9a-f]{64}", "string", ""},
        {"container_id", "-([0-9a-f]{64})\\.log$", "string", ""}}},
      {"Illumina reads",
       R"([^_]+(_[^_]+)*_S\d+_L\d{3}_[RI]\d_\d{3}\.(fastq|fq)(\.gz)?)",
       "*_S*_L???_??_*.f*q*",
       {{"sample", "^(.+)_S\\d+_L", "string", ""},
        {"sample_number", "_S(\\d+)_L", "integer", ""},
        {"lane", "_L(\\d{3})_", "integer", ""},
        {"read", "_L\\d{3}_([RI]\\d)_", "string", ""}}},
      {"paired reads",
       R"([A-Za-z0-9.-]+_(R?[12])\.(fastq|fq)(\.gz)?)",
       "*_*.f*q*",
       {{"sample", "^([^_]+)_R?[12]\\.", "string", ""}, {"read", "_R?([12])\\.", "integer", ""}}},
      {"camera folder",
       R"(\d{3}[A-Z_][A-Z0-9_]{4})",
       "???*",
       {{"folder_number", "^(\\d{3})", "integer", ""},
        {"camera", "^\\d{3}([A-Z_]\\w{4})$", "string", ""}}},
      {"Spark part file",
       R"(part-\d{5}(-[0-9a-f-]{36})?(-c\d{3})?(\.c\d{3})?(\.[a-z]+)+)",
       "part-*",
       {{"part", "^part-(\\d+)", "integer", ""}}},
      {"Load balancer log",
       R"(\d{12}_elasticloadbalancing_[a-z0-9-]+_[^_]+_\d{8}T\d{4}Z_[0-9.]+_\w+\.log(\.gz)?)",
       "*_elasticloadbalancing_*",
       {{"account_id", "^(\\d{12})_", "string", ""},
        {"region", "_elasticloadbalancing_([^_]+)_", "string", ""},
        {"load_balancer", "_elasticloadbalancing_[^_]+_([^_]+)_", "string", ""},
        {"timestamp", "_(\\d{8}T\\d{4}Z)_", "datetime", ""},
        {"ip_address", "Z_([0-9.]+)_", "string", ""}}},
      {"CloudTrail log",
       R"(\d{12}_CloudTrail(-Digest)?_[a-z0-9-]+_\d{8}T\d{4}Z_\w+\.json(\.gz)?)",
       "*_CloudTrail*_*_*_*.json*",
       {{"account_id", "^(\\d{12})_", "string", ""},
        {"region", "_CloudTrail(?:-Digest)?_([^_]+)_", "string", ""},
        {"timestamp", "_(\\d{8}T\\d{4}Z)_", "datetime", ""}}},
      {"S3 access log",
       R"(\d{4}-\d{2}-\d{2}-\d{2}-\d{2}-\d{2}-[0-9A-F]{16})",
       "???\?-?\?-?\?-?\?-?\?-?\?-*",
       {{"timestamp", "^(\\d{4}-\\d{2}-\\d{2}-\\d{2}-\\d{2}-\\d{2})-", "datetime",
         "%Y-%m-%d-%H-%M-%S"},
        {"request_id", "-([0-9A-F]{16})$", "string", ""}}},
      {"HL7 message",
       R"((ADT|ORU|ORM|SIU|MDM|DFT|BAR|VXU|OML|MFN|RDE|ACK)[_-][A-Z]\d{2}[_-]\w+\.\w+)",
       "*[_-]*[_-]*",
       {{"message_type", "^([A-Z]{3})[_-]", "string", ""},
        {"trigger_event", "^[A-Z]{3}[_-]([A-Z]\\d{2})[_-]", "string", ""},
        {"message_id", "^[A-Z]{3}[_-][A-Z]\\d{2}[_-](\\w+)\\.", "", ""}}},
      {"FIX session log",
       R"(FIXT?\.\d\.\d-[A-Za-z0-9]+-[A-Za-z0-9]+([._-][A-Za-z0-9]+)*)",
       "FIX*-*-*",
       {{"begin_string", "^(FIXT?\\.\\d\\.\\d)-", "string", ""},
        {"sender", "^FIXT?\\.\\d\\.\\d-([^-]+)-", "string", ""},
        {"target", "^FIXT?\\.\\d\\.\\d-[^-]+-([A-Za-z0-9]+)", "string", ""},
        {"date", "[._-](\\d{8})(?:[._-]|$)", "date", ""}}},
      {"phone photo",
       R"((IMG|VID|PXL|PANO)_\d{8}_\d{6}\w*\.\w+)",
       "*_????????_*",
       {{"kind", "^([A-Z]+)_", "string", ""},
        {"timestamp", "^[A-Z]+_(\\d{8}_\\d{6})", "datetime", "%Y%m%d_%H%M%S"}}},
  };
  return kAll;
}

// Compiled once: a position is compared with all of them, and there are many positions.
struct Compiled {
  const Convention* convention;
  std::unique_ptr<const re2::RE2> whole;
};

const std::vector<Compiled>& all_compiled() {
  static const std::vector<Compiled> kCompiled = [] {
    std::vector<Compiled> list;
    for (const Convention& one : all_conventions()) {
      const re2::StringPiece text(one.whole.data(), one.whole.size());
      list.push_back({&one, std::make_unique<const re2::RE2>(text)});
    }
    return list;
  }();
  return kCompiled;
}

}  // namespace

const Convention* find_convention(std::span<const std::string_view> segments) {
  for (const Compiled& one : all_compiled()) {
    if (std::ranges::all_of(segments, [&](std::string_view segment) {
          // All of them or none: one name that does not follow the convention and it is no
          // convention.
          return re2::RE2::FullMatch({segment.data(), segment.size()}, *one.whole);
        }))
      return one.convention;
  }
  return nullptr;
}

}  // namespace airlock::rules
