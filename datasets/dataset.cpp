#include "datasets/dataset.hpp"

#include <algorithm>
#include <type_traits>

#include "datasets/input_error.hpp"
#include "datasets/io/digest.hpp"

namespace warpbench::datasets {
namespace {

template <typename Model>
constexpr bool kIsNothing = std::is_same_v<std::decay_t<Model>, std::monostate>;

}  // namespace

Kind kind_of(const Data& data) noexcept {
  return std::visit(
      [](const auto& model) {
        if constexpr (kIsNothing<decltype(model)>) {
          return Kind::None;
        } else {
          return std::decay_t<decltype(model)>::kKind;
        }
      },
      data);
}

std::string digest_of(const Data& data) {
  Digest digest;
  digest.add(to_string(kind_of(data)));
  std::visit(
      [&digest](const auto& model) {
        if constexpr (!kIsNothing<decltype(model)>) {
          std::decay_t<decltype(model)>::visit_arrays(model, [&digest](std::string_view name, const auto& array) {
            digest.add(name);
            digest.add(static_cast<std::uint64_t>(sizeof(*array.data())));
            digest.add(static_cast<std::uint64_t>(array.size()));
            digest.add(std::as_bytes(array.span()));
          });
        }
      },
      data);
  return digest.hex();
}

Properties describe(const Data& data) {
  return std::visit(
      [](const auto& model) -> Properties {
        if constexpr (kIsNothing<decltype(model)>) {
          return {};
        } else {
          return model.describe();
        }
      },
      data);
}

void validate(const Data& data) {
  std::visit(
      [](const auto& model) {
        if constexpr (!kIsNothing<decltype(model)>) model.validate();
      },
      data);
}

std::vector<std::string> Dataset::names_of_queries() const {
  std::vector<std::string> names;
  for (auto at = query_names.begin(); at != query_names.end();) {
    const auto end = std::find(at, query_names.end(), '\n');
    names.emplace_back(at, end);
    at = end + 1;
  }
  return names;
}

void Dataset::throw_wrong_kind(Kind wanted) const {
  throw InputError("dataset " + name, 0, "data of kind " + std::string(to_string(wanted)),
                   std::string(to_string(kind)));
}

}  // namespace warpbench::datasets
