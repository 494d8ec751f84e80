// YAML tree: a YAML file as maps, lists and scalars that know their place. Specs, suites and the dataset registry build
// on it. It is stricter than YAML: one document of UTF-8 without a byte order mark, scalar keys, no key twice, no tags,
// at most 1 MiB, 64 levels and 100,000 nodes. Aliases count as often as they are used, so that an alias bomb is refused
// before anyone expands it. Only yaml_tree.cpp knows yaml-cpp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace warpbench::harness {

inline constexpr std::size_t kMaxYamlBytes = 1024 * 1024;
inline constexpr std::size_t kMaxYamlNodes = 100'000;
inline constexpr int kMaxYamlDepth = 64;

/// The place of a node; lines and columns count from 1, columns in bytes.
struct Place {
  std::shared_ptr<const std::string> file;
  int line = 1;
  int column = 1;
};

/// Throws SpecError: `file:line:column: message`.
[[noreturn]] void refuse(const Place& place, const std::string& message);

struct YamlNode;
/// Shared, because an alias is the very node that it names.
using Yaml = std::shared_ptr<const YamlNode>;

struct YamlEntry {
  std::string key;
  Place place;  ///< place of the key
  Yaml value;
};

struct YamlNode {
  enum class Type { null, scalar, list, map };

  Type type = Type::null;
  Place place;
  std::string text;                ///< of scalars
  bool quoted = false;             ///< of scalars: "1" is a text, 1 is a number
  std::vector<Yaml> items;         ///< of lists
  std::vector<YamlEntry> entries;  ///< of maps, in file order
  std::size_t nodes = 1;           ///< in the subtree, aliases expanded; saturates

  /// The entry with that key, or nullptr.
  [[nodiscard]] const YamlEntry* find(const std::string& key) const;
};

/// Parses the one document of `text`; `name` is the file name in messages. Throws SpecError.
[[nodiscard]] Yaml parse_yaml(const std::string& text, const std::string& name);

/// The bytes of a file of at most kMaxYamlBytes. Throws SpecError for a missing or unreadable file, a directory, or
/// a larger one.
[[nodiscard]] std::string read_yaml_text(const std::filesystem::path& file);

/// `tree` with the value at `path` (`protocol.repetitions`) replaced or added; missing maps on the way are created.
/// Throws SpecError at `value`'s place if the path leads through a node that is not a map.
[[nodiscard]] Yaml with_value(const Yaml& tree, const std::string& path, const Yaml& value);

/// YAML text that parses to an equal tree; aliases are written out.
[[nodiscard]] std::string to_text(const YamlNode& tree);

}  // namespace warpbench::harness
