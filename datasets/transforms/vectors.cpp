#include "datasets/transforms/vectors.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::uint64_t kHeldOut = 99;
constexpr std::size_t kVectorGrain = 1 << 12;

void append(std::vector<float>& out, std::span<const float> row) {
  out.insert(out.end(), row.begin(), row.end());
}

[[noreturn]] void fail(const std::string& transform, const std::string& expected, std::int64_t found) {
  throw InputError("transform " + transform, 0, expected, std::to_string(found));
}

Array<float> narrowed(const Array<float>& rows, std::size_t from, std::size_t to, int threads) {
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a vector set has a dimension
  const std::size_t count = rows.size() / from;
  std::vector<float> out(count * to);
  for_chunks(count, kVectorGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      std::copy_n(rows.begin() + i * from, to, out.begin() + static_cast<std::ptrdiff_t>(i * to));
    }
  });
  return out;
}

}  // namespace

Array<float> first_rows(const Array<float>& rows, std::int64_t dimension, std::int64_t count) {
  // The view owns a copy of the array, which keeps the memory alive.
  return {std::make_shared<const Array<float>>(rows), rows.span().first(static_cast<std::size_t>(dimension * count))};
}

VectorSet hold_out(const VectorSet& set, std::int64_t queries, std::uint64_t seed) {
  if (queries >= set.count()) {
    fail("hold_out", "fewer queries than the " + std::to_string(set.count()) + " points", queries);
  }
  const Permutation permutation(static_cast<std::uint64_t>(set.count()), seed, kHeldOut);
  std::vector<bool> held(static_cast<std::size_t>(set.count()), false);
  std::vector<float> held_out(set.queries.begin(), set.queries.end());
  for (std::int64_t i = 0; i < queries; ++i) {
    const std::uint64_t chosen = permutation(static_cast<std::uint64_t>(i));
    held[chosen] = true;
    append(held_out, set.point(static_cast<std::int64_t>(chosen)));
  }
  std::vector<float> left;
  left.reserve(static_cast<std::size_t>((set.count() - queries) * set.dimension()));
  for (std::int64_t i = 0; i < set.count(); ++i) {
    if (!held[static_cast<std::size_t>(i)]) append(left, set.point(i));
  }
  return {set.facts, std::move(left), std::move(held_out)};
}

VectorSet first_of(const VectorSet& set, std::int64_t points, std::int64_t queries) {
  if (points > set.count()) fail("first", "at least " + std::to_string(points) + " points", set.count());
  if (queries > set.query_count()) fail("first", "at least " + std::to_string(queries) + " queries", set.query_count());
  return {set.facts, points == 0 ? set.points : first_rows(set.points, set.dimension(), points),
          queries == 0 ? set.queries : first_rows(set.queries, set.dimension(), queries)};
}

VectorSet first_dimensions(const VectorSet& set, std::int64_t dimensions, int threads) {
  if (dimensions > set.dimension()) {
    fail("first_dimensions", "at least " + std::to_string(dimensions) + " dimensions", set.dimension());
  }
  const auto from = static_cast<std::size_t>(set.dimension());
  const auto to = static_cast<std::size_t>(dimensions);
  return {std::vector<std::uint32_t>{static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(set.metric())},
          narrowed(set.points, from, to, threads), narrowed(set.queries, from, to, threads)};
}

VectorSet with_metric(const VectorSet& set, Metric metric) {
  return {std::vector<std::uint32_t>{static_cast<std::uint32_t>(set.dimension()), static_cast<std::uint32_t>(metric)},
          set.points, set.queries};
}

}  // namespace warpbench::datasets
