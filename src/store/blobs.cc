#include "store/blobs.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/sha256.h"
#include "os/private_folder.h"
#include "os/random.h"

namespace airlock::store {

namespace {

namespace fs = std::filesystem;

constexpr int kReadFlags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
// 256 folders, so that none holds too many names.
constexpr std::size_t kFolderDigits = 2;

// What the index says is only a claim: it must not lead out of the folder.
bool is_hash(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string folder_of(const std::string& hash) {
  return hash.substr(0, kFolderDigits);
}

// The folder by its descriptor, whatever its name has become.
fs::path by_descriptor(const Fd& folder) {
  return "/proc/self/fd/" + std::to_string(folder.get());
}

Result<void> write_all(os::Disk& disk, int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = disk.write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return bad_request_errno("write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// Exactly `size` bytes and then the end, or nothing.
std::expected<std::string, CacheDamage> read_exactly(int file, std::size_t size) {
  // One byte more, to see that the file has no more.
  std::string bytes(size + 1, '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t got = ::read(file, bytes.data() + have, bytes.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::unexpected(CacheDamage::kUnreadable);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  if (have != size) return std::unexpected(CacheDamage::kAltered);
  bytes.resize(size);
  return bytes;
}

CacheDamage damage_of_errno(int number) {
  if (number == ENOENT) return CacheDamage::kMissing;
  // What O_NOFOLLOW and O_NONBLOCK say of a link, a folder that is none, and a pipe or socket.
  return number == ELOOP || number == ENOTDIR || number == ENXIO ? CacheDamage::kNotAFile
                                                                 : CacheDamage::kUnreadable;
}

}  // namespace

Blobs::Blobs(Fd folder, Fd blobs, Fd fresh, std::string shown, os::Disk& disk)
    : folder_(std::move(folder)),
      blobs_(std::move(blobs)),
      fresh_(std::move(fresh)),
      shown_(std::move(shown)),
      disk_(&disk) {}

Result<Blobs> Blobs::open(int parent, const std::string& name, const std::string& shown,
                          os::Disk& disk) {
  auto folder = TRY(os::open_folder_inside(parent, name, shown));
  auto blobs = TRY(os::open_folder_inside(folder.get(), "blobs", shown + "/blobs"));
  auto fresh = TRY(os::open_folder_inside(folder.get(), "new", shown + "/new"));
  return Blobs(std::move(folder), std::move(blobs), std::move(fresh), shown, disk);
}

Result<std::string> Blobs::write(std::string_view bytes) {
  std::string hash = sha256_hex(bytes);
  // Checked by reading all of it: a damaged blob under the right name would otherwise stay for
  // ever.
  if (read(hash, static_cast<std::int64_t>(bytes.size()))) return hash;
  TRY(write_new(hash, bytes));
  return hash;
}

Result<void> Blobs::write_new(const std::string& hash, std::string_view bytes) {
  const std::string shown = shown_ + "/blobs/" + folder_of(hash);
  const auto folder = TRY(os::open_folder_inside(blobs_.get(), folder_of(hash), shown));
  // A name that no other process uses.
  const std::string name = sha256_hex(os::random_bytes(16)).substr(0, 32);
  const std::string doing = "write " + shown + "/" + hash;
  Fd file(disk_->create(fresh_.get(), name.c_str()));
  if (!file.is_open()) return bad_request_errno(doing);
  const auto give_up = [&](Error error) -> Result<void> {
    disk_->remove(fresh_.get(), name.c_str());
    return std::unexpected(std::move(error));
  };
  if (auto written = write_all(*disk_, file.get(), bytes); !written)
    return give_up(std::move(written).error().within(doing));
  if (disk_->sync(file.get()) != 0) return give_up(errno_error(doing));
  file.reset();
  // The folder is not synced: a name that a power cut takes back is a miss, no damage.
  if (disk_->rename(fresh_.get(), name.c_str(), folder.get(), hash.c_str()) != 0)
    return give_up(errno_error(doing));
  return {};
}

// Every way in which a file can be wrong has its name, for the report of verify(); to a reader of
// the cache all of them are a miss.
std::expected<std::string, CacheDamage> Blobs::read(const std::string& hash,
                                                    std::int64_t size) const {
  if (!is_hash(hash)) return std::unexpected(CacheDamage::kAltered);
  const Fd folder(::openat(blobs_.get(), folder_of(hash).c_str(), kReadFlags | O_DIRECTORY));
  if (!folder.is_open()) return std::unexpected(damage_of_errno(errno));
  const Fd file(::openat(folder.get(), hash.c_str(), kReadFlags));
  if (!file.is_open()) return std::unexpected(damage_of_errno(errno));
  struct stat facts{};
  if (::fstat(file.get(), &facts) != 0) return std::unexpected(CacheDamage::kUnreadable);
  if (!S_ISREG(facts.st_mode)) return std::unexpected(CacheDamage::kNotAFile);
  if (size < 0 || facts.st_size != size) return std::unexpected(CacheDamage::kAltered);
  auto bytes = read_exactly(file.get(), static_cast<std::size_t>(size));
  if (bytes && sha256_hex(*bytes) != hash) return std::unexpected(CacheDamage::kAltered);
  return bytes;
}

bool Blobs::remove(const std::string& hash) {
  return is_hash(hash) && remove_name("blobs/" + folder_of(hash) + "/" + hash);
}

std::vector<std::string> Blobs::names() const {
  std::vector<std::string> names;
  std::error_code error;
  // Through the descriptor, not the name: the folder that was opened and checked is the one listed.
  for (fs::directory_iterator folder(by_descriptor(blobs_), error), end; !error && folder != end;
       folder.increment(error)) {
    const std::string name = "blobs/" + folder->path().filename().native();
    std::error_code ignored;
    if (!fs::is_directory(folder->symlink_status(ignored))) {
      names.push_back(name);
      continue;
    }
    for (fs::directory_iterator file(folder->path(), ignored); !ignored && file != end;
         file.increment(ignored))
      names.push_back(name + "/" + file->path().filename().native());
  }
  return names;
}

std::vector<std::string> Blobs::unfinished(std::int64_t before) const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator file(by_descriptor(fresh_), error), end; !error && file != end;
       file.increment(error)) {
    const std::string name = file->path().filename().native();
    struct stat facts{};
    if (::fstatat(fresh_.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
    const std::int64_t touched = facts.st_mtim.tv_sec * 1000 + facts.st_mtim.tv_nsec / 1000000;
    if (touched < before) names.push_back("new/" + name);
  }
  return names;
}

bool Blobs::remove_name(const std::string& name) {
  const fs::path path(name);
  // Step by step, so that no link on the way is followed.
  Fd here(::dup(folder_.get()));
  for (const fs::path& part : path.parent_path()) {
    here = Fd(::openat(here.get(), part.c_str(), kReadFlags | O_DIRECTORY));
    if (!here.is_open()) return errno == ENOENT;
  }
  const std::string last = path.filename().native();
  if (disk_->remove(here.get(), last.c_str()) == 0 || errno == ENOENT) return true;
  // Linux says EISDIR when unlink() meets a folder, POSIX EPERM.
  if (errno != EISDIR && errno != EPERM) return false;
  std::error_code error;
  fs::remove_all(by_descriptor(here) / last, error);  // follows no link
  return !error;
}

Result<Fd> Blobs::lock(LockMode mode) const {
  Fd file(::openat(folder_.get(), "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.is_open()) return bad_request_errno("open " + shown_ + "/lock");
  // flock() belongs to the open file: the lock goes when it is closed, also by a crash.
  while (::flock(file.get(), mode == LockMode::kExclusive ? LOCK_EX : LOCK_SH) != 0) {
    if (errno != EINTR) return bad_request_errno("lock " + shown_ + "/lock");
  }
  return file;
}

}  // namespace airlock::store
