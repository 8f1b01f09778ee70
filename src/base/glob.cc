// (1) A place is a number: "this much of the pattern has been read". A byte leads from a place to
// the next number (a shift of all bits), or back to the same one (a star), and jumps lead forward
// without a byte (braces, and the segments of ** that may be none). So one pass over the places in
// their order closes them under jumps. (2) Whether two stars are a ** is told by what stands before
// and behind them, and with braces there can be several answers: {a/,b}**/c. The compiler therefore
// keeps one open end for each answer (Before), and gives what compiling each form alone would give.
#include "base/glob.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_set>
#include <utility>

namespace airlock {

namespace {

// Places in one Glob::Word.
constexpr std::size_t kBits = 64;

// What stands before the next node, as far as stars care.
enum Before : std::uint8_t { kSegmentStart, kOneStar, kTwoStars, kElse };
constexpr std::array<Before, 4> kAllBefore = {kSegmentStart, kOneStar, kTwoStars, kElse};

// One place while the automaton is built; keep_places() turns all of them into bit masks.
struct GlobState {
  std::bitset<256> reads;  // bytes that lead to the next place
  bool stays_in_name = false;
  bool stays_anywhere = false;
  bool is_end = false;
  std::vector<std::uint32_t> jumps;
};

}  // namespace

class GlobCompiler {
 public:
  // Builds the automaton first, then the masks that matching uses: masks need to know all places.
  Glob compile(const GlobNodes& nodes) {
    Ends ends;
    ends[kSegmentStart] = add();
    ends = read(nodes, ends);
    finish(ends);
    Glob glob;
    keep_literal_ends(nodes, glob);
    keep_places(glob);
    return glob;
  }

 private:
  using Number = std::uint32_t;
  // By what stands before it: the place where reading goes on. Each belongs to one end alone.
  using Ends = std::array<std::optional<Number>, kAllBefore.size()>;

  // Numbers are handed out in the order in which the pattern is read. That is what makes "the next
  // place" a shift by one, and every jump a jump forward.
  Number add() {
    places_.emplace_back();
    return static_cast<Number>(places_.size() - 1);
  }
  void jump(Number from, Number to) { places_[from].jumps.push_back(to); }
  // A place from which the next one is the next number.
  Number last(Number place) {
    if (place + 1 == places_.size()) return place;
    const Number fresh = add();
    jump(place, fresh);
    return fresh;
  }
  Number read_byte(Number from, const std::bitset<256>& bytes) {
    places_[last(from)].reads = bytes;
    return add();
  }

  // One place for several ends.
  std::optional<Number> join(std::optional<Number> a, std::optional<Number> b) {
    if (!a || !b) return a ? a : b;
    const Number both = add();
    jump(*a, both);
    jump(*b, both);
    return both;
  }

  // Stars that turned out to be no **.
  std::optional<Number> with_star(std::optional<Number> place) {
    if (place) places_[*place].stays_in_name = true;
    return place;
  }

  Ends read(const GlobNodes& nodes, Ends ends) {
    for (const GlobNode& node : nodes) ends = read(node, ends);
    return ends;
  }

  Ends read(const GlobNode& node, const Ends& ends) {
    switch (node.kind) {
      case GlobNode::Kind::kStar:
        return read_star(ends);
      case GlobNode::Kind::kGroup:
        return read_group(node, ends);
      case GlobNode::Kind::kByte:
        if (node.byte == '/') return read_slash(ends);
        break;
      default:
        break;
    }
    // An ordinary byte settles what the stars before it were: no **, since no slash follows.
    const auto here = join(join(ends[kSegmentStart], with_star(ends[kOneStar])),
                           join(with_star(ends[kTwoStars]), ends[kElse]));
    Ends after;
    after[kElse] = read_byte(*here, bytes_of(node));
    return after;
  }

  static std::bitset<256> bytes_of(const GlobNode& node) {
    std::bitset<256> bytes = node.set;
    if (node.kind == GlobNode::Kind::kByte) bytes.set(static_cast<unsigned char>(node.byte));
    if (node.kind == GlobNode::Kind::kAny) bytes.set().reset('/');
    return bytes;
  }

