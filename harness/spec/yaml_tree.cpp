#include "harness/spec/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/spec/spec.hpp"
#include "harness/spec/spec_error.hpp"
#include "harness/spec/utf8.hpp"

namespace warpbench::harness {
namespace {

using FileName = std::shared_ptr<const std::string>;

std::size_t saturating_add(std::size_t a, std::size_t b) {
  return a > std::numeric_limits<std::size_t>::max() - b ? std::numeric_limits<std::size_t>::max() : a + b;
}

/// Builds the tree from yaml-cpp's events. yaml-cpp's own Node is not used, because it keeps duplicate keys silently,
/// loses the places of keys, and expands aliases without a limit.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(FileName file, const std::string& source) : file_(std::move(file)), source_(source) {}

  [[nodiscard]] Yaml take_document() { return std::move(document_); }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    auto node = make(mark, YamlNode::Type::null);
    if (!open_.empty()) {
      if (const std::optional<Key>& key = open_.back().key) node->place = key->place;
    }
    remember(anchor, node);
    add(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) refuse(place(mark), "an alias stands inside the value it names, which has no end");
    add(found->second, place(mark));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    auto node = make(mark, YamlNode::Type::scalar);
    node->quoted = tag == "!";
    if (tag != "!" && tag != "?" && !tag.empty())
      refuse(node->place, fmt::format("tags such as '{}' have no meaning here", tag));
    if (node->quoted) check_closed(mark);
    node->text = value;
    remember(anchor, node);
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, anchor, YamlNode::Type::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, anchor, YamlNode::Type::map);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Key {
    std::string text;
    Place place;
  };
  struct Open {
    std::shared_ptr<YamlNode> node;
    YAML::anchor_t anchor;
    std::optional<Key> key;            // maps: the key whose value comes next
    std::map<std::string, int> lines;  // maps: the line of each key
  };

  Place place(const YAML::Mark& mark) const { return {file_, mark.line + 1, mark.column + 1}; }

  std::shared_ptr<YamlNode> make(const YAML::Mark& mark, YamlNode::Type type) {
    auto node = std::make_shared<YamlNode>();
    node->type = type;
    node->place = place(mark);
    return node;
  }

  void remember(YAML::anchor_t anchor, const Yaml& node) {
    if (anchor != 0) anchors_[anchor] = node;
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlNode::Type type) {
    auto node = make(mark, type);
    if (tag != "?" && tag != "!" && !tag.empty())
      refuse(node->place, fmt::format("tags such as '{}' have no meaning here", tag));
    if (open_.size() >= static_cast<std::size_t>(kMaxYamlDepth))
      refuse(node->place, fmt::format("nested deeper than {} levels", kMaxYamlDepth));
    if (anchor != 0) anchors_.erase(anchor);
    open_.push_back({std::move(node), anchor, std::nullopt, {}});
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    remember(done.anchor, done.node);
    add(std::move(done.node));
  }

  void add(const Yaml& node) { add(node, node->place); }

  void add(const Yaml& node, const Place& at) {
    if (open_.empty()) {
      document_ = node;
      return;
    }
    Open& parent = open_.back();
    parent.node->nodes = saturating_add(parent.node->nodes, node->nodes);
    if (parent.node->nodes > kMaxYamlNodes)
      refuse(at, fmt::format("more than {} values, aliases counted as often as they are used", kMaxYamlNodes));
    if (parent.node->type == YamlNode::Type::list) {
      parent.node->items.push_back(node);
    } else if (!parent.key) {
      take_key(parent, *node, at);
    } else {
      parent.node->entries.push_back({std::move(parent.key->text), std::move(parent.key->place), node});
      parent.key.reset();
    }
  }

  static void take_key(Open& parent, const YamlNode& node, const Place& at) {
    if (node.type != YamlNode::Type::scalar) refuse(at, "expected a word as key");
    const auto [first, fresh] = parent.lines.emplace(node.text, at.line);
    if (!fresh) refuse(at, fmt::format("key '{}' is given twice, first in line {}", node.text, first->second));
    parent.key = Key{node.text, at};
  }

  /// Refuses an unclosed quote: yaml-cpp accepts the end of the file in its place.
  void check_closed(const YAML::Mark& mark) const {
    auto at = static_cast<std::size_t>(mark.pos);
    const char quote = at < source_.size() ? source_[at] : ' ';
    if (quote != '"' && quote != '\'') return;  // an anchor precedes the quote
    for (++at; at < source_.size(); ++at) {
      if (quote == '"' && source_[at] == '\\')
        ++at;
      else if (source_[at] == quote)
        return;
    }
    refuse(place(mark), "expected a closing quote, found the end of the file");
  }

  FileName file_;
  const std::string& source_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Yaml> anchors_;
  Yaml document_;
};

