#include "store/signing_seed.h"

#include <fcntl.h>
#include <string.h>  // explicit_bzero
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/hex.h"
#include "os/files.h"
#include "os/open_file.h"
#include "os/random.h"
#include "os/replace_file.h"

namespace airlock::store {

namespace {

constexpr const char* kSeedFile = "airlock.key";
constexpr std::string_view kSeedHeading = "airlock signing key 1\n";
constexpr std::size_t kSeedBytes = 32;
constexpr std::size_t kSeedFileBytes = kSeedHeading.size() + 2 * kSeedBytes + 1;

void wipe(std::string& bytes) {
  ::explicit_bzero(bytes.data(), bytes.size());
}

// Nothing: it is not what we write.
std::optional<Seed> parse_seed(std::string_view text) {
  if (text.size() != kSeedFileBytes || !text.starts_with(kSeedHeading) || !text.ends_with('\n'))
    return std::nullopt;
  auto bytes = bytes_of_hex(text.substr(kSeedHeading.size(), 2 * kSeedBytes));
  if (!bytes) return std::nullopt;
  return Seed(*std::move(bytes));
}

// The way on is the same whatever is wrong with it: a key that others may have is no key.
std::string make_another(const std::string& file) {
  return ". What it signs may be anybody's: tell those who trust it to revoke it, then mv " + file +
         " " + file + ".bad; the next export makes another key";
}

Result<Fd> open_seed(const Database& database, const std::string& file) {
  auto opened =
      TRY(os::open_own_file(database.folder_descriptor(), kSeedFile, file, O_RDONLY | O_CLOEXEC));
  struct stat about{};
  if (::fstat(opened.get(), &about) != 0) return bad_request_errno("open " + file);
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return bad_request("read the signing key " + file + ": others can read it" +
                       make_another(file));
  return opened;
}

}  // namespace

Seed::~Seed() {
  wipe(bytes_);
}

std::string seed_file(const Database& database) {
  return database.folder() + "/" + kSeedFile;
}

Result<std::optional<Seed>> read_seed(const Database& database) {
  const std::string file = seed_file(database);
  struct stat about{};
  if (::fstatat(database.folder_descriptor(), kSeedFile, &about, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return std::nullopt;
    return bad_request_errno("read the signing key " + file);
  }
  const auto opened = TRY(open_seed(database, file));
  auto text = TRY(os::read_opened(opened, kSeedFileBytes + 1, file));
  auto seed = parse_seed(text.bytes);
  wipe(text.bytes);
  if (!seed)
    return bad_request("read the signing key " + file +
                       ": it is damaged. To go on without it: mv " + file + " " + file +
                       ".bad; the next export makes another key");
  return seed;
}

Result<Seed> read_or_make_seed(const Database& database) {
  auto there = TRY(read_seed(database));
  if (there) return *std::move(there);
  Seed seed(os::random_bytes(kSeedBytes));
  std::string text = std::string(kSeedHeading) + hex_of(seed.bytes()) + "\n";
  const Fd folder(::fcntl(database.folder_descriptor(), F_DUPFD_CLOEXEC, 3));
  if (!folder.is_open()) return bad_request_errno("write the signing key " + seed_file(database));
  const auto placed =
      within("write the signing key", os::place_file_beneath(folder, kSeedFile, text));
  wipe(text);
  if (!placed) return std::unexpected(placed.error());
  return seed;
}

Result<void> remove_seed(const Database& database) {
  if (::unlinkat(database.folder_descriptor(), kSeedFile, 0) == 0 || errno == ENOENT) return {};
  return bad_request_errno("remove the signing key " + seed_file(database));
}

}  // namespace airlock::store
