// The transforms by name: changes to a dataset between its source and its use. Each is also a plain function, for
// solvers that relabel during preparation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/outline.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

struct TransformEntry {
  std::string name;
  std::string meaning;  // one line
  std::vector<ParameterDeclaration> parameters;
  Kind gives;  // None: the same kind as its input
  Content (*apply)(Content&& content, const Properties& resolved, int threads);
  void (*foresee)(Outline& outline, const Properties& resolved) = nullptr;  // none: its numbers stay as they are
};

/// All transforms, sorted by name.
[[nodiscard]] std::span<const TransformEntry> transforms();

/// The transform of that name; otherwise throws InputError(where) with the nearest name.
[[nodiscard]] const TransformEntry& transform_named(const std::string& where, const std::string& name);

/// Resolves `parameters` and applies the transform. Throws InputError, also for data of a kind that it does not accept.
[[nodiscard]] Content transform(Content content, const std::string& name, const Properties& parameters = {},
                                int threads = 0);

}  // namespace warpbench::datasets
