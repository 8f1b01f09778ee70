// airlock review: the review page on this machine, in the user's browser.
#include <unistd.h>

#include <optional>

#include "base/variable.h"
#include "engine/records/state_file.h"
#include "os/terminal_program.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/cli/server_options.h"
#include "present/http/door.h"
#include "present/page/html.h"
#include "present/serve/server.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kReviewExample =
    "airlock review\n"
    "  airlock review --no-browser --port 8080     for a tunnel: ssh -L 8080:127.0.0.1:8080 "
    "HOST\n\n"
    "Looks at what waits in a browser: the code with its findings, what it may do, its answers, "
    "what changed,\nand who wrote it; approve or reject with a name and a note. The link signs in "
    "once; the next one is printed\nwhen it was used. Ctrl-C ends it, and signs everybody out. "
    "docs/review.md has the rest.\n"
    "Exit codes: 0 it was told to end, 130 by Ctrl-C, 2 the address cannot be had, 3 no isolation.";

// A link among the arguments of a program can be seen by every user of this machine, so the browser
// gets a file of this user's own that leads there.
Result<std::string> place_link(const UserDirs& user_dirs, const std::string& link) {
  page::Html file("<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" ");
  file("content=\"no-referrer\"><meta http-equiv=\"refresh\" content=\"0; url=");
  file.value(link)("\"><title>Airlock</title><a href=\"").value(link)("\">Review</a>\n");
  return place_state_file(user_dirs, "review.html", file.bytes());
}

bool has_screen() {
  return !variable("DISPLAY").empty() || !variable("WAYLAND_DISPLAY").empty();
}

// The file that leads to the link, gone with this.
class OpenedBrowser {
 public:
  // Not being able to is no failure: the link is on the terminal.
  OpenedBrowser(const UserDirs& user_dirs, const std::string& link) {
    if (!has_screen() || !os::is_program("xdg-open")) return;
    const auto placed = place_link(user_dirs, link);
    if (!placed) return;
    file_ = *placed;
    [[maybe_unused]] const auto started = os::start_detached({"xdg-open", file_});
  }
  ~OpenedBrowser() {
    if (!file_.empty()) ::unlink(file_.c_str());
  }
  OpenedBrowser(const OpenedBrowser&) = delete;
  OpenedBrowser& operator=(const OpenedBrowser&) = delete;

 private:
  std::string file_;
};

}  // namespace

Result<int> review_command(std::span<const std::string> arguments, const Environment& environment) {
  std::size_t port = 0;
  bool is_without_browser = false;
  ServerOptions server = usual_server_options(environment);
  CommandLine line("airlock review", "Look at what waits in a browser, and approve or reject it.",
                   kReviewExample);
  line.options()
      .add_option("--port", port, "Listen there, on this machine only; 0 is a free one")
      ->check(within(0, 65535, ""))
      ->type_name("N");
  line.options().add_flag("--no-browser", is_without_browser, "Only print the link");
  if (const auto code = line.parse(arguments)) return *code;
  http::HttpOptions http;
  http.address = TRY(http::read_listen_address("127.0.0.1:" + std::to_string(port)));
  server.asked.policies = {"extractor"};  // nobody opens a session here: none is kept warm
  server.asked.more_clients = http::kMostConnections;
  const auto resident = TRY(make_resident(std::move(server)));
  const auto door = TRY(http::HttpDoor::open(*resident, std::move(http)));
  std::optional<OpenedBrowser> browser;
  if (!is_without_browser) browser.emplace(environment.user_dirs, door->sign_in_link());
  serve::Doors doors;
  doors.http = [&door](int stop) { door->serve(stop); };
  return exit_code_of_server(TRY(serve::serve(*resident, doors)));
}

}  // namespace airlock::cli
