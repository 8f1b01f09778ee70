// Files named by the SHA-256 of what they hold: <folder>/blobs/ab/abcd…; a file that is being
// written is <folder>/new/<random>. A blob is written under the temporary name, synced and renamed,
// so the name of a hash never holds half a blob because of us; whoever reads checks all the same.
//
// No symbolic link is followed anywhere below the folder. Several processes may use one folder.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "model/cache_report.h"
#include "os/disk.h"

namespace airlock::store {

class Blobs {
 public:
  // The folder `name` inside `parent` (made when missing); `shown` is its whole name.
  static Result<Blobs> open(int parent, const std::string& name, const std::string& shown,
                            os::Disk& disk);

  // The hash. A sound blob that is there already is kept; a damaged one is replaced.
  Result<std::string> write(std::string_view bytes);
  // The bytes, only when they are those that were written.
  std::expected<std::string, CacheDamage> read(const std::string& hash, std::int64_t size) const;
  // True when it is gone, or was not there.
  bool remove(const std::string& hash);

  // Every name below blobs/, as "ab/abcd…", whatever it is.
  std::vector<std::string> names() const;
  // Everything that was being written, and whose writer has not touched it since `before` (ms).
  std::vector<std::string> unfinished(std::int64_t before) const;
  // Removes a name that names() or unfinished() gave, or a whole folder that nobody of ours made.
  bool remove_name(const std::string& name);

  // A lock on the whole folder, between processes, held as long as the Fd is open: whoever removes
  // has the folder to itself, whoever adds shares it.
  enum class LockMode { kShared, kExclusive };
  Result<Fd> lock(LockMode mode) const;

 private:
  Blobs(Fd folder, Fd blobs, Fd fresh, std::string shown, os::Disk& disk);

  Result<void> write_new(const std::string& hash, std::string_view bytes);

  Fd folder_;
  Fd blobs_;
  Fd fresh_;
  std::string shown_;
  os::Disk* disk_;
};

}  // namespace airlock::store
