#include "engine/bulk/row_conversion.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "engine/bulk/row_parts.h"
#include "os/interrupts.h"
#include "store/row_table.h"

namespace airlock {

namespace {

// What every row has, whatever its data.
constexpr std::array<std::string_view, 4> kOwnColumns = {"path", "ok", "error_type",
                                                         "error_message"};
// An extractor that uses values as field names would make a table that nothing can open.
constexpr std::size_t kMaxColumns = 10000;

// The same open file from its beginning: by its name something else could be found by now.
Result<StdioFile> open_again(const NamedFile& named, const char* mode) {
  const int copy = ::fcntl(named.file.get(), F_DUPFD_CLOEXEC, 3);
  StdioFile file(copy < 0 ? nullptr : ::fdopen(copy, mode));
  if (!file) {
    Error error = errno_error((*mode == 'r' ? "read " : "write ") + named.name);
    if (copy >= 0) ::close(copy);
    return std::unexpected(std::move(error));
  }
  if (std::fseek(file.get(), 0, SEEK_SET) != 0) return fail_errno("read " + named.name + " again");
  return file;
}

// What getline() allocates and allocates again.
struct RowLine {
  char* text = nullptr;
  std::size_t room = 0;
  RowLine() = default;
  RowLine(const RowLine&) = delete;
  RowLine& operator=(const RowLine&) = delete;
  ~RowLine() { std::free(text); }  // NOLINT(cppcoreguidelines-no-malloc): it is getline()'s
};

// Line by line, looking for an interrupt now and then: the file may have millions.
Result<void> each_row(const NamedFile& rows,
                      const std::function<Result<void>(const RowParts&)>& visit) {
  auto file = TRY(open_again(rows, "r"));
  RowLine line;
  std::size_t number = 0;
  ssize_t length = 0;
  while ((length = ::getline(&line.text, &line.room, file.get())) > 0) {
    ++number;
    const auto parts = take_apart({line.text, static_cast<std::size_t>(length) - 1});
    if (!parts)
      return bad_request("read " + rows.name + ": line " + std::to_string(number) + " is no row");
    TRY(visit(*parts));
    if (number % 1024 == 0 && os::pending_interrupt()) return bad_request("interrupted");
  }
  if (std::ferror(file.get()) != 0) return bad_request_errno("read " + rows.name);
  return {};
}

// RFC 4180: quotes around what needs them, and doubled inside.
void append_cell(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

std::string cell_of(std::string_view value) {
  if (value.starts_with('"')) return unquote(value);
  return value == "null" ? std::string() : std::string(value);
}

// The columns of a table, in the order in which fields first appear.
class Columns {
 public:
  Result<void> add(const RowParts& row) {
    const auto add_name = [this](std::string key, std::string_view) {
      const auto [_, is_new] = places_.try_emplace(key, names_.size());
      if (is_new) names_.push_back(std::move(key));
    };
    each_member(row.data, add_name);
    if (!row.tags.empty()) add_name("tags", row.tags);
    if (names_.size() > kMaxColumns)
      return bad_request(
          "make a table of the rows: they have more than 10,000 different fields; .ndjson "
          "or .sqlite can hold them");
    return {};
  }

  std::string header() const {
    std::string line;
    for (const std::string_view own : kOwnColumns) line += std::string(own) + ",";
    for (const std::string& name : names_) {
      const bool is_taken = std::ranges::find(kOwnColumns, name) != kOwnColumns.end();
      append_cell(line, is_taken ? "data." + name : name);
      line += ',';
    }
    line.back() = '\n';
    return line;
  }

  // Every field was seen in the first pass, so places_.at() cannot fail.
  std::string line_of(const RowParts& row) const {
    std::vector<std::string> cells(names_.size());
    if (row.ok) {
      if (!row.tags.empty()) cells[places_.at("tags")] = cell_of(row.tags);
      each_member(row.data, [&](const std::string& key, std::string_view value) {
        cells[places_.at(key)] = cell_of(value);
      });
    }
    std::string line;
    append_cell(line, row.path);
    line += row.ok ? ",true," : ",false,";
    append_cell(line, row.error_type);
    line += ',';
    append_cell(line, row.error_message);
    for (const std::string& cell : cells) {
      line += ',';
      append_cell(line, cell);
    }
    return line + "\n";
  }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace

Result<void> rows_to_csv(const NamedFile& rows, const NamedFile& csv) {
  Columns columns;
  TRY(each_row(rows,
               [&](const RowParts& row) { return row.ok ? columns.add(row) : Result<void>{}; }));
  auto file = TRY(open_again(csv, "w"));
  const auto put = [&](const std::string& line) -> Result<void> {
    if (std::fwrite(line.data(), 1, line.size(), file.get()) == line.size()) return {};
    return bad_request_errno("write " + csv.name);
  };
  TRY(put(columns.header()));
  TRY(each_row(rows, [&](const RowParts& row) { return put(columns.line_of(row)); }));
  if (std::fflush(file.get()) != 0) return bad_request_errno("write " + csv.name);
  return {};
}

Result<void> rows_to_sqlite(const NamedFile& rows, const NamedFile& database, const Fd& folder,
                            const std::string& name) {
  auto table = TRY(store::RowTable::create(folder, name, database.file, database.name));
  TRY(each_row(rows, [&](const RowParts& row) {
    return table.add({row.path, row.ok, row.error_type, row.error_message, row.data, row.tags});
  }));
  return table.finish();
}

}  // namespace airlock
