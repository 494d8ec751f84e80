#include "baselines/subgraph_matching/cbwj/pipeline.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpbench::matching::cbwj {

HashedMatches::HashedMatches(std::vector<Vertex> vertices, const std::vector<Vertex>& key, std::vector<Vertex> rows)
    : width_(vertices.size()), key_(key), rows_(std::move(rows)) {
  for (const Vertex u : key) {
    key_columns_.push_back(static_cast<std::size_t>(std::ranges::find(vertices, u) - vertices.begin()));
  }
  for (std::size_t column = 0; column < width_; ++column) {
    if (std::ranges::find(key, vertices[column]) != key.end()) continue;
    added_.push_back(vertices[column]);
    added_columns_.push_back(column);
  }
  const std::uint64_t count = rows_.size() / width_;  // NOLINT(clang-analyzer-core.DivideZero): of a vertex or more
  heads_.assign(std::bit_ceil(count + 1), kNone<std::uint64_t>);
  next_.assign(count, kNone<std::uint64_t>);
  for (std::uint64_t row = 0; row < count; ++row) {
    std::uint64_t& head = heads_[bucket_of([&](std::size_t i) { return rows_[row * width_ + key_columns_[i]]; })];
    next_[row] = std::exchange(head, row);
  }
}

std::uint64_t HashedMatches::bytes() const {
  return rows_.size() * sizeof(Vertex) + (heads_.size() + next_.size()) * sizeof(std::uint64_t);
}

bool HashedMatches::agrees(std::uint64_t row, std::span<const Vertex> images) const {
  for (std::size_t i = 0; i < key_.size(); ++i) {
    if (rows_[row * width_ + key_columns_[i]] != images[key_[i]]) return false;
  }
  return true;
}

PipelineRun::PipelineRun(const PipelineContext& context, Sink sink)
    : context_(context),
      sink_(std::move(sink)),
      images_(context.query.edges.size()),
      intersections_(context.pipeline.steps.size()) {}

void PipelineRun::from(Vertex v) {
  if (!context_.query.has_labels(context_.pipeline.first, *context_.data.graph, v)) return;
  push(context_.pipeline.first, v);
  run(0);
  pop();
}

void PipelineRun::push(Vertex u, Vertex v) {
  images_[u] = v;
  matched_.push_back(v);
}

bool PipelineRun::is_new(Vertex v) const {
  return !context_.injective || std::ranges::find(matched_, v) == matched_.end();
}

void PipelineRun::run(std::size_t step) {
  if (!sink_.alive()) return;
  if (step == context_.pipeline.steps.size()) {
    sink_.take(images_);
  } else if (const auto* const by = std::get_if<Extend>(&context_.pipeline.steps[step])) {
    extend(*by, step);
  } else {
    probe(context_.tables[std::get<Probe>(context_.pipeline.steps[step]).table], step);
  }
}

void PipelineRun::extend(const Extend& by, std::size_t step) {
  const std::span<const Vertex> all = candidates(by, step);
  const bool last = step + 1 == context_.pipeline.steps.size();
  if (last && sink_.take_count && context_.query.graph->labels_of(by.u).size() == 1) {
    sink_.take_count(unmatched_among(all));
    return;
  }
  for (const Vertex v : all) {
    if (!is_new(v) || !context_.query.has_labels(by.u, *context_.data.graph, v)) continue;
    push(by.u, v);
    run(step + 1);
    pop();
    if (!sink_.alive()) return;
  }
}

std::span<const Vertex> PipelineRun::candidates(const Extend& by, std::size_t step) {
  Intersection& last = intersections_[step];
  of_.clear();
  for (const QueryEdge& edge : by.lists) of_.push_back(images_[edge.to]);
  if (of_ == last.of) return last.common;
  last.of = of_;
  lists_.clear();
  for (const QueryEdge& edge : by.lists) {
    for (const Label label : edge.labels) {
      lists_.push_back(context_.data.adjacency.list(images_[edge.to], label, context_.query.rarest[by.u]));
    }
  }
  last.common = intersection(lists_, last.storage);
  return last.common;
}

std::uint64_t PipelineRun::unmatched_among(std::span<const Vertex> candidates) const {
  if (!context_.injective) return candidates.size();
  const auto matched =
      std::ranges::count_if(matched_, [&](Vertex v) { return std::ranges::binary_search(candidates, v); });
  return candidates.size() - static_cast<std::uint64_t>(matched);
}

void PipelineRun::probe(const HashedMatches& table, std::size_t step) {
  const std::span<const Vertex> added = table.added();
  table.for_each(images_, [&](std::uint64_t row) {
    if (!sink_.alive()) return;
    for (std::size_t i = 0; i < added.size(); ++i) {
      if (!is_new(table.rest(row, i))) return;  // its own are different already
    }
    for (std::size_t i = 0; i < added.size(); ++i) push(added[i], table.rest(row, i));
    run(step + 1);
    for (std::size_t i = 0; i < added.size(); ++i) pop();
  });
}

}  // namespace warpbench::matching::cbwj