  // A star is only counted here; what it means is settled by what follows it. A third star in a
  // row, or one behind other characters (a**), is an ordinary star.
  Ends read_star(const Ends& ends) {
    Ends after;
    after[kOneStar] = ends[kSegmentStart];
    after[kTwoStars] = ends[kOneStar];
    after[kElse] = join(with_star(ends[kTwoStars]), with_star(ends[kElse]));
    return after;
  }

  // Two stars between a segment's start and a slash are a **: any number of whole segments, none
  // included. Hence two ways out of them: into the segments, or past the slash at once.
  Ends read_slash(const Ends& ends) {
    std::bitset<256> slash;
    slash.set('/');
    Ends after;
    const auto plain = join(join(ends[kSegmentStart], with_star(ends[kOneStar])), ends[kElse]);
    if (plain) after[kSegmentStart] = read_byte(*plain, slash);
    if (ends[kTwoStars]) {
      const Number inside = add();  // of the segments that ** stands for
      places_[inside].stays_anywhere = true;
      const Number behind = read_byte(inside, slash);
      jump(*ends[kTwoStars], inside);
      jump(*ends[kTwoStars], behind);
      after[kSegmentStart] = join(after[kSegmentStart], behind);
    }
    return after;
  }

  // Each form gets places of its own to start from: a star in one form sets a flag on the place
  // that it starts at, and that must not reach into the others.
  Ends read_group(const GlobNode& group, const Ends& ends) {
    Ends all;
    for (const GlobNodes& form : group.forms) {
      Ends own;
      for (const Before before : kAllBefore) {
        if (!ends[before]) continue;
        own[before] = add();
        jump(*ends[before], *own[before]);
      }
      const Ends after = read(form, own);
      for (const Before before : kAllBefore) all[before] = join(all[before], after[before]);
    }
    return all;
  }

  // At the end of the pattern two stars at a segment's start stand for everything below, of at
  // least one byte: a/** fits a/b and a/b/c, but not a/.
  void finish(const Ends& ends) {
    for (const auto& end : {ends[kSegmentStart], with_star(ends[kOneStar]), ends[kElse]}) {
      if (end) places_[*end].is_end = true;
    }
    if (!ends[kTwoStars]) return;
    const Number rest = read_byte(*ends[kTwoStars], std::bitset<256>().set());
    places_[rest].stays_anywhere = true;
    places_[rest].is_end = true;
  }

  // A cheap test before the automaton: most names in a tree fail at their first or last bytes.
  static void keep_literal_ends(const GlobNodes& nodes, Glob& glob) {
    const auto is_literal = [](const GlobNode& node) { return node.kind == GlobNode::Kind::kByte; };
    const auto first = std::ranges::find_if_not(nodes, is_literal);
    for (auto node = nodes.begin(); node != first; ++node) glob.prefix_ += node->byte;
    auto from = nodes.end();
    while (from != nodes.begin() && is_literal(*std::prev(from))) --from;
    for (; from != nodes.end(); ++from) glob.suffix_ += from->byte;
    // The slash behind ** is not always there: **/a fits "a".
    const std::size_t slash = glob.suffix_.find('/');
    if (first != nodes.end() && slash == 0) glob.suffix_.erase(0, 1);
  }

  // Bytes with the same row of answers are one class.
  void keep_places(Glob& glob) const {
    const std::size_t words = (places_.size() + kBits - 1) / kBits;
    glob.words_ = words;
    for (auto* masks :
         {&glob.stays_in_name_, &glob.stays_anywhere_, &glob.jumps_from_, &glob.ends_})
      masks->assign(words, 0);
    const auto mark = [](std::vector<Glob::Word>& masks, std::size_t from, std::size_t place) {
      masks[from + place / kBits] |= Glob::Word{1} << place % kBits;
    };
    const std::size_t classes = find_classes(glob);
    glob.goes_on_.assign(classes * words, 0);
    std::vector<std::size_t> example(classes);
    for (std::size_t byte = 0; byte < 256; ++byte) example[glob.class_of_[byte]] = byte;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const GlobState& place = places_[i];
      for (std::size_t c = 0; place.reads.any() && c < classes; ++c) {
        if (place.reads[example[c]]) mark(glob.goes_on_, c * words, i);
      }
      if (place.stays_in_name) mark(glob.stays_in_name_, 0, i);
      if (place.stays_anywhere) mark(glob.stays_anywhere_, 0, i);
      if (place.is_end) mark(glob.ends_, 0, i);
      if (!place.jumps.empty()) mark(glob.jumps_from_, 0, i);
      for (const Number to : place.jumps) glob.jumps_.push_back({static_cast<Number>(i), to});
    }
    glob.has_jumps_ = !glob.jumps_.empty();
  }

