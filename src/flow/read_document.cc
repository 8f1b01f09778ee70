#include "flow/read_document.h"

#include "base/utf8.h"
#include "os/files.h"

namespace airlock::flow {

Result<Json> read_document(const std::string& file) {
  auto read =
      TRY(file == "-" ? os::read_standard_input(kMaxDocument) : os::read_file(file, kMaxDocument));
  if (read.size > kMaxDocument) return bad_request("read " + file + ": it is larger than 256 MiB");
  if (const auto bad = find_invalid_utf8(read.bytes))
    return bad_request("read " + file + ": not UTF-8 at byte " + std::to_string(*bad));
  const bool is_yaml = file.ends_with(".yaml") || file.ends_with(".yml");
  auto value = TRY(within("read " + file, is_yaml ? read_yaml(read.bytes) : read_json(read.bytes)));
  return value;
}

}  // namespace airlock::flow
