// The execution of cbwj's pipelines: matches grow vertex by vertex, depth first, by intersections of adjacency lists
// and by probes of hash tables.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "baselines/subgraph_matching/cbwj/plan.hpp"
#include "device/integers.hpp"
#include "device/mix64.hpp"

namespace warpbench::matching::cbwj {

/// Matches of some query vertices, hashed by the images of those of `key`.
class HashedMatches {
 public:
  /// `rows` of vertices.size() images each. O(rows).
  HashedMatches(std::vector<Vertex> vertices, const std::vector<Vertex>& key, std::vector<Vertex> rows);

  /// The vertices that are not of the key, in the order of rest().
  [[nodiscard]] std::span<const Vertex> added() const { return added_; }
  [[nodiscard]] std::uint64_t bytes() const;

  /// body(row) for every row that agrees with the images of the key's vertices, images of query vertex u at [u].
  template <typename Body>
  void for_each(std::span<const Vertex> images, const Body& body) const {
    for (std::uint64_t row = heads_[bucket_of([&](std::size_t i) { return images[key_[i]]; })];
         row != kNone<std::uint64_t>; row = next_[row]) {
      if (agrees(row, images)) body(row);
    }
  }
  /// The image of added()[i] in a row.
  [[nodiscard]] Vertex rest(std::uint64_t row, std::size_t i) const { return rows_[row * width_ + added_columns_[i]]; }

 private:
  template <typename ImageAt>
  [[nodiscard]] std::uint64_t bucket_of(const ImageAt& image_at) const {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < key_.size(); ++i) hash = mix64(hash ^ image_at(i));
    return hash & (heads_.size() - 1);
  }
  [[nodiscard]] bool agrees(std::uint64_t row, std::span<const Vertex> images) const;

  std::size_t width_;
  std::vector<Vertex> key_;
  std::vector<std::size_t> key_columns_;
  std::vector<Vertex> added_;
  std::vector<std::size_t> added_columns_;
  std::vector<Vertex> rows_;
  std::vector<std::uint64_t> heads_;  // a power of two of buckets
  std::vector<std::uint64_t> next_;   // by row
};

/// The arguments that the threads of one pipeline share.
struct PipelineContext {
  const DataIndex& data;
  const IndexedQuery& query;
  bool injective;
  const Pipeline& pipeline;
  const std::vector<HashedMatches>& tables;  ///< by number of the pipeline that filled it
};

/// One thread's run of a pipeline.
class PipelineRun {
 public:
  struct Sink {
    std::function<bool()> alive;                               ///< asked at every step; false ends the run
    std::function<void(std::span<const Vertex> images)> take;  ///< a match, images of query vertex u at [u]
    std::function<void(std::uint64_t)> take_count;             ///< so many; empty: all are listed
  };
  PipelineRun(const PipelineContext& context, Sink sink);

  /// All that grows from this image of the pipeline's first vertex.
  void from(Vertex v);

 private:
  /// The last intersection of a step.
  struct Intersection {
    std::vector<Vertex> of;  // the images that it was made from
    std::span<const Vertex> common;
    std::vector<Vertex> storage;
  };
  void run(std::size_t step);
  void extend(const Extend& by, std::size_t step);
  void probe(const HashedMatches& table, std::size_t step);
  [[nodiscard]] std::span<const Vertex> candidates(const Extend& by, std::size_t step);
  [[nodiscard]] std::uint64_t unmatched_among(std::span<const Vertex> candidates) const;
  /// Different from the images of all vertices matched so far.
  [[nodiscard]] bool is_new(Vertex v) const;
  void push(Vertex u, Vertex v);
  void pop() { matched_.pop_back(); }

  PipelineContext context_;
  Sink sink_;
  std::vector<Vertex> images_;
  std::vector<Vertex> matched_;  // their images, in the order of matching
  std::vector<Intersection> intersections_;
  std::vector<std::span<const Vertex>> lists_;
  std::vector<Vertex> of_;
};

}  // namespace warpbench::matching::cbwj