  // Splits the classes at every set of bytes that is read somewhere.
  std::size_t find_classes(Glob& glob) const {
    std::size_t count = 1;
    std::unordered_set<std::bitset<256>> seen;  // patterns are long, and have few different sets
    for (const GlobState& place : places_) {
      if (place.reads.none() || place.reads.all() || !seen.insert(place.reads).second) continue;
      // Bytes of one class that are read here go to a new class (`other`), those that are not stay.
      // A class that is read whole is not split: its bytes still cannot be told apart.
      std::array<int, 256> other{};
      other.fill(-1);
      std::array<bool, 256> stays{};
      for (std::size_t byte = 0; byte < 256; ++byte) {
        if (!place.reads[byte]) stays[glob.class_of_[byte]] = true;
      }
      for (std::size_t byte = 0; byte < 256; ++byte) {
        const std::uint8_t old = glob.class_of_[byte];
        if (!place.reads[byte] || !stays[old]) continue;
        if (other[old] < 0) other[old] = static_cast<int>(count++);
        glob.class_of_[byte] = static_cast<std::uint8_t>(other[old]);
      }
    }
    return count;
  }

  std::vector<GlobState> places_;
};

Result<Glob> Glob::parse(std::string_view pattern, Braces braces) {
  const auto nodes = TRY(read_glob(pattern, braces));
  return GlobCompiler().compile(nodes);
}

// Jumps lead forward, so each place is complete when it is looked at.
void Glob::close(Word* places) const {
  for (std::size_t word = 0; word < words_; ++word) {
    Word done = 0;
    while (const Word open = places[word] & jumps_from_[word] & ~done) {
      const auto place = static_cast<std::uint32_t>(word * kBits) +
                         static_cast<std::uint32_t>(std::countr_zero(open));
      // `open & -open` is the lowest set bit: the place that is looked at now.
      done |= open & -open;
      auto at = std::ranges::lower_bound(jumps_, place, {}, &Jump::from);
      for (; at != jumps_.end() && at->from == place; ++at)
        places[at->to / kBits] |= Word{1} << at->to % kBits;
    }
  }
}

// All places at once, as in the "shift-and" search: those that read the byte move up by one (the
// top bit of a word is carried into the next word), stars stay where they are.
void Glob::step(const Word* now, Word* next, unsigned char byte) const {
  const Word* reads = goes_on_.data() + class_of_[byte] * words_;
  const Word in_name = byte == '/' ? 0 : ~Word{0};
  Word carried = 0;
  for (std::size_t word = 0; word < words_; ++word) {
    const Word here = now[word];
    const Word on = here & reads[word];
    next[word] = on << 1 | carried | (here & stays_in_name_[word] & in_name) |
                 (here & stays_anywhere_[word]);
    carried = on >> (kBits - 1);
  }
}

bool Glob::matches(std::string_view path) const {
  if (!path.starts_with(prefix_) || !path.ends_with(suffix_)) return false;
  // Patterns of up to 1024 places need no allocation for a match; longer ones (4096 bytes) do.
  constexpr std::size_t kWordsHere = 16;
  std::array<Word, 2 * kWordsHere> here{};
  std::vector<Word> elsewhere;
  if (words_ > kWordsHere) elsewhere.resize(2 * words_);
  Word* now = words_ > kWordsHere ? elsewhere.data() : here.data();
  Word* next = now + words_;
  // Place 0: nothing of the pattern has been read.
  now[0] = 1;
  if (has_jumps_) close(now);
  for (const char byte : path) {
    step(now, next, static_cast<unsigned char>(byte));
    if (has_jumps_) close(next);
    std::swap(now, next);
    // No place is left, so nothing that follows can fit. Asked only where it costs one comparison.
    if (words_ == 1 && now[0] == 0) return false;
  }
  for (std::size_t word = 0; word < words_; ++word) {
    if ((now[word] & ends_[word]) != 0) return true;
  }
  return false;
}

}  // namespace airlock
