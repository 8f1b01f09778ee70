#include "os/shared_notes.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace airlock::os {

// Zero is "nothing yet" everywhere: fresh memory is ready for use. The layout is shared by two
// processes of the same build, so it needs no version.
struct SharedNotes::Page {
  std::uint64_t paths = 0;
  std::uint64_t noted = 0;
  std::uint32_t has_line = 0;
  std::uint32_t line = 0;
  std::array<std::uint32_t, 2> sizes = {};  // of the texts
  std::array<Note, kNotes> notes = {};      // a ring
  std::array<Asked, kNotes> answers = {};   // by their numbers, as often around
  std::array<std::array<char, kText>, 2> texts = {};
  OutputLogPage log = {};
};

namespace {

// std::atomic_ref on plain numbers: the page must stay a type that zeros from the kernel make
// valid.
template <typename Number>
void store(Number& number, Number value) {
  std::atomic_ref<Number>(number).store(value, std::memory_order_release);
}

template <typename Number>
Number load(Number& number) {
  return std::atomic_ref<Number>(number).load(std::memory_order_acquire);
}

}  // namespace

Result<SharedNotes> SharedNotes::make() {
  return SharedNotes(TRY(SharedMemory::make("airlock-notes", sizeof(Page))));
}

Result<SharedNotes> SharedNotes::map(Fd descriptor) {
  return SharedNotes(TRY(SharedMemory::map(descriptor, sizeof(Page))));
}

void SharedNotes::begin_path() {
  store(page().paths, load(page().paths) + 1);
}

std::uint64_t SharedNotes::paths_begun() const {
  return load(page().paths);
}

void SharedNotes::add_note(std::uint32_t call, std::uint32_t line) {
  // Not a read-modify-write: there is one writer. A signal handler may be that writer, which is why
  // nothing here allocates or locks.
  const std::uint64_t count = load(page().noted);
  page().notes[count % kNotes] = {call, line, load(page().paths)};
  store(page().noted, count + 1);
}

std::uint64_t SharedNotes::noted() const {
  return load(page().noted);
}

SharedNotes::Note SharedNotes::note(std::uint64_t index) const {
  const std::uint64_t count = noted();
  if (index >= count || count - index > kNotes) return {};
  return page().notes[index % kNotes];
}

void SharedNotes::answer(std::uint32_t number, std::uint32_t line, bool is_importing) {
  Asked& slot = page().answers[number % kNotes];
  slot.line = line;
  slot.is_importing = is_importing ? 1 : 0;
  store(slot.number, number + 1);
}

std::optional<SharedNotes::Asked> SharedNotes::answer_to(std::uint32_t number) const {
  Asked& slot = page().answers[number % kNotes];
  if (load(slot.number) != number + 1) return std::nullopt;
  return slot;
}

void SharedNotes::set_line(std::uint32_t line) {
  page().line = line;
  store(page().has_line, 1U);
}

bool SharedNotes::has_line() const {
  return load(page().has_line) != 0;
}

std::uint32_t SharedNotes::line() const {
  return page().line;
}

void SharedNotes::clear_text(Stream stream) {
  store(page().sizes[static_cast<std::size_t>(stream)], 0U);
}

void SharedNotes::add_text(Stream stream, std::string_view text) {
  const auto which = static_cast<std::size_t>(stream);
  const std::uint32_t size = load(page().sizes[which]);
  if (size >= kText) return;
  const std::size_t bytes = std::min(text.size(), kText - size);
  std::memcpy(page().texts[which].data() + size, text.data(), bytes);
  store(page().sizes[which], static_cast<std::uint32_t>(size + bytes));
}

std::string SharedNotes::text(Stream stream) const {
  const auto which = static_cast<std::size_t>(stream);
  // Bounded again on this side: the number is the other side's.
  const std::size_t size = std::min<std::size_t>(load(page().sizes[which]), kText);
  return {page().texts[which].data(), size};
}

OutputLogPage& SharedNotes::output_log() const {
  return page().log;
}

}  // namespace airlock::os
