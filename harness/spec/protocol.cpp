// `protocol:` of a spec: how its trials are measured.
#include <fmt/format.h>

#include <algorithm>

#include "harness/spec/spec.hpp"
#include "harness/spec/yaml_values.hpp"

namespace warpbench::harness {
namespace {

constexpr std::int64_t kMostRepetitions = 1'000'000;

}  // namespace

Protocol read_protocol(const Yaml& map) {
  const Section section(
      map, "protocol",
      {"warmup", "repetitions", "minimum_repetitions", "target_half_width", "timeout", "prepare_timeout",
       "include_transfers", "flush_l2", "pin_threads", "profile", "host_memory", "device_memory"});
  Protocol protocol;
  const auto integer = [&](const std::string& key, std::int64_t& field, std::int64_t low) {
    if (const YamlEntry* entry = section.find(key))
      field = read_integer(*entry->value, "protocol, " + key, low, kMostRepetitions);
  };
  const auto flag = [&](const std::string& key, bool& field) {
    if (const YamlEntry* entry = section.find(key)) field = read_flag(*entry->value, "protocol, " + key);
  };
  const auto duration = [&](const std::string& key, double& field) {
    if (const YamlEntry* entry = section.find(key)) field = read_duration(*entry->value, "protocol, " + key);
  };
  const auto size = [&](const std::string& key, double& field) {
    if (const YamlEntry* entry = section.find(key)) field = read_size(*entry->value, "protocol, " + key);
  };
  integer("warmup", protocol.warmup, 0);
  integer("repetitions", protocol.repetitions, 1);
  integer("minimum_repetitions", protocol.minimum_repetitions, 1);
  if (const YamlEntry* minimum = section.find("minimum_repetitions")) {
    if (protocol.minimum_repetitions > protocol.repetitions) {
      refuse(minimum->value->place,
             fmt::format("protocol, minimum_repetitions: expected at most repetitions, {}, found {}",
                         protocol.repetitions, protocol.minimum_repetitions));
    }
  }
  protocol.minimum_repetitions = std::min(protocol.minimum_repetitions, protocol.repetitions);
  if (const YamlEntry* width = section.find("target_half_width"))
    protocol.target_half_width = read_real(*width->value, "protocol, target_half_width", 0, 1);
  duration("timeout", protocol.timeout_seconds);
  duration("prepare_timeout", protocol.prepare_timeout_seconds);
  flag("include_transfers", protocol.include_transfers);
  flag("flush_l2", protocol.flush_l2);
  flag("pin_threads", protocol.pin_threads);
  flag("profile", protocol.profile);
  size("host_memory", protocol.host_memory_bytes);
  size("device_memory", protocol.device_memory_bytes);
  return protocol;
}

}  // namespace warpbench::harness
