#include "harness/spec/yaml_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace warpbench::harness {
namespace {

[[noreturn]] void mismatch(const YamlNode& node, const std::string& what, const std::string& expected) {
  refuse(node.place, fmt::format("{}: expected {}, found {}", what, expected, found(node)));
}

/// Digits with an optional sign and no leading zero (YAML 1.1 would read 010 as 8).
bool looks_whole(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return false;
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// The number that the whole `text` spells, if any: 1.5, .5, 1e6. A number beyond double's range becomes infinite.
std::optional<double> decimal(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::string_view unsigned_text = text.substr(text.starts_with('-') ? 1 : 0);
  const bool octal =
      unsigned_text.size() > 1 && unsigned_text[0] == '0' && unsigned_text[1] >= '0' && unsigned_text[1] <= '9';
  if (octal) return {};
  const auto digits = text.find_first_of("0123456789");
  if (digits == std::string_view::npos || text.find_first_not_of("+-.0123456789eE") != std::string_view::npos)
    return {};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return {};
  if (error == std::errc::result_out_of_range) return std::strtod(std::string(text).c_str(), nullptr);
  return number;
}

bool is_special(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (text.starts_with('-') || text.starts_with('+')) text.erase(0, 1);
  return text == ".nan" || text == ".inf" || text == "nan" || text == "inf" || text == "infinity";
}

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array<Unit, 5> kDurations{{{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}}};
constexpr double kLongestDuration = 30 * 86400.0;
constexpr std::array<Unit, 9> kSizes{{{"", 1},
                                      {"B", 1},
                                      {"KiB", 1024.0},
                                      {"MiB", 1048576.0},
                                      {"GiB", 1073741824.0},
                                      {"TiB", 1099511627776.0},
                                      {"kB", 1e3},
                                      {"MB", 1e6},
                                      {"GB", 1e9}}};
constexpr double kLargestSize = 1152921504606846976.0;  // 2^60

/// A decimal number followed by a unit, in the unit's base; nothing for any other text.
std::optional<double> with_unit(const std::string& text, std::span<const Unit> units) {
  const auto end = text.find_first_not_of("0123456789.");
  const std::string number = text.substr(0, end);
  const std::string name = end == std::string::npos ? "" : text.substr(text.find_first_not_of(' ', end));
  const auto unit = std::ranges::find(units, name, &Unit::name);
  const auto value = decimal(number);
  if (unit == units.end() || !value) return {};
  return *value * unit->factor;
}

}  // namespace

std::string found(const YamlNode& node) {
  switch (node.type) {
    case YamlNode::Type::null:
      return "nothing";
    case YamlNode::Type::scalar:
      return node.quoted ? fmt::format("the text '{}'", node.text) : fmt::format("'{}'", node.text);
    case YamlNode::Type::list:
      return node.items.empty() ? "an empty list" : "a list";
    case YamlNode::Type::map:
      return node.entries.empty() ? "an empty map" : "a map";
  }
  return "?";
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest_name(word, known);
  return near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near);
}

std::string listed(const std::vector<std::string>& words) {
  if (words.empty()) return "none";
  return fmt::format("{}", fmt::join(words, ", "));
}

Section::Section(Yaml node, std::string what, const std::vector<std::string>& known)
    : node_(std::move(node)), what_(std::move(what)) {
  for (const YamlEntry& entry : read_map(*node_, what_)) {
    if (std::ranges::find(known, entry.key) != known.end()) continue;
    refuse(entry.place, fmt::format("{}: unknown key '{}'{}; known: {}", what_, entry.key,
                                    did_you_mean(entry.key, known), listed(known)));
  }
}

const YamlEntry& Section::need(const std::string& key) const {
  const YamlEntry* entry = find(key);
  if (entry == nullptr) refuse(node_->place, fmt::format("{}: expected a key '{}', found none", what_, key));
  return *entry;
}

const std::vector<YamlEntry>& read_map(const YamlNode& node, const std::string& what) {
  if (node.type != YamlNode::Type::map || node.entries.empty())
    mismatch(node, what, node.type == YamlNode::Type::map ? "at least one key" : "a map of keys");
  return node.entries;
}

const std::vector<Yaml>& read_list(const YamlNode& node, const std::string& what) {
  if (node.type != YamlNode::Type::list || node.items.empty())
    mismatch(node, what, node.type == YamlNode::Type::list ? "at least one entry" : "a list");
  return node.items;
}

std::string read_text(const YamlNode& node, const std::string& what) {
  if (node.type != YamlNode::Type::scalar || node.text.empty()) mismatch(node, what, "a text");
  return node.text;
}

Value read_value(const YamlNode& node, const std::string& what) {
  if (node.type != YamlNode::Type::scalar) mismatch(node, what, "a value");
  if (node.quoted) return node.text;
  if (node.text == "true") return true;
  if (node.text == "false") return false;
  if (is_special(node.text)) mismatch(node, what, "a finite number");
  if (looks_whole(node.text)) {
    const std::string_view digits = std::string_view(node.text).substr(node.text.front() == '+' ? 1 : 0);
    std::int64_t number = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc())
      mismatch(node, what, "a whole number of at most 64 bits");
    return number;
  }
  if (const auto number = decimal(node.text)) {
    if (!std::isfinite(*number)) mismatch(node, what, "a finite number");
    return *number;
  }
  return node.text;
}

bool read_flag(const YamlNode& node, const std::string& what) {
  if (node.type == YamlNode::Type::scalar && !node.quoted) {
    if (node.text == "true") return true;
    if (node.text == "false") return false;
  }
  mismatch(node, what, "true or false");
}

std::int64_t read_integer(const YamlNode& node, const std::string& what, std::int64_t low, std::int64_t high) {
  const std::string expected = fmt::format("a whole number from {} to {}", low, high);
  if (node.type != YamlNode::Type::scalar) mismatch(node, what, expected);
  const Value value = read_value(node, what);
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr || *number < low || *number > high) mismatch(node, what, expected);
  return *number;
}

double read_real(const YamlNode& node, const std::string& what, double low, double high) {
  const std::string expected = fmt::format("a number from {} to {}", low, high);
  if (node.type != YamlNode::Type::scalar) mismatch(node, what, expected);
  const Value value = read_value(node, what);
  const auto* whole = std::get_if<std::int64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  if (whole == nullptr && real == nullptr) mismatch(node, what, expected);
  const double number = whole != nullptr ? static_cast<double>(*whole) : *real;
  if (number < low || number > high) mismatch(node, what, expected);
  return number;
}

double read_duration(const YamlNode& node, const std::string& what) {
  const auto seconds = node.type == YamlNode::Type::scalar ? with_unit(node.text, kDurations) : std::nullopt;
  if (!seconds || !(*seconds > 0) || *seconds > kLongestDuration)
    mismatch(node, what, "a duration of at most 30d such as 500ms, 300s, 5min or 2h");
  return *seconds;
}

std::optional<std::int64_t> size_of(const std::string& text) {
  const std::optional<double> bytes = with_unit(text, kSizes);
  if (!bytes || !(*bytes >= 0) || *bytes > kLargestSize) return std::nullopt;
  return static_cast<std::int64_t>(*bytes);
}

double read_size(const YamlNode& node, const std::string& what) {
  const auto bytes = node.type == YamlNode::Type::scalar ? size_of(node.text) : std::nullopt;
  if (!bytes || *bytes < 1) mismatch(node, what, "a size such as 8GiB, 512MiB or 4096");
  return static_cast<double>(*bytes);
}

}  // namespace warpbench::harness
