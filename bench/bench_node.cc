// One code node again and again in one node host, from question to answer: microseconds, one a
// line.
//   bench_node HOST CODE_FILE COUNT           runs it
//   bench_node HOST CODE_FILE COUNT check     only reads it
#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "run/node_client.h"

int main(int count, char** words) {
  if (count != 4 && count != 5) return 2;
  std::ifstream file(words[2]);
  std::stringstream code;
  code << file.rdbuf();
  const nlohmann::json params = {{"code", code.str()}, {"inputs", {{"n", 3}}}};
  auto host = airlock::run::NodeClient::start(words[1], "{}");
  if (!host || !(*host)->await_ready()) return 1;
  const airlock::wire::NodeRequest request{.name = "", .params = params.dump(), .actions = ""};
  for (int i = std::atoi(words[3]); i > 0; --i) {
    const auto start = std::chrono::steady_clock::now();
    if (count == 5) {
      const auto checked = (*host)->check("", request.params);
      const std::chrono::duration<double, std::micro> took =
          std::chrono::steady_clock::now() - start;
      if (!checked || !checked->problems.empty()) return 1;
      fmt::print("{:.2f}\n", took.count());
      continue;
    }
    const auto done = (*host)->run(request, std::chrono::seconds(30));
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    if (!done || done->action != "default") {
      fmt::print(stderr, "{}\n", done ? done->error : "lost");
      return 1;
    }
    fmt::print("{:.2f}\n", took.count());
  }
}
