// `warpbench datasets`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "datasets/dataset.hpp"
#include "datasets/input_error.hpp"
#include "datasets/io/fetch.hpp"
#include "harness/cli/commands.hpp"
#include "harness/spec/registry.hpp"
#include "harness/spec/yaml_values.hpp"

namespace warpbench::harness {
namespace {

const datasets::Source& named(const std::string& name) {
  const auto found_at = registry().find(name);
  if (found_at == registry().end()) {
    throw std::invalid_argument(fmt::format("unknown dataset '{}'{}; `warpbench datasets list` names them", name,
                                            did_you_mean(name, names_of(registry()))));
  }
  return found_at->second;
}

std::string availability(const datasets::Source& source, const std::filesystem::path& data) {
  const auto files = datasets::files_of(source);
  if (files.empty()) return source.stand_in ? "generated, stand-in" : "generated";
  std::string word = "there";
  for (const datasets::FileSource* file : files) {
    if (datasets::locate(*file, data)) continue;
    if (file->url.empty()) return "missing";
    word = "missing, can be fetched";
  }
  return word;
}

void print_all(const std::filesystem::path& data) {
  std::vector<std::vector<std::string>> rows{{"dataset", "kind", "where", "title"}};
  for (const auto& [name, source] : registry()) {
    const std::string kind = kind_text(source);
    rows.push_back({name, kind, availability(source, data), source.title});
  }
  std::cout << table(rows);
}

void print_fact(const std::string& name, const std::string& text) {
  if (!text.empty()) std::cout << fmt::format("  {:<12} {}\n", name, text);
}

std::string text_of(const datasets::Properties& properties) {
  std::string text;
  for (const auto& [name, value] : properties)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, datasets::to_string(value));
  return text;
}

void print_facts(const datasets::Source& source, const std::filesystem::path& data, bool measured) {
  std::cout << source.name << '\n';
  print_fact("title", source.title);
  if (source.kind) print_fact("kind", std::string(datasets::to_string(*source.kind)));
  print_fact("where", availability(source, data));
  if (const auto* file = std::get_if<datasets::FileSource>(&source.from)) {
    print_fact("file", file->path);
    print_fact("format", file->format);
    print_fact("url", file->url);
    print_fact("sha256", file->sha256);
    if (source.queries) print_fact("queries", source.queries->file.path);
    if (source.queries) print_fact("match", source.queries->match);
  } else {
    const auto& generator = std::get<datasets::GeneratorSource>(source.from);
    print_fact("generator", fmt::format("{} {}", generator.generator, text_of(generator.parameters)));
    print_fact("seed", std::to_string(generator.seed));
  }
  for (const datasets::TransformSource& transform : source.transforms)
    print_fact("transform", transform.name + ' ' + text_of(transform.parameters));
  print_fact("expected", text_of(source.expected));
  print_fact("published", text_of(source.published));
  if (!source.published.empty() && !measured)
    print_fact("measured", fmt::format("`warpbench datasets info {} --measure` sets it beside this", source.name));
  print_fact("citation", source.citation);
  print_fact("licence", source.licence);
  print_fact("declared at", source.declared_at);
}

/// A stand-in is off in a statistic that differs from the published one by more than this factor.
constexpr double kOffFactor = 1.5;

/// What a dataset should have at any scale. The claims' evaluation reads the same list
/// (plots/warpbench_plots/claims/stand_ins.py); the registry's README shows it.
constexpr std::array<std::string_view, 6> kScaleFree{"average_degree", "hubness",   "intrinsic_dimension",
                                                     "items_gini",     "mean_size", "skewed_share"};

std::optional<double> number_of(const datasets::Properties& properties, const std::string& name) {
  const auto found = properties.find(name);
  if (found == properties.end()) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&found->second)) return *real;
  return std::nullopt;
}

std::string shown(const datasets::Properties& properties, const std::string& name) {
  const auto found = properties.find(name);
  if (found == properties.end()) return "-";
  const auto* real = std::get_if<double>(&found->second);
  return real != nullptr ? fmt::format("{:.4g}", *real) : datasets::to_string(found->second);
}

/// At least 1; infinite if only one of the two is zero, or if their signs differ.
double factor_between(double a, double b) {
  if (a == b) return 1.0;
  if (a * b <= 0.0) return std::numeric_limits<double>::infinity();
  return std::max(a / b, b / a);
}

