// Two tables. Scripts: ranges of one script, joined over what is unassigned, no letter, or of no
// script between them. Look-alikes: for each shape, the letters that have it; the first string is
// the one that stands for all of them. Of Unicode's confusables these are the part that matters for
// names in code: everything that looks like an ASCII letter or digit, whatever its script, and what
// looks alike among Latin, Greek, Cyrillic, Armenian, Coptic and the Japanese scripts.
#include "base/lookalikes.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "base/utf8.h"

namespace airlock {

namespace {

struct Range {
  char32_t first;
  char32_t last;
  std::string_view script;
};

constexpr std::array kScripts = {
    Range{0x00AA, 0x02E4, "Latin"},
    Range{0x0370, 0x03E1, "Greek"},
    Range{0x03E2, 0x03EF, "Coptic"},
    Range{0x03F0, 0x03FF, "Greek"},
    Range{0x0400, 0x052F, "Cyrillic"},
    Range{0x0531, 0x0588, "Armenian"},
    Range{0x0591, 0x05F2, "Hebrew"},
    Range{0x0610, 0x06FF, "Arabic"},
    Range{0x0710, 0x074F, "Syriac"},
    Range{0x0750, 0x077F, "Arabic"},
    Range{0x0780, 0x07B1, "Thaana"},
    Range{0x07C0, 0x07FD, "Nko"},
    Range{0x0800, 0x082D, "Samaritan"},
    Range{0x0840, 0x085B, "Mandaic"},
    Range{0x0860, 0x086A, "Syriac"},
    Range{0x0870, 0x08FF, "Arabic"},
    Range{0x0900, 0x097F, "Devanagari"},
    Range{0x0980, 0x09FE, "Bengali"},
    Range{0x0A01, 0x0A75, "Gurmukhi"},
    Range{0x0A81, 0x0AFF, "Gujarati"},
    Range{0x0B01, 0x0B71, "Oriya"},
    Range{0x0B82, 0x0BEF, "Tamil"},
    Range{0x0C00, 0x0C6F, "Telugu"},
    Range{0x0C80, 0x0CF2, "Kannada"},
    Range{0x0D00, 0x0D7F, "Malayalam"},
    Range{0x0D81, 0x0DF3, "Sinhala"},
    Range{0x0E01, 0x0E59, "Thai"},
    Range{0x0E81, 0x0EDF, "Lao"},
    Range{0x0F00, 0x0FC6, "Tibetan"},
    Range{0x1000, 0x109D, "Myanmar"},
    Range{0x10A0, 0x10FF, "Georgian"},
    Range{0x1100, 0x11FF, "Hangul"},
    Range{0x1200, 0x138F, "Ethiopic"},
    Range{0x13A0, 0x13FD, "Cherokee"},
    Range{0x1401, 0x167F, "Canadian aboriginal"},
    Range{0x1681, 0x169A, "Ogham"},
    Range{0x16A0, 0x16F8, "Runic"},
    Range{0x1700, 0x171F, "Tagalog"},
    Range{0x1720, 0x1734, "Hanunoo"},
    Range{0x1740, 0x1753, "Buhid"},
    Range{0x1760, 0x1773, "Tagbanwa"},
    Range{0x1780, 0x17E9, "Khmer"},
    Range{0x180B, 0x18AA, "Mongolian"},
    Range{0x18B0, 0x18F5, "Canadian aboriginal"},
    Range{0x1900, 0x194F, "Limbu"},
    Range{0x1950, 0x1974, "Tai le"},
    Range{0x1980, 0x19DA, "New tai lue"},
    Range{0x1A00, 0x1A1B, "Buginese"},
    Range{0x1A20, 0x1AA7, "Tai tham"},
    Range{0x1B00, 0x1B73, "Balinese"},
    Range{0x1B80, 0x1BBF, "Sundanese"},
    Range{0x1BC0, 0x1BF3, "Batak"},
    Range{0x1C00, 0x1C4F, "Lepcha"},
    Range{0x1C50, 0x1C7D, "Ol chiki"},
    Range{0x1C80, 0x1C88, "Cyrillic"},
    Range{0x1C90, 0x1CBF, "Georgian"},
    Range{0x1D00, 0x1D25, "Latin"},
    Range{0x1D26, 0x1D2A, "Greek"},
    Range{0x1D2B, 0x1D2B, "Cyrillic"},
    Range{0x1D2C, 0x1D5C, "Latin"},
    Range{0x1D5D, 0x1D61, "Greek"},
    Range{0x1D62, 0x1D65, "Latin"},
    Range{0x1D66, 0x1D6A, "Greek"},
    Range{0x1D6B, 0x1D77, "Latin"},
    Range{0x1D78, 0x1D78, "Cyrillic"},
    Range{0x1D79, 0x1DBE, "Latin"},
    Range{0x1DBF, 0x1DBF, "Greek"},
    Range{0x1E00, 0x1EFF, "Latin"},
    Range{0x1F00, 0x1FFC, "Greek"},
    Range{0x2071, 0x209C, "Latin"},
    Range{0x2126, 0x2126, "Greek"},
    Range{0x212A, 0x2188, "Latin"},
    Range{0x2C00, 0x2C5F, "Glagolitic"},
    Range{0x2C60, 0x2C7F, "Latin"},
    Range{0x2C80, 0x2CF3, "Coptic"},
    Range{0x2D00, 0x2D2D, "Georgian"},
    Range{0x2D30, 0x2D7F, "Tifinagh"},
    Range{0x2D80, 0x2DDE, "Ethiopic"},
    Range{0x2DE0, 0x2DFF, "Cyrillic"},
    Range{0x3005, 0x3029, "Han"},
    Range{0x302E, 0x302F, "Hangul"},
    Range{0x3038, 0x303B, "Han"},
    Range{0x3041, 0x309F, "Hiragana"},
    Range{0x30A1, 0x30FF, "Katakana"},
    Range{0x3105, 0x312F, "Bopomofo"},
    Range{0x3131, 0x318E, "Hangul"},
    Range{0x31A0, 0x31BF, "Bopomofo"},
    Range{0x31F0, 0x31FF, "Katakana"},
    Range{0x3400, 0x9FFF, "Han"},
    Range{0xA000, 0xA48C, "Yi"},
    Range{0xA4D0, 0xA4FD, "Lisu"},
    Range{0xA500, 0xA62B, "Vai"},
    Range{0xA640, 0xA69F, "Cyrillic"},
    Range{0xA6A0, 0xA6F1, "Bamum"},
    Range{0xA722, 0xA7FF, "Latin"},
    Range{0xA800, 0xA82C, "Syloti nagri"},
    Range{0xA840, 0xA873, "Phags pa"},
    Range{0xA880, 0xA8D9, "Saurashtra"},
    Range{0xA8E0, 0xA8FF, "Devanagari"},
    Range{0xA900, 0xA92D, "Kayah li"},
    Range{0xA930, 0xA953, "Rejang"},
    Range{0xA960, 0xA97C, "Hangul"},
    Range{0xA980, 0xA9D9, "Javanese"},
    Range{0xA9E0, 0xA9FE, "Myanmar"},
    Range{0xAA00, 0xAA59, "Cham"},
    Range{0xAA60, 0xAA7F, "Myanmar"},
    Range{0xAA80, 0xAADD, "Tai viet"},
    Range{0xAAE0, 0xAAF6, "Meetei mayek"},
    Range{0xAB01, 0xAB2E, "Ethiopic"},
    Range{0xAB30, 0xAB64, "Latin"},
    Range{0xAB65, 0xAB65, "Greek"},
    Range{0xAB66, 0xAB69, "Latin"},
    Range{0xAB70, 0xABBF, "Cherokee"},
    Range{0xABC0, 0xABF9, "Meetei mayek"},
    Range{0xAC00, 0xD7FB, "Hangul"},
    Range{0xF900, 0xFAD9, "Han"},
    Range{0xFB00, 0xFB06, "Latin"},
    Range{0xFB13, 0xFB17, "Armenian"},
    Range{0xFB1D, 0xFB4F, "Hebrew"},
    Range{0xFB50, 0xFDF9, "Arabic"},
    Range{0xFE2E, 0xFE2F, "Cyrillic"},
    Range{0xFE71, 0xFEFC, "Arabic"},
    Range{0xFF21, 0xFF5A, "Latin"},
    Range{0xFF66, 0xFF9D, "Katakana"},
    Range{0xFFA0, 0xFFDC, "Hangul"},
    Range{0x10000, 0x100FA, "Linear b"},
    Range{0x10140, 0x10174, "Greek"},
    Range{0x10280, 0x1029C, "Lycian"},
    Range{0x102A0, 0x102D0, "Carian"},
    Range{0x10300, 0x1032F, "Old italic"},
    Range{0x10330, 0x1034A, "Gothic"},
    Range{0x10350, 0x1037A, "Old permic"},
    Range{0x10380, 0x1039D, "Ugaritic"},
    Range{0x103A0, 0x103D5, "Old persian"},
    Range{0x10400, 0x1044F, "Deseret"},
    Range{0x10450, 0x1047F, "Shavian"},
    Range{0x10480, 0x104A9, "Osmanya"},
    Range{0x104B0, 0x104FB, "Osage"},
    Range{0x10500, 0x10527, "Elbasan"},
    Range{0x10530, 0x10563, "Caucasian albanian"},
    Range{0x10570, 0x105BC, "Vithkuqi"},
    Range{0x10600, 0x10767, "Linear a"},
    Range{0x10780, 0x107BA, "Latin"},
    Range{0x10800, 0x1083F, "Cypriot"},
    Range{0x10840, 0x10855, "Imperial aramaic"},
    Range{0x10860, 0x10876, "Palmyrene"},
    Range{0x10880, 0x1089E, "Nabataean"},
    Range{0x108E0, 0x108F5, "Hatran"},
    Range{0x10900, 0x10915, "Phoenician"},
    Range{0x10920, 0x10939, "Lydian"},
    Range{0x10980, 0x1099F, "Meroitic hieroglyphs"},
    Range{0x109A0, 0x109BF, "Meroitic cursive"},
    Range{0x10A00, 0x10A3F, "Kharoshthi"},
    Range{0x10A60, 0x10A7C, "Old south arabian"},
    Range{0x10A80, 0x10A9C, "Old north arabian"},
    Range{0x10AC0, 0x10AE6, "Manichaean"},
    Range{0x10B00, 0x10B35, "Avestan"},
    Range{0x10B40, 0x10B55, "Inscriptional parthian"},
    Range{0x10B60, 0x10B72, "Inscriptional pahlavi"},
    Range{0x10B80, 0x10B91, "Psalter pahlavi"},
    Range{0x10C00, 0x10C48, "Old turkic"},
    Range{0x10C80, 0x10CF2, "Old hungarian"},
    Range{0x10D00, 0x10D39, "Hanifi rohingya"},
    Range{0x10E80, 0x10EB1, "Yezidi"},
    Range{0x10F00, 0x10F27, "Old sogdian"},
    Range{0x10F30, 0x10F50, "Sogdian"},
    Range{0x10F70, 0x10F85, "Old uyghur"},
    Range{0x10FB0, 0x10FC4, "Chorasmian"},
    Range{0x10FE0, 0x10FF6, "Elymaic"},
    Range{0x11000, 0x1107F, "Brahmi"},
    Range{0x11080, 0x110C2, "Kaithi"},
    Range{0x110D0, 0x110F9, "Sora sompeng"},
    Range{0x11100, 0x11147, "Chakma"},
    Range{0x11150, 0x11176, "Mahajani"},
    Range{0x11180, 0x111DC, "Sharada"},
    Range{0x11200, 0x1123E, "Khojki"},
    Range{0x11280, 0x112A8, "Multani"},
    Range{0x112B0, 0x112F9, "Khudawadi"},
    Range{0x11300, 0x11374, "Grantha"},
    Range{0x11400, 0x11461, "Newa"},
    Range{0x11480, 0x114D9, "Tirhuta"},
    Range{0x11580, 0x115DD, "Siddham"},
    Range{0x11600, 0x11659, "Modi"},
    Range{0x11680, 0x116C9, "Takri"},
    Range{0x11700, 0x11746, "Ahom"},
    Range{0x11800, 0x1183A, "Dogra"},
    Range{0x118A0, 0x118FF, "Warang citi"},
    Range{0x11900, 0x11959, "Dives akuru"},
    Range{0x119A0, 0x119E4, "Nandinagari"},
    Range{0x11A00, 0x11A47, "Zanabazar square"},
    Range{0x11A50, 0x11A9D, "Soyombo"},
    Range{0x11AB0, 0x11ABF, "Canadian aboriginal"},
    Range{0x11AC0, 0x11AF8, "Pau cin hau"},
    Range{0x11C00, 0x11C59, "Bhaiksuki"},
    Range{0x11C72, 0x11CB6, "Marchen"},
    Range{0x11D00, 0x11D59, "Masaram gondi"},
    Range{0x11D60, 0x11DA9, "Gunjala gondi"},
    Range{0x11EE0, 0x11EF6, "Makasar"},
    Range{0x11FB0, 0x11FB0, "Lisu"},
    Range{0x12000, 0x12543, "Cuneiform"},
    Range{0x12F90, 0x12FF0, "Cypro minoan"},
    Range{0x13000, 0x1342E, "Egyptian hieroglyphs"},
    Range{0x14400, 0x14646, "Anatolian hieroglyphs"},
    Range{0x16800, 0x16A38, "Bamum"},
    Range{0x16A40, 0x16A69, "Mro"},
    Range{0x16A70, 0x16AC9, "Tangsa"},
    Range{0x16AD0, 0x16AF4, "Bassa vah"},
    Range{0x16B00, 0x16B8F, "Pahawh hmong"},
    Range{0x16E40, 0x16E7F, "Medefaidrin"},
    Range{0x16F00, 0x16F9F, "Miao"},
    Range{0x16FE0, 0x16FE0, "Tangut"},
    Range{0x16FE1, 0x16FE1, "Nushu"},
    Range{0x16FE3, 0x16FE3, "Han"},
    Range{0x16FE4, 0x16FE4, "Khitan small script"},
    Range{0x16FF0, 0x16FF1, "Han"},
    Range{0x17000, 0x18AFF, "Tangut"},
    Range{0x18B00, 0x18CD5, "Khitan small script"},
    Range{0x18D00, 0x18D08, "Tangut"},
    Range{0x1AFF0, 0x1B000, "Katakana"},
    Range{0x1B001, 0x1B11F, "Hiragana"},
    Range{0x1B120, 0x1B122, "Katakana"},
    Range{0x1B150, 0x1B152, "Hiragana"},
    Range{0x1B164, 0x1B167, "Katakana"},
    Range{0x1B170, 0x1B2FB, "Nushu"},
    Range{0x1BC00, 0x1BC9E, "Duployan"},
    Range{0x1D242, 0x1D244, "Greek"},
    Range{0x1DA00, 0x1DAAF, "SignWriting"},
    Range{0x1DF00, 0x1DF1E, "Latin"},
    Range{0x1E000, 0x1E02A, "Glagolitic"},
    Range{0x1E100, 0x1E14E, "Nyiakeng puachue hmong"},
    Range{0x1E290, 0x1E2AE, "Toto"},
    Range{0x1E2C0, 0x1E2F9, "Wancho"},
    Range{0x1E7E0, 0x1E7FE, "Ethiopic"},
    Range{0x1E800, 0x1E8D6, "Mende kikakui"},
    Range{0x1E900, 0x1E959, "Adlam"},
    Range{0x1EE00, 0x1EEBB, "Arabic"},
    Range{0x20000, 0x3134A, "Han"},
};
static_assert(std::ranges::is_sorted(kScripts, {}, &Range::first));

// `shape` is what all of `letters` are replaced with; it may have several letters ("rn" for m).
// ASCII is not exempt: 0 and O, 1 and l have the same shape.
struct LookalikeGroup {
  std::u32string_view shape;
  std::u32string_view letters;
};

constexpr std::array kGroups = {
    LookalikeGroup{U"O", U"0"},
    LookalikeGroup{U"l", U"1I"},
    LookalikeGroup{U"rn", U"m"},
    LookalikeGroup{U"2", U"\u01a7\u03e8\u14bf\ua644\ua6ef\ua75a"},
    LookalikeGroup{
        U"3",
        U"\u01b7\u021c\u0417\u04e0\u0969\u0ae9\u2c9c\u2cc4\u2ccc\ua76a\ua7ab\U000118ca\U00016f3b"},
    LookalikeGroup{U"4", U"\u13ce\U000118af"},
    LookalikeGroup{U"5", U"\u01bc\U000118bb"},
    LookalikeGroup{U"6", U"\u03ec\u0431\u13ee\u2cd2\u2cd3\u2cdc\U000118d5"},
    LookalikeGroup{U"7", U"\U000104d2\U000118c6"},
    LookalikeGroup{U"8", U"\u0222\u0223\u09ea\u0a6a\u0b03\U0001031a"},
    LookalikeGroup{U"9",
                   U"\u09ed\u0a67\u0b68\u0d6d\u2cca\u2ccb\ua76e\U000118ac\U000118cc\U000118d6"},
    LookalikeGroup{U"A", U"\u0391\u0410\u13aa\u15c5\ua4ee\U000102a0\U00016f40"},
    LookalikeGroup{U"AA", U"\ua732"},
    LookalikeGroup{U"AE", U"\u00c6\u04d4"},
    LookalikeGroup{U"AO", U"\ua734"},
    LookalikeGroup{U"AU", U"\ua736"},
    LookalikeGroup{U"AV", U"\ua738\ua73a"},
    LookalikeGroup{U"AY", U"\ua73c"},
    LookalikeGroup{U"B",
                   U"\u0392\u0412\u13f4\u15f7\u2c82\ua4d0\ua7b4\U00010282\U000102a1\U00010301"},
    LookalikeGroup{U"C",
                   U"\u0421\u13df\u2ca4\ua4da\U000102a2\U00010302\U00010415\U0001051c\U000118e9"},
    LookalikeGroup{U"D", U"\u13a0\u15de\u15ea\ua4d3"},
    LookalikeGroup{U"E", U"\u0395\u0415\u13ac\u2d39\ua4f0\U00010286\U000118a6\U000118ae"},
    LookalikeGroup{U"F",
                   U"\u03dc\u15b4\ua4dd\ua798\U00010287\U000102a5\U00010525\U000118a2\U000118c2"},
    LookalikeGroup{U"G", U"\u050c\u13c0\u13f3\ua4d6"},
    LookalikeGroup{U"H", U"\u0397\u041d\u13bb\u157c\u2c8e\ua4e7\U000102cf"},
    LookalikeGroup{U"J", U"\u037f\u0408\u13ab\u148d\ua4d9\ua7b2"},
    LookalikeGroup{U"K", U"\u039a\u041a\u13e6\u16d5\u2c94\ua4d7\U00010518"},
    LookalikeGroup{U"L",
                   U"\u13de\u14aa\u2cd0\ua4e1\U0001041b\U00010526\U000118a3\U000118b2\U00016f16"},
    LookalikeGroup{U"M", U"\u039c\u03fa\u041c\u13b7\u15f0\u16d6\u2c98\ua4df\U000102b0\U00010311"},
    LookalikeGroup{U"N", U"\u039d\u2c9a\ua4e0\U00010513"},
    LookalikeGroup{
        U"O",
        U"\u039f\u041e\u0555\u07c0\u0b20\u0ce6\u12d0\u2c9e\u2d54\u3007\ua4f3\U00010292\U000102ab"
        U"\U00010404\U000104c2\U00010516\U000118b5\U000118e0"},
    LookalikeGroup{U"OE", U"\u0152"},
    LookalikeGroup{U"OO", U"\ua698\ua74e"},
    LookalikeGroup{U"P", U"\u03a1\u0420\u13e2\u146d\u2ca2\u2cce\ua4d1\U00010295"},
    LookalikeGroup{U"Q", U"\u2d55"},
    LookalikeGroup{U"R", U"\u01a6\u13a1\u13d2\u1587\ua4e3\U000104b4\U00016f35"},
    LookalikeGroup{U"S", U"\u0405\u054f\u13d5\u13da\ua4e2\U00010296\U00010420\U00016f3a"},
    LookalikeGroup{
        U"T", U"\u03a4\u0422\u13a2\u2ca6\ua4d4\U00010297\U000102b1\U00010315\U000118bc\U00016f0a"},
    LookalikeGroup{U"T3", U"\ua728"},
    LookalikeGroup{U"U", U"\u054d\u1200\u144c\ua4f4\U000104ce\U000118b8\U00016f42"},
    LookalikeGroup{
        U"V", U"\u0474\u0667\u06f7\u13d9\u142f\u2d38\ua4e6\ua6df\U0001051d\U000118a0\U00016f08"},
    LookalikeGroup{U"W", U"\u051c\u13b3\u13d4\ua4ea\U000118e6"},
    LookalikeGroup{
        U"X",
        U"\u03a7\u0425\u16b7\u2cac\u2d5d\ua4eb\ua7b3\U00010290\U000102b4\U00010317\U00010527"},
    LookalikeGroup{U"Y",
                   U"\u03a5\u0423\u04ae\u13a9\u13bd\u2ca8\ua4ec\U000102b2\U000118a4\U00016f43"},
    LookalikeGroup{U"Z", U"\u0396\u13c3\ua4dc\U000118a9\U000118e5"},
    LookalikeGroup{U"_", U"\u07fa"},
    LookalikeGroup{U"a", U"\u0251\u03b1\u0430"},
    LookalikeGroup{U"aa", U"\ua733"},
    LookalikeGroup{U"ae", U"\u00e6\u04d5"},
    LookalikeGroup{U"ao", U"\ua735"},
    LookalikeGroup{U"au", U"\ua737"},
    LookalikeGroup{U"av", U"\ua739\ua73b"},
    LookalikeGroup{U"ay", U"\ua73d"},
    LookalikeGroup{U"b", U"\u0184\u042c\u13cf\u1472\u15af"},
    LookalikeGroup{U"bl", U"\u042b"},
    LookalikeGroup{U"c", U"\u0441\u1004\u105a\u1d04\u2ca5\uabaf\U0001043d"},
    LookalikeGroup{U"d", U"\u0501\u13e7\u146f\ua4d2"},
    LookalikeGroup{U"dz", U"\u02a3"},
    LookalikeGroup{U"e", U"\u0435\u04bd\u212e\uab32"},
    LookalikeGroup{U"f", U"\u0192\u0584\u1e9d\ua799\uab35"},
    LookalikeGroup{U"g", U"\u018d\u0261\u0581\u1d83"},
    LookalikeGroup{U"h", U"\u04bb\u0570\u13c2"},
    LookalikeGroup{U"i", U"\u0131\u0269\u026a\u03b9\u0456\u0582\u13a5\u2c93\ua647\uab75\U000118c3"},
    LookalikeGroup{U"j", U"\u03f3\u0458"},
    LookalikeGroup{
        U"l",
        U"\u0196\u01c0\u0399\u0406\u04c0\u04cf\u05d5\u05df\u0627\u0661\u06f1\u07ca\u16c1\u2c92"
        U"\u2d4f\ua4f2\U0001028a\U00010309\U00016f28"},
    LookalikeGroup{U"lO", U"\u042e"},
    LookalikeGroup{U"ll", U"\u01c1\u05f0"},
    LookalikeGroup{U"ls", U"\u02aa"},
    LookalikeGroup{U"lz", U"\u02ab"},
    LookalikeGroup{U"n", U"\u0578\u057c"},
    LookalikeGroup{
        U"o",
        U"\u03bf\u03c3\u03ed\u043e\u0585\u05e1\u0647\u0665\u06be\u06c1\u06d5\u06f5\u0966\u09e6"
        U"\u0a66\u0ae6\u0b66\u0be6\u0c02\u0c66\u0c82\u0d02\u0d20\u0d66\u0d82\u0e50\u0ed0\u101d"
        U"\u1040\u10ff\u17e0\u1d0f\u1d11\u2c9f\uab3d\U0001042c\U000104ea\U000114d0\U000118c8"
        U"\U000118d7"},
    LookalikeGroup{U"oe", U"\u0153"},
    LookalikeGroup{U"oo", U"\ua699\ua74f"},
    LookalikeGroup{U"p", U"\u00fe\u01bf\u03c1\u03f8\u0440\u2ca3\u2ccf"},
    LookalikeGroup{U"q", U"\u051b\u0563\u0566"},
    LookalikeGroup{U"r", U"\u0433\u1d26\u2c85\uab47\uab48\uab81"},
    LookalikeGroup{U"rn", U"\U00011700\U000118e3"},
    LookalikeGroup{U"s", U"\u01bd\u0455\u0d1f\ua731\uabaa\U00010448\U000118c1"},
    LookalikeGroup{U"tf", U"\ua777"},
    LookalikeGroup{U"ts", U"\u02a6"},
    LookalikeGroup{U"u", U"\u028b\u03c5\u057d\u1d1c\ua79f\uab4e\uab52\U000104f6\U000118d8"},
    LookalikeGroup{U"ue", U"\u1d6b"},
    LookalikeGroup{U"uo", U"\uab63"},
    LookalikeGroup{U"v", U"\u03bd\u0475\u05d8\u1d20\uaba9\U00011706\U000118c0"},
    LookalikeGroup{
        U"w", U"\u026f\u0448\u0461\u051d\u0561\u1d21\u2cbd\uab83\U0001170a\U0001170e\U0001170f"},
    LookalikeGroup{U"x", U"\u0445\u1541\u157d"},
    LookalikeGroup{U"y", U"\u0263\u028f\u03b3\u0443\u04af\u10e7\u1d8c\u1eff\u2ca9\uab5a\U000118dc"},
    LookalikeGroup{U"z", U"\u1d22\uab93\U000118c4"},
    LookalikeGroup{U"\u00b7", U"\ua78f"},
    LookalikeGroup{U"\u00de", U"\u03f7"},
    LookalikeGroup{U"\u00df", U"\u03b2\u1e9e\ua7b5\ua7d6"},
    LookalikeGroup{U"\u0138", U"\u03ba\u043a\u1d0b\u2c95"},
    LookalikeGroup{U"\u0185", U"\u044c"},
    LookalikeGroup{U"\u0186", U"\u03fd"},
    LookalikeGroup{U"\u018f", U"\u04d8"},
    LookalikeGroup{U"\u0190", U"\u0510"},
    LookalikeGroup{U"\u01a8", U"\u03e9\u1d24\ua645"},
    LookalikeGroup{U"\u01a9", U"\u03a3"},
    LookalikeGroup{U"\u01dd", U"\u0259\u04d9"},
    LookalikeGroup{U"\u01f6", U"\u050a"},
    LookalikeGroup{U"\u021d", U"\u0292\u04e1\u2cc5\u2ccd\ua76b"},
    LookalikeGroup{U"\u0237", U"\u0575"},
    LookalikeGroup{U"\u0245", U"\u039b\u041b"},
    LookalikeGroup{U"\u024b", U"\u1d90"},
    LookalikeGroup{U"\u0254", U"\u037b\u1d10\u2184"},
    LookalikeGroup{U"\u025c", U"\u0437\u1d08"},
    LookalikeGroup{U"\u0262", U"\u050d"},
    LookalikeGroup{U"\u0270", U"\u057a"},
    LookalikeGroup{U"\u0274", U"\u2c9b"},
    LookalikeGroup{U"\u0278", U"\u03c6\u0444\u2cab\u2ce0\u2ce1"},
    LookalikeGroup{U"\u0283", U"\uab4d"},
    LookalikeGroup{U"\u028c", U"\u1d27\u2c97"},
    LookalikeGroup{U"\u028d", U"\u043c\u1d0d\u2c99"},
    LookalikeGroup{U"\u0293", U"\u2c9d"},
    LookalikeGroup{U"\u0298", U"\ua668"},
    LookalikeGroup{U"\u0299", U"\u0432\u2c83"},
    LookalikeGroup{U"\u029a", U"\ua79d"},
    LookalikeGroup{U"\u029c", U"\u043d\u2c8f"},
    LookalikeGroup{U"\u029f", U"\u2cd1"},
    LookalikeGroup{U"\u0393", U"\u0413\u2c84"},
    LookalikeGroup{U"\u0394", U"\u2c86"},
    LookalikeGroup{U"\u039e", U"\u2cb6"},
    LookalikeGroup{U"\u03a0", U"\u041f\u2ca0"},
    LookalikeGroup{U"\u03a6", U"\u0424\u0553\u2caa"},
    LookalikeGroup{U"\u03a8", U"\u0470\u2cae"},
    LookalikeGroup{U"\u03bb", U"\u2c96"},
    LookalikeGroup{U"\u03c0", U"\u043f\u1d28\u2ca1"},
    LookalikeGroup{U"\u03c2", U"\u03db\u2c8b"},
    LookalikeGroup{U"\u03c7", U"\u2cad\uab53\uab55"},
    LookalikeGroup{U"\u03c8", U"\u0471\u2caf"},
    LookalikeGroup{U"\u03c9", U"\u2cb1\ua64d\ua7b7"},
    LookalikeGroup{U"\u03d7", U"\u2ce4"},
    LookalikeGroup{U"\u03fc", U"\u2cc1"},
    LookalikeGroup{U"\u0418", U"\u0376"},
    LookalikeGroup{U"\u0427", U"\u03e4"},
    LookalikeGroup{U"\u0428", U"\u2cbc"},
    LookalikeGroup{U"\u043b", U"\u1d2b"},
    LookalikeGroup{U"\u0447", U"\u03e5"},
    LookalikeGroup{U"\u0459", U"\uab60"},
    LookalikeGroup{U"\u04b6", U"\u04cb"},
    LookalikeGroup{U"\u04b7", U"\u04cc"},
    LookalikeGroup{U"\u0554", U"\u2cc0"},
    LookalikeGroup{U"\u1206", U"\u0544"},
    LookalikeGroup{U"\u1261", U"\u054c"},
    LookalikeGroup{U"\u12ae", U"\u053b"},
    LookalikeGroup{U"\u1323", U"\u054a"},
    LookalikeGroup{U"\u1d0e", U"\u0377\u0438"},
    LookalikeGroup{U"\u1d18", U"\u1d29"},
    LookalikeGroup{U"\u1d19", U"\u044f"},
    LookalikeGroup{U"\u1d1b", U"\u03c4\u0442\u2ca7"},
    LookalikeGroup{U"\u1e9f", U"\u03b4\u056e\u2cdd"},
    LookalikeGroup{U"\u2c6b", U"\u2c8c"},
    LookalikeGroup{U"\u2c6c", U"\u2c8d"},
    LookalikeGroup{U"\u2c75", U"\u0370"},
    LookalikeGroup{U"\u3078", U"\u30d8"},
    LookalikeGroup{U"\u30fc", U"\ua7f7"},
    LookalikeGroup{U"\u4e8c", U"\u30cb"},
    LookalikeGroup{U"\u4ebb", U"\u30a4"},
    LookalikeGroup{U"\u513f", U"\u3126"},
    LookalikeGroup{U"\u516b", U"\u30cf"},
    LookalikeGroup{U"\u529b", U"\u30ab"},
    LookalikeGroup{U"\u535c", U"\u30c8"},
    LookalikeGroup{U"\u53e3", U"\u30ed"},
    LookalikeGroup{U"\u5915", U"\u30bf"},
    LookalikeGroup{U"\u5de5", U"\u30a8"},
    LookalikeGroup{U"\ua4d5", U"\ua7b1"},
    LookalikeGroup{U"\ua4e4", U"\ua79e"},
    LookalikeGroup{U"\ua64c", U"\u2cb0\ua7b6"},
    LookalikeGroup{U"\ua727", U"\ua795"},
    LookalikeGroup{U"\ua73e", U"\u03ff"},
    LookalikeGroup{U"\ua73f", U"\u037d"},
    LookalikeGroup{U"\ua779", U"\ua77a"},
    LookalikeGroup{U"\ua792", U"\u0404\u2c88"},
    LookalikeGroup{U"\ua793", U"\u025b\u03b5\u0454\u0511\u2c89"},
    LookalikeGroup{U"\U000102a8", U"\ua69a"},
    LookalikeGroup{U"\U00010412", U"\ua79a"},
    LookalikeGroup{U"\U0001043a", U"\ua79b"},
};

struct LookAlike {
  char32_t letter = 0;
  std::uint16_t group = 0;
};

constexpr std::size_t count_letters() {
  std::size_t count = 0;
  for (const LookalikeGroup& group : kGroups) count += group.letters.size();
  return count;
}

// The same by letter, so that a letter is found by binary search.
constexpr auto kLookAlikes = [] {
  std::array<LookAlike, count_letters()> rows{};
  std::size_t at = 0;
  for (std::size_t group = 0; group < kGroups.size(); ++group) {
    for (const char32_t letter : kGroups[group].letters)
      rows[at++] = {letter, static_cast<std::uint16_t>(group)};
  }
  std::ranges::sort(rows, {}, &LookAlike::letter);
  return rows;
}();
static_assert(std::ranges::adjacent_find(kLookAlikes, {}, &LookAlike::letter) == kLookAlikes.end());

void append_shape(std::string& out, char32_t value) {
  const auto* row = std::ranges::lower_bound(kLookAlikes, value, {}, &LookAlike::letter);
  if (row == kLookAlikes.end() || row->letter != value) return append_utf8(out, value);
  for (const char32_t part : kGroups[row->group].shape) append_utf8(out, part);
}

// Letters and their accents apart (NFD); nothing for what is not UTF-8.
std::string decomposed(std::string_view name) {
  std::uint8_t* made = nullptr;
  const auto size =
      utf8proc_map(reinterpret_cast<const std::uint8_t*>(name.data()),
                   static_cast<utf8proc_ssize_t>(name.size()), &made, UTF8PROC_DECOMPOSE);
  const std::unique_ptr<std::uint8_t, decltype(&std::free)> owner(made, &std::free);
  return size < 0
             ? std::string()
             : std::string(reinterpret_cast<const char*>(made), static_cast<std::size_t>(size));
}

}  // namespace

std::string_view script_of(char32_t value) {
  if (value < 0x80) {
    // 0x20 is the one bit in which an ASCII capital and its small letter differ.
    const char32_t small = value | 0x20;
    return small >= U'a' && small <= U'z' ? "Latin" : std::string_view();
  }
  // The last range that begins at or before the character, if it reaches so far.
  const auto* row = std::ranges::upper_bound(kScripts, value, {}, &Range::first);
  if (row == kScripts.begin()) return {};
  --row;
  return row->last < value ? std::string_view() : row->script;
}

std::string code_point_name(char32_t value) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string digits;
  // Hex digits from the top, at least four: a code point has 21 bits.
  for (int shift = 20; shift >= 0; shift -= 4) {
    const auto digit = static_cast<std::size_t>(value >> shift & 15);
    if (digit != 0 || !digits.empty() || shift < 16) digits += kDigits[digit];
  }
  return "U+" + digits;
}

std::string skeleton(std::string_view name) {
  const std::string parts = decomposed(name);
  std::string out;
  for (std::size_t at = 0; at < parts.size();) {
    const CodePoint point = decode_utf8(parts, at);
    append_shape(out, point.value);
    at += point.bytes == 0 ? 1 : point.bytes;
  }
  return out;
}

}  // namespace airlock
