// `warpbench export`.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "harness/cli/commands.hpp"
#include "harness/process/durable.hpp"
#include "harness/record/environment_json.hpp"
#include "harness/record/google_benchmark.hpp"
#include "harness/record/results_file.hpp"

namespace warpbench::harness {

int export_run(const ExportCommand& command) {
  const std::vector<Record> records = read_run(command.run);
  std::optional<Environment> environment;
  if (const auto file = command.run / "environment.json"; std::filesystem::exists(file)) {
    environment = read_environment(file);
  }
  const std::string json = to_google_benchmark(records, environment);
  if (command.out.empty()) {
    std::cout << json;
  } else {
    replace_file(command.out, json);
  }
  const auto left_out = std::ranges::count_if(records, [](const Record& record) { return !record.timed(); });
  if (left_out > 0) {
    std::cerr << fmt::format("{} of {} records are left out: they have no time that counts\n", left_out,
                             records.size());
  }
  return kAllWell;
}

}  // namespace warpbench::harness