/// Statistics with what was published and what was measured. At another scale sizes are not compared.
void print_comparison(const datasets::Properties& published, const datasets::Properties& measured, bool scaled) {
  std::vector<std::vector<std::string>> rows{{"statistic", "published", "measured", "off by"}};
  std::string off;
  datasets::Properties all = published;
  all.insert(measured.begin(), measured.end());
  for (const auto& [name, value] : all) {
    const auto one = number_of(published, name);
    const auto other = number_of(measured, name);
    const bool compared = one && other && (!scaled || std::ranges::find(kScaleFree, name) != kScaleFree.end());
    const double factor = compared ? factor_between(*one, *other) : 1.0;
    rows.push_back({name, shown(published, name), shown(measured, name),
                    compared ? fmt::format("{:.3g} x", factor) : "not compared"});
    if (factor > kOffFactor) off += (off.empty() ? "" : ", ") + name;
  }
  std::cout << table(rows);
  std::cout << fmt::format("Off by more than {} x: {}\n", kOffFactor, off.empty() ? "nothing" : off);
}

/// The source at a share of its full size, which only a generator has.
datasets::Source scaled(datasets::Source source, double scale) {
  auto* generator = std::get_if<datasets::GeneratorSource>(&source.from);
  if (generator == nullptr)
    throw std::invalid_argument("--scale: expected a generated dataset, found one that is read from a file");
  generator->parameters["scale"] = scale;
  source.expected.clear();  // it describes the registered size
  return source;
}

int info(const datasets::Source& source, const DatasetsCommand& command) {
  print_facts(source, command.data, command.measure);
  if (!command.measure) return kAllWell;
  const bool other_scale = command.scale > 0.0;
  datasets::LoadOptions options;
  options.data_dir = command.data;
  options.max_inflation = command.max_inflation;
  const datasets::Dataset dataset = datasets::load(other_scale ? scaled(source, command.scale) : source, options);
  datasets::Properties measured = dataset.properties;
  std::erase_if(measured, [](const auto& one) { return one.first.starts_with("published_"); });
  const auto* generator = std::get_if<datasets::GeneratorSource>(&source.from);
  const bool registered_scaled = generator != nullptr && number_of(generator->parameters, "scale").value_or(1.0) != 1.0;
  print_comparison(source.published, measured, other_scale ? command.scale != 1.0 : registered_scaled);
  return kAllWell;
}

/// Returns one sentence about what was done. A file that is already there is left alone.
std::string fetch_file(const datasets::FileSource& file, const std::filesystem::path& data) {
  if (const auto there = datasets::locate(file, data)) return fmt::format("{} is already there", there->string());
  if (file.url.empty()) {
    throw datasets::InputError(file.path, 0, "a URL in the registry", "none",
                               fmt::format("put the file at {}", (data / file.path).string()));
  }
  const std::filesystem::path target = datasets::fetch_destination(file, data);
  std::filesystem::create_directories(target.parent_path());
  const std::string sha256 = datasets::fetch(file.url, target, file.sha256);
  return fmt::format("fetched {} ({} bytes, SHA-256 {})", target.string(), std::filesystem::file_size(target), sha256);
}

int fetch_one(const datasets::Source& source, const std::filesystem::path& data) {
  const auto files = datasets::files_of(source);
  if (files.empty()) std::cout << source.name << ": is generated, nothing to fetch\n";
  for (const datasets::FileSource* file : files) std::cout << source.name << ": " << fetch_file(*file, data) << '\n';
  return kAllWell;
}

/// Reads or generates the dataset without the cache and checks its SHA-256 and its expected properties.
int verify_one(const datasets::Source& source, const DatasetsCommand& command) {
  datasets::LoadOptions options;
  options.data_dir = command.data;
  options.max_inflation = command.max_inflation;
  const datasets::Dataset dataset = datasets::load(source, options);
  datasets::validate(dataset.data);
  std::cout << fmt::format("{}: all well, digest {}, {}\n", source.name, dataset.digest, text_of(dataset.properties));
  return kAllWell;
}

}  // namespace

int datasets_command(const DatasetsCommand& command) {
  if (command.what == "list") {
    print_all(command.data);
    return kAllWell;
  }
  if (command.names.empty())
    throw std::invalid_argument(fmt::format("datasets {}: expected the name of a dataset, found none", command.what));
  for (const std::string& name : command.names) static_cast<void>(named(name));  // check all names before any work
  int worst = kAllWell;
  for (const std::string& name : command.names) {
    try {
      const datasets::Source& source = named(name);
      if (command.what == "info") worst = std::max(worst, info(source, command));
      if (command.what == "fetch") worst = std::max(worst, fetch_one(source, command.data));
      if (command.what == "verify") worst = std::max(worst, verify_one(source, command));
    } catch (const std::exception& error) {
      std::cerr << fmt::format("{}: {}\n", name, error.what());
      worst = kSomeNotOk;
    }
  }
  return worst;
}

}  // namespace warpbench::harness
