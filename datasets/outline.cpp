#include "datasets/outline.hpp"

#include <cmath>
#include <string>

#include "datasets/generators/generators.hpp"
#include "datasets/kind.hpp"
#include "datasets/loaders/formats.hpp"
#include "datasets/parameters/declared.hpp"
#include "datasets/transforms/transforms.hpp"

namespace warpbench::datasets {
namespace {

/// The resolved parameter of that name, of those that `scale` does not change; nothing if the generator has none.
std::optional<std::int64_t> fixed(const Properties& parameters, const std::string& name) {
  const auto found = parameters.find(name);
  if (found == parameters.end()) return std::nullopt;
  return integer(parameters, name);
}

/// The same times the scale, as generators round it.
std::optional<std::int64_t> scaled(const Properties& parameters, const std::string& name) {
  const auto full = fixed(parameters, name);
  if (!full || !parameters.contains("scale")) return full;
  return std::llround(static_cast<double>(*full) * real(parameters, "scale"));
}

Outline of_file(const Source& source, const FileSource& file) {
  Outline outline;
  if (source.queries) return outline;
  const Kind kind = format_named(source.name, file.format).kind;
  // The one format of vectors with queries; no format of ratings has test ratings.
  if (kind == Kind::Vectors && file.format != "hdf5") outline.queries = 0;
  if (kind == Kind::Ratings) outline.test_ratings = 0;
  return outline;
}

Outline of_generator(const Source& source, const GeneratorSource& from) {
  const Generator& generator = generator_named(source.name, from.generator);
  const Properties parameters = resolve(source.name, generator.parameters, from.parameters);
  Outline outline;
  if (generator.kind == Kind::Vectors) outline.queries = fixed(parameters, "queries");
  if (generator.kind == Kind::Ratings) outline.test_ratings = scaled(parameters, "test_ratings");
  if (generator.kind == Kind::Sets) outline.sets = scaled(parameters, "sets");
  return outline;
}

}  // namespace

Outline outline_of(const Source& source) {
  const auto* file = std::get_if<FileSource>(&source.from);
  Outline outline =
      file != nullptr ? of_file(source, *file) : of_generator(source, std::get<GeneratorSource>(source.from));
  for (const TransformSource& one : source.transforms) {
    const TransformEntry& transform = transform_named(source.name, one.name);
    const Properties values = resolve(source.name, transform.parameters, one.parameters);
    if (transform.foresee != nullptr) transform.foresee(outline, values);
  }
  return outline;
}

}  // namespace warpbench::datasets
