// What a browser sends to the review page, and what becomes of texts in it: any bytes, no crash;
// what is read as a form is the same form when it is written again, and no text opens a tag or ends
// an attribute.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "present/page/form.h"
#include "present/page/html.h"
#include "require.h"

namespace {

using airlock::fuzz::require;
namespace page = airlock::page;

std::string written(const page::Fields& fields) {
  std::string text;
  for (const auto& [name, value] : fields)
    text += page::url_part(name) + "=" + page::url_part(value) + "&";
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto fields = page::read_form(text)) {
    require(fields->size() <= page::kMostFields);
    const std::string again = written(*fields);
    if (again.size() <= page::kMostFormBytes) {
      const auto second = page::read_form(again);
      require(second.has_value() && second->size() == fields->size());
    }
  }
  const std::string_view cookie = page::cookie_of(text, "airlock");
  require(!cookie.contains(';'));
  const std::string spelt = page::escape(text, page::Odd::kSpelt);
  require(spelt.find_first_of("<>\"'\n\r\t") == std::string::npos && !spelt.contains('\0'));
  require(!airlock::find_invalid_utf8(spelt));
  // With its marks: our one tag, opened and closed.
  std::string marked = page::escape(text, page::Odd::kMarked);
  for (const std::string_view ours : {"<b class=\"odd\">", "</b>"}) {
    for (std::size_t at = marked.find(ours); at != std::string::npos; at = marked.find(ours, at))
      marked.erase(at, ours.size());
  }
  require(marked == spelt);
  return 0;
}
