// One code node again and again, from question to answer: microseconds, one a line.
//   bench_node HOST CODE_FILE COUNT           runs it in one node host
//   bench_node HOST CODE_FILE COUNT check     only reads it, behind the walls
#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "flow/node_reader.h"
#include "run/node_client.h"

namespace {

// False when the work has failed.
template <typename Work>
bool repeat(int count, Work&& work) {
  for (; count > 0; --count) {
    const auto start = std::chrono::steady_clock::now();
    const bool is_good = work();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    if (!is_good) return false;
    fmt::print("{:.2f}\n", took.count());
  }
  return true;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4 && count != 5) return 2;
  std::ifstream file(words[2]);
  std::stringstream code;
  code << file.rdbuf();
  const nlohmann::json params = {{"code", code.str()}, {"inputs", {{"n", 3}}}};
  const std::string program = words[1];
  const int rounds = std::atoi(words[3]);
  if (count == 5) {
    airlock::flow::NodeReader reader(program);
    const airlock::flow::Node node{.id = "", .params = params};
    return repeat(rounds,
                  [&] {
                    const auto read = reader.read(node);
                    return read && read->problems.empty();
                  })
               ? 0
               : 1;
  }
  auto host = airlock::run::NodeClient::start(program, "{}");
  if (!host || !(*host)->await_ready()) return 1;
  const airlock::wire::NodeRequest request{.name = "", .params = params.dump(), .actions = ""};
  return repeat(rounds,
                [&] {
                  const auto done = (*host)->run(request, std::chrono::seconds(30));
                  if (!done || done->action != "default")
                    fmt::print(stderr, "{}\n", done ? done->error : "lost");
                  return done && done->action == "default";
                })
             ? 0
             : 1;
}
