// YAML values: typed readings of a YAML tree. Each refuses what it cannot read and names the place, what was expected
// and what was found. All functions throw SpecError.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/spec/yaml_tree.hpp"
#include "problems/parameters.hpp"

namespace warpbench::harness {

/// A node as messages quote it: "'abc'", "a list", "a map" or "nothing".
[[nodiscard]] std::string found(const YamlNode& node);

/// " (did you mean 'x'?)", or "" if no known word is near.
[[nodiscard]] std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

/// "a, b, c", or "none".
[[nodiscard]] std::string listed(const std::vector<std::string>& words);

/// A map with a fixed set of keys. `what` names it in messages: "protocol", "a dataset".
class Section {
 public:
  /// Refuses a node that is not a map, an empty map, and any key that is not in `known`.
  Section(Yaml node, std::string what, const std::vector<std::string>& known);

  /// nullptr if the key is missing.
  [[nodiscard]] const YamlEntry* find(const std::string& key) const { return node_->find(key); }
  /// Refuses the section if the key is missing.
  [[nodiscard]] const YamlEntry& need(const std::string& key) const;

 private:
  Yaml node_;
  std::string what_;
};

/// The entries of `node`. Refuses other types and an empty map.
[[nodiscard]] const std::vector<YamlEntry>& read_map(const YamlNode& node, const std::string& what);
/// The items of `node`. Refuses other types and an empty list.
[[nodiscard]] const std::vector<Yaml>& read_list(const YamlNode& node, const std::string& what);

/// A text, quoted or not, not empty.
[[nodiscard]] std::string read_text(const YamlNode& node, const std::string& what);
/// true, false, a whole number of 64 bits, a finite number, or a text: plain `1` is whole, `1.0` and `1e3` are real,
/// `"1"` is a text. Refuses lists, maps, nothing, NaN, infinities and numbers beyond the range of their type.
[[nodiscard]] Value read_value(const YamlNode& node, const std::string& what);
[[nodiscard]] bool read_flag(const YamlNode& node, const std::string& what);
[[nodiscard]] std::int64_t read_integer(const YamlNode& node, const std::string& what, std::int64_t low,
                                        std::int64_t high);
[[nodiscard]] double read_real(const YamlNode& node, const std::string& what, double low, double high);
/// `500ms`, `300s`, `5min`, `2h`, in seconds; above 0 and at most 30 days. A bare number has no unit and is refused.
[[nodiscard]] double read_duration(const YamlNode& node, const std::string& what);
/// The bytes of `8GiB`, `512MiB`, `64KiB`, `10GB`, `100MB`, `5kB` or `4096`, at most 2^60; nothing for any other text.
std::optional<std::int64_t> size_of(const std::string& text);

/// The number of bytes that size_of() reads, from 1 to 2^60.
[[nodiscard]] double read_size(const YamlNode& node, const std::string& what);

}  // namespace warpbench::harness
