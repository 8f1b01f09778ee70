// What a cell said, before the inner door has judged it. It can be kept, handed on and judged
// (admit/cell_door.h), and asked what the one who runs the cell has to know; its text can be read
// nowhere else. So what was not judged cannot be printed, stored or taken for an answer: it does
// not compile.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "model/ending.h"
#include "model/guest_outcome.h"
#include "model/piece.h"

namespace airlock {

class Admitter;
class CellDoor;
class PieceDoor;
class RawDocument;

namespace probe {
struct ProbeOutput;
Result<ProbeOutput> read_output(const RawDocument& answer);
}  // namespace probe

// A document that a probe gave. The door for cells has held it to the limits and not read it:
// that is done once, by the door for documents (admit/admit.h).
class RawDocument {
 public:
  RawDocument() = default;
  explicit RawDocument(std::string text) : text_(std::move(text)) {}

  friend bool operator==(const RawDocument&, const RawDocument&) = default;

 private:
  friend class Admitter;
  // Takes off what the library in the cell has put around it.
  friend Result<probe::ProbeOutput> probe::read_output(const RawDocument& answer);
  std::string text_;
};

// Of one question.
class RawOutcome {
 public:
  RawOutcome(GuestOutcome said) : said_(std::move(said)) {}  // NOLINT(*-explicit-*): it is one
  // Of a cell that is gone: an Ending, or one of its kinds.
  template <typename One>
  RawOutcome(std::unexpected<One> ending)  // NOLINT(*-explicit-*): it is one
      : said_(std::unexpect, std::move(ending).error()) {}

  // The cell's own word for it, and nothing was denied to it. For the one who runs the cell:
  // whether to go on with the next path in it.
  bool claims_success() const { return said_ && said_->success && said_->denials.empty(); }
  // Counted by the supervisor, not said by the cell.
  const std::vector<Denial>& denials() const {
    return said_ ? said_->denials : final_notes(said_.error()).denials;
  }
  // The supervisor ended the cell, because its time was up.
  bool timed_out() const { return !said_ && std::holds_alternative<TimedOut>(said_.error()); }

 private:
  friend class CellDoor;
  std::expected<GuestOutcome, Ending> said_;
};

// One of many answers of a bulk job: the views point into the cell's message, which must outlive
// it.
class RawRow {
 public:
  RawRow(bool claims_success, std::string_view value, std::string_view error_type,
         std::string_view error, std::span<const Denial> denials)
      : claims_success_(claims_success),
        value_(value),
        error_type_(error_type),
        error_(error),
        denials_(denials) {}

 private:
  friend class CellDoor;
  bool claims_success_;
  std::string_view value_;
  std::string_view error_type_;
  std::string_view error_;
  std::span<const Denial> denials_;
};

// Of a piece of a session.
class RawPiece {
 public:
  RawPiece(PieceOutcome said, std::vector<Denial> denials)
      : said_(std::move(said)), denials_(std::move(denials)) {}
  template <typename One>
  RawPiece(std::unexpected<One> ending)  // NOLINT(*-explicit-*): it is one
      : said_(std::unexpect, std::move(ending).error()) {}

  // The cell is gone, and all that the session held with it.
  bool has_ended() const { return !said_; }

 private:
  friend class PieceDoor;
  std::expected<PieceOutcome, Ending> said_;
  std::vector<Denial> denials_;
};

// A call of a host function: the guest's word for which one it wants, and with what.
class RawCall {
 public:
  RawCall(std::uint32_t number, std::string name, std::string arguments)
      : number_(number), name_(std::move(name)), arguments_(std::move(arguments)) {}

  // By which its result finds it.
  std::uint32_t number() const { return number_; }

 private:
  friend class PieceDoor;
  std::uint32_t number_;
  std::string name_;
  std::string arguments_;
};

}  // namespace airlock
