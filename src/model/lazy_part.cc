#include "model/lazy_part.h"

#include <algorithm>
#include <array>

namespace airlock {

namespace {

// Without one of these a text has no bytes to decode, and encodes nothing.
constexpr std::string_view kBytes = "cod|byte|digest|hexlify|pack|b'|b\"|B'|B\"";

// A name of a codec may be written in many ways ("latin-1", "L1", "iso8859"), so `words` holds what
// all of them share. A word too many costs some start-up time; one too few makes code fail in the
// cell that works elsewhere.
constexpr std::array kParts = {
    LazyPart{"_strptime", "time", "strptime"},
    LazyPart{"_strptime", "datetime", "strptime"},
    LazyPart{"locale", "time", "strptime"},
    LazyPart{"locale", "datetime", "strptime"},
    LazyPart{"calendar", "datetime", "strptime"},
    LazyPart{"heapq", "collections", "most_common"},
    LazyPart{"copy", "", "copy"},
    LazyPart{"encodings.ascii", "", kBytes},
    LazyPart{"encodings.latin_1", "", kBytes},
    LazyPart{"encodings.utf_8", "", kBytes},
    LazyPart{"encodings.utf_8_sig", "", kBytes},
    LazyPart{"encodings.utf_16", "", kBytes},
    LazyPart{"encodings.utf_16_le", "", kBytes},
    LazyPart{"encodings.utf_16_be", "", kBytes},
    LazyPart{"encodings.utf_32", "", kBytes},
    LazyPart{"encodings.cp1252", "", kBytes},
    LazyPart{"encodings.idna", "", "idna|IDNA"},
    LazyPart{"encodings.punycode", "", "puny"},
    LazyPart{"encodings.utf_7", "", "7"},
    LazyPart{"encodings.utf_32_le", "", "32"},
    LazyPart{"encodings.utf_32_be", "", "32"},
    LazyPart{"encodings.hex_codec", "", "hex"},
    LazyPart{"encodings.base64_codec", "", "base64|base_64"},
    LazyPart{"encodings.quopri_codec", "", "quopri|quoted|QP|qp"},
    LazyPart{"encodings.rot_13", "", "rot"},
    LazyPart{"encodings.unicode_escape", "", "unicode"},
    LazyPart{"encodings.raw_unicode_escape", "", "raw"},
    LazyPart{"encodings.charmap", "", "charmap"},
    LazyPart{"encodings.cp437", "", "437"},
    LazyPart{"encodings.cp850", "", "850"},
    LazyPart{"encodings.cp866", "", "866"},
    LazyPart{"encodings.cp1250", "", "1250"},
    LazyPart{"encodings.cp1251", "", "1251"},
    LazyPart{"encodings.cp1253", "", "1253"},
    LazyPart{"encodings.cp1254", "", "1254"},
    LazyPart{"encodings.cp1255", "", "1255"},
    LazyPart{"encodings.cp1256", "", "1256"},
    LazyPart{"encodings.cp1257", "", "1257"},
    LazyPart{"encodings.cp1258", "", "1258"},
    LazyPart{"encodings.iso8859_1", "", "8859"},
    LazyPart{"encodings.iso8859_2", "", "8859|latin|Latin"},
    LazyPart{"encodings.iso8859_5", "", "8859"},
    LazyPart{"encodings.iso8859_7", "", "8859"},
    LazyPart{"encodings.iso8859_9", "", "8859|latin|Latin"},
    LazyPart{"encodings.iso8859_15", "", "8859|latin|Latin"},
    LazyPart{"encodings.koi8_r", "", "koi|KOI"},
    LazyPart{"encodings.koi8_u", "", "koi|KOI"},
    LazyPart{"encodings.mac_roman", "", "mac|Mac"},
    LazyPart{"encodings.shift_jis", "", "jis|JIS"},
    LazyPart{"encodings.euc_jp", "", "euc|EUC"},
    LazyPart{"encodings.cp932", "", "932"},
    LazyPart{"encodings.gbk", "", "gbk|GBK|936"},
    LazyPart{"encodings.gb2312", "", "gb2312|GB2312"},
    LazyPart{"encodings.gb18030", "", "gb18030|GB18030"},
    LazyPart{"encodings.big5", "", "big5|Big5|BIG5"},
    LazyPart{"encodings.euc_kr", "", "euc|EUC"},
    LazyPart{"encodings.cp949", "", "949"},
    LazyPart{"quopri", "", "quopri|quoted"},
};

}  // namespace

std::span<const LazyPart> lazy_parts() {
  return kParts;
}

bool may_need(const LazyPart& part, std::string_view text) {
  for (std::string_view words = part.words; !words.empty();) {
    const std::size_t end = std::min(words.find('|'), words.size());
    if (text.find(words.substr(0, end)) != std::string_view::npos) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace airlock