void check_bytes(const std::string& text, const FileName& file) {
  if (text.size() > kMaxYamlBytes)
    refuse({file, 1, 1}, fmt::format("expected at most {} bytes, found {}", kMaxYamlBytes, text.size()));
  if (text.starts_with("\xEF\xBB\xBF")) refuse({file, 1, 1}, "expected UTF-8 without a byte order mark, found one");
  const auto bad = first_bad_byte(text);
  if (!bad) return;
  const auto before = text.substr(0, *bad);
  const auto line = static_cast<int>(std::ranges::count(before, '\n')) + 1;
  const auto column =
      static_cast<int>(*bad - (before.rfind('\n') + 1)) + 1;  // correct on the first line too: npos + 1 = 0
  refuse({file, line, column},
         fmt::format("expected UTF-8 text, found byte 0x{:02X}", static_cast<unsigned char>(text[*bad])));
}

void emit(YAML::Emitter& out, const YamlNode& node) {
  switch (node.type) {
    case YamlNode::Type::null:
      out << YAML::Null;
      break;
    case YamlNode::Type::scalar:
      if (node.quoted) out << YAML::DoubleQuoted;
      out << node.text;
      break;
    case YamlNode::Type::list:
      out << YAML::Flow << YAML::BeginSeq;
      for (const Yaml& item : node.items) emit(out, *item);
      out << YAML::EndSeq;
      break;
    case YamlNode::Type::map:
      out << YAML::BeginMap;
      for (const YamlEntry& entry : node.entries) {
        out << YAML::Key << entry.key << YAML::Value;
        emit(out, *entry.value);
      }
      out << YAML::EndMap;
      break;
  }
}

/// yaml-cpp's message without the anchor's name, which version 0.8 appends and 0.7 does not.
std::string reason(const std::string& message) {
  constexpr std::string_view kUnknownAnchor = "the referenced anchor is not defined";
  return message.starts_with(kUnknownAnchor) ? std::string(kUnknownAnchor) : message;
}

}  // namespace

void refuse(const Place& place, const std::string& message) {
  throw SpecError(*place.file, place.line, place.column, message);
}

const YamlEntry* YamlNode::find(const std::string& key) const {
  const auto found = std::ranges::find(entries, key, &YamlEntry::key);
  return found == entries.end() ? nullptr : &*found;
}

Yaml parse_yaml(const std::string& text, const std::string& name) {
  const auto file = std::make_shared<const std::string>(name);
  check_bytes(text, file);
  std::istringstream stream(text);
  TreeBuilder builder(file, text);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) refuse({file, 1, 1}, "expected a map of keys, found an empty file");
    Yaml document = builder.take_document();
    TreeBuilder rest(file, text);
    if (parser.HandleNextDocument(rest)) {
      const Yaml second = rest.take_document();
      refuse(second->place, "expected one document, found a second");
    }
    return document;
  } catch (const YAML::Exception& error) {
    const int line = error.mark.is_null() ? 1 : error.mark.line + 1;
    const int column = error.mark.is_null() ? 1 : error.mark.column + 1;
    refuse({file, line, column}, "not YAML: " + reason(error.msg));
  }
}

std::string read_yaml_text(const std::filesystem::path& file) {
  const Place place{std::make_shared<const std::string>(file.string()), 1, 1};
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) refuse(place, "expected a YAML file, found nothing of that name");
  if (std::filesystem::is_directory(status)) refuse(place, "expected a YAML file, found a directory");
  if (!std::filesystem::is_regular_file(status))
    refuse(place, "expected a YAML file, found something that is no regular file");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(place, fmt::format("cannot be opened: {}", std::strerror(errno)));
  std::string text(kMaxYamlBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) refuse(place, fmt::format("cannot be read: {}", std::strerror(errno)));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kMaxYamlBytes) refuse(place, fmt::format("expected at most {} bytes, found more", kMaxYamlBytes));
  return text;
}

Yaml with_value(const Yaml& tree, const std::string& path, const Yaml& value) {
  if (tree && tree->type != YamlNode::Type::map)
    refuse(value->place, fmt::format("'{}' leads through something that is no map", path));
  auto copy = tree ? std::make_shared<YamlNode>(*tree) : std::make_shared<YamlNode>();
  if (!tree) {
    copy->type = YamlNode::Type::map;
    copy->place = value->place;
  }
  const auto dot = path.find('.');
  const std::string key = path.substr(0, dot);
  if (key.empty()) refuse(value->place, "expected a path such as protocol.repetitions, found an empty word in it");
  const YamlEntry* old = copy->find(key);
  Yaml below =
      dot == std::string::npos ? value : with_value(old == nullptr ? nullptr : old->value, path.substr(dot + 1), value);
  if (old == nullptr) {
    copy->entries.push_back({key, value->place, std::move(below)});
  } else {
    YamlEntry& entry = copy->entries[static_cast<std::size_t>(old - copy->entries.data())];
    entry.value = std::move(below);
  }
  return copy;
}

std::string to_text(const YamlNode& tree) {
  YAML::Emitter out;
  emit(out, tree);
  return std::string(out.c_str()) + '\n';
}

}  // namespace warpbench::harness
