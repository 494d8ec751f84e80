#include <fmt/format.h>

#include <algorithm>

#include "harness/spec/spec.hpp"
#include "harness/spec/yaml_values.hpp"

namespace warpbench::harness {
namespace {

constexpr std::int64_t kMaxRepetitions = 1'000'000;

std::vector<std::string> keys() {
  std::vector<std::string> all;
  Protocol::for_each_field([&all](const auto& field) { all.emplace_back(field.key); });
  return all;
}

std::int64_t read_field(const YamlNode& node, const std::string& what, const Protocol::Field<std::int64_t>& field) {
  return read_integer(node, what, field.low, kMaxRepetitions);
}

bool read_field(const YamlNode& node, const std::string& what, const Protocol::Field<bool>& /*field*/) {
  return read_flag(node, what);
}

double read_field(const YamlNode& node, const std::string& what, const Protocol::Field<double>& field) {
  switch (field.unit) {
    case Protocol::Unit::seconds:
      return read_duration(node, what);
    case Protocol::Unit::bytes:
      return read_size(node, what);
    case Protocol::Unit::none:
      break;
  }
  return read_real(node, what, 0, 1);
}

}  // namespace

Protocol read_protocol(const Yaml& map) {
  const Section section(map, "protocol", keys());
  Protocol protocol;
  Protocol::for_each_field([&](const auto& field) {
    const std::string key(field.key);
    if (const YamlEntry* entry = section.find(key)) {
      protocol.*field.member = read_field(*entry->value, "protocol, " + key, field);
    }
  });
  if (const YamlEntry* minimum = section.find("minimum_repetitions")) {
    if (protocol.minimum_repetitions > protocol.repetitions) {
      refuse(minimum->value->place,
             fmt::format("protocol, minimum_repetitions: expected at most repetitions, {}, found {}",
                         protocol.repetitions, protocol.minimum_repetitions));
    }
  }
  protocol.minimum_repetitions = std::min(protocol.minimum_repetitions, protocol.repetitions);
  return protocol;
}

}  // namespace warpbench::harness
