#include "os/python_walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "os/open_beneath.h"

namespace airlock::os {

namespace {

constexpr const char* kLinkToFolder = ": this link leads to a folder, so it was not followed";

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using Listing = std::unique_ptr<DIR, CloseFolder>;

bool is_python_name(std::string_view name) {
  // More than three letters: ".py" alone is a hidden file, not a module.
  return name.size() > 3 && name.ends_with(".py");
}

bool is_left_out(std::string_view folder) {
  return folder.starts_with('.') || folder == "__pycache__";
}

bool is_regular(const Fd& file) {
  struct stat facts{};
  return ::fstat(file.get(), &facts) == 0 && S_ISREG(facts.st_mode);
}

// What the link `name` leads to, wherever that is; nothing is opened. An errno when it leads
// nowhere.
struct Leads {
  bool to_folder = false;
  int error = 0;
};
Leads where_link_leads(int folder, const std::string& name) {
  struct stat facts{};
  // AT_NO_AUTOMOUNT: looking at a link must not make the system mount a network drive.
  if (::fstatat(folder, name.c_str(), &facts, AT_NO_AUTOMOUNT) != 0) return {false, errno};
  return {S_ISDIR(facts.st_mode), 0};
}

}  // namespace

Result<FileBytes> FoundFile::read(std::size_t limit) const {
  const Fd file = open_beneath_with_links(*folder_, below_);
  // Where the kernel cannot hold links to the folder, none is followed.
  const Fd plain = file.is_open() ? Fd() : open_beneath(*folder_, below_);
  const Fd& opened = file.is_open() ? file : plain;
  if (!opened.is_open()) return bad_request_errno("read " + shown_);
  struct stat facts{};
  if (::fstat(opened.get(), &facts) != 0) return bad_request_errno("read " + shown_);
  if (!S_ISREG(facts.st_mode)) return bad_request("read " + shown_ + ": it is not a file");
  auto bytes = read_opened(opened, limit, shown_);
  if (bytes) bytes->size = std::max(bytes->size, static_cast<std::size_t>(facts.st_size));
  return bytes;
}

Result<PythonWalk> PythonWalk::start(const std::string& folder) {
  Fd opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) return bad_request_errno("list " + folder);
  return PythonWalk(std::move(opened), folder.ends_with('/') ? folder : folder + "/");
}

// What a link leads to, for one named *.py. When it is not read, the user is told why.
bool PythonWalk::leads_to_file(const std::string& below, Passed& passed) const {
  const Fd target = open_beneath_with_links(*folder_, below);
  if (target.is_open() && is_regular(target)) return true;
  const bool may_lead_out = !target.is_open() && errno != ENOENT;
  const Leads leads = where_link_leads(folder_->get(), below);
  std::string why = ": this link leads to no file";
  if (leads.error == ELOOP) {
    why = ": this link leads back to itself";
  } else if (leads.to_folder) {
    why = kLinkToFolder;
  } else if (may_lead_out) {
    why = ": this link leads out of " + shown_ + ", so it was not followed";
  }
  passed.skipped.push_back(shown_ + below + why);
  return false;
}

// What to do with an entry; nothing: it is passed over. `type` is readdir's word for it.
std::optional<PythonWalk::Kind> PythonWalk::kind_of(int descriptor, const std::string& name,
                                                    unsigned char type, const std::string& below,
                                                    Passed& passed) const {
  if (type == DT_UNKNOWN) {  // some file systems do not say
    struct stat facts{};
    if (::fstatat(descriptor, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
    type = static_cast<unsigned char>(IFTODT(facts.st_mode));
  }
  if (type == DT_DIR) return is_left_out(name) ? std::nullopt : std::optional(Kind::kFolder);
  if (!is_python_name(name)) {
    if (type == DT_LNK && !is_left_out(name) && where_link_leads(descriptor, name).to_folder)
      passed.skipped.push_back(shown_ + below + name + kLinkToFolder);
    return std::nullopt;
  }
  if (type == DT_REG) return Kind::kFile;
  if (type == DT_LNK) return Kind::kLink;
  passed.skipped.push_back(shown_ + below + name + ": it is not a file, so it was not read");
  return std::nullopt;
}

void PythonWalk::enter(const std::string& below, Passed& passed) {
  const std::string shown = shown_ + below;
  Fd opened = below.empty() ? Fd(::fcntl(folder_->get(), F_DUPFD_CLOEXEC, 3))
                            : open_beneath(*folder_, below.substr(0, below.size() - 1));
  const int descriptor = opened.get();
  const Listing listing(opened.is_open() ? ::fdopendir(descriptor) : nullptr);
  if (!listing) {
    passed.unreadable.push_back(bad_request_errno("list " + shown).error());
    return;
  }
  static_cast<void>(opened.release());  // the listing closes it
  Level level{below, {}};
  // readdir() returns null at the end and on an error alike; only errno tells them apart.
  errno = 0;
  while (const dirent* entry = ::readdir(listing.get())) {
    std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    const auto kind = kind_of(descriptor, name, entry->d_type, below, passed);
    if (kind) level.entries.push_back({std::move(name), *kind});
    errno = 0;
  }
  if (errno != 0) passed.unreadable.push_back(bad_request_errno("list " + shown).error());
  // The order of whole paths: what is in a folder comes where its name with a slash would.
  const auto key = [](const Entry& one) {
    return one.kind == Kind::kFolder ? one.name + "/" : one.name;
  };
  // Descending, since entries are taken from the back.
  std::ranges::sort(level.entries, std::ranges::greater(), key);
  levels_.push_back(std::move(level));
}

// Depth first, with a stack of our own: one level for each folder on the way, and nothing is held
// open between two calls but the top folder.
std::optional<FoundFile> PythonWalk::next(Passed& passed) {
  if (!std::exchange(is_begun_, true)) enter("", passed);
  while (!levels_.empty()) {
    Level& level = levels_.back();
    if (level.entries.empty()) {
      levels_.pop_back();
      continue;
    }
    const Entry entry = std::move(level.entries.back());
    level.entries.pop_back();
    const std::string below = level.below + entry.name;
    if (entry.kind == Kind::kFolder) {
      enter(below + "/", passed);
    } else if (entry.kind == Kind::kFile || leads_to_file(below, passed)) {
      return FoundFile(folder_, shown_ + below, below);
    }
  }
  return std::nullopt;
}

}  // namespace airlock::os
