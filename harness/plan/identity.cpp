#include "harness/plan/identity.hpp"

#include <fmt/format.h>

#include <map>
#include <span>

#include "datasets/io/digest.hpp"

namespace warpbench::harness {
namespace {

void put_text(std::string& out, const std::string& text) {
  out += fmt::format("t{}:{};", text.size(), text);
}

struct PutValue {
  std::string& out;
  void operator()(bool value) const { out += value ? "b1;" : "b0;"; }
  void operator()(std::int64_t value) const { out += fmt::format("i{};", value); }
  void operator()(double value) const { out += fmt::format("r{};", value == 0 ? 0.0 : value); }  // turns -0 into 0
  void operator()(const std::string& value) const { put_text(out, value); }
};

template <typename Map>
void put_values(std::string& out, const Map& values) {
  out += fmt::format("m{}:", values.size());
  for (const auto& [name, value] : values) {
    put_text(out, name);
    std::visit(PutValue{out}, value);
  }
}

void put_file(std::string& out, const datasets::FileSource& file) {
  for (const std::string& part : {std::string("file"), file.path, file.format, file.sha256, file.member})
    put_text(out, part);
  out += fmt::format("m{}:", file.options.size());
  for (const auto& [name, value] : file.options) {
    put_text(out, name);
    put_text(out, value);
  }
}

}  // namespace

std::string canonical_text(const Parameters& parameters) {
  std::string text;
  put_values(text, parameters.values());
  return text;
}

std::string canonical_text(const datasets::Source& source) {
  std::string text;
  put_text(text, source.name);
  if (const auto* file = std::get_if<datasets::FileSource>(&source.from)) {
    put_file(text, *file);
  } else {
    const auto& generator = std::get<datasets::GeneratorSource>(source.from);
    put_text(text, "generator");
    put_text(text, generator.generator);
    put_values(text, generator.parameters);
    text += fmt::format("s{};", generator.seed);
  }
  if (source.queries) {
    put_text(text, "queries");
    put_file(text, source.queries->file);
    text += fmt::format("f{};", source.queries->first);
    if (!source.queries->match.empty()) put_text(text, source.queries->match);
  }
  text += fmt::format("n{}:", source.transforms.size());
  for (const datasets::TransformSource& transform : source.transforms) {
    put_text(text, transform.name);
    put_values(text, transform.parameters);
  }
  return text;
}

std::string canonical_text(const NamedDataset& dataset) {
  std::string text = canonical_text(dataset.source);
  put_values(text, dataset.extra);
  return text;
}

std::string canonical_text(const Protocol& protocol) {
  std::map<std::string, Value> meaning;
  Protocol::for_each_field([&](const auto& field) {
    if (field.identifies) meaning.emplace(field.key, protocol.*field.member);
  });
  std::string text;
  put_values(text, meaning);
  return text;
}

std::string trial_id(const Trial& trial, const std::string& dataset, const std::string& protocol) {
  std::string text = "warpbench trial 1;";
  put_text(text, trial.problem);
  put_text(text, canonical_text(trial.task));
  put_text(text, dataset);
  put_text(text, trial.solver);
  put_text(text, canonical_text(trial.parameters));
  put_text(text, protocol);
  return fmt::format("{:016x}", datasets::checksum(std::as_bytes(std::span(text))));
}

}  // namespace warpbench::harness
