// ShardedSolver: points that are cut into shards, each with a graph of its own, because one graph over all of them does
// not fit the device while it is built. The shards' points in 8 bits and their graphs are on the device, the vectors in
// host memory. A query searches every shard; what they find is ordered by exact distances (nearest_of_shards.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/nearest_neighbors/graph_solver/graph_solver.hpp"
#include "algorithms/nearest_neighbors/shards/nearest_of_shards.hpp"
#include "algorithms/nearest_neighbors/shards/shard_plan.hpp"
#include "device/resident.hpp"

namespace warpbench::nearest_neighbors {

/// What a solver's shards take, by its parameters.
[[nodiscard]] ShardMemory shard_memory(const Parameters& parameters, const SearchParameters& search,
                                       const NearestNeighbors::Input& input);

class ShardedSolver final : public Solver<NearestNeighbors> {
 public:
  /// Makes the solver of one shard, in 8 bits.
  using MakePart = std::function<std::unique_ptr<GraphSolver>(const Parameters& parameters)>;
  using SearchOf = std::function<SearchParameters(const Parameters& parameters)>;

  /// At least one shard; fewer than `shards` where there are fewer points.
  ShardedSolver(Parameters parameters, std::int64_t shards, MakePart make_part, SearchOf search_of);

  void prepare(const Input& input, Phases& phases) override;
  void configure(const Parameters& parameters) override;
  void upload(Phases& phases) override;
  /// On the device, then on the CPU: the answer is in host memory.
  void solve(Phases& phases) override;
  void download(Answer& answer, Phases& phases) override;
  [[nodiscard]] std::map<std::string, double> counters() const override;

 private:
  /// On the device.
  struct Shard {
    Buffer<Byte> points;
    int stride;
    float scale;
    float offset;
    Buffer<Vertex> rows;
    int degree;

    [[nodiscard]] GraphView graph() const;
  };

  [[nodiscard]] GraphPart build(std::int64_t first, std::int64_t end, Phases& phases) const;
  void load(GraphPart part);
  void reserve_lists();
  void search(std::size_t shard, Stream& stream);

  Parameters parameters_;
  std::int64_t shard_count_;
  MakePart make_part_;
  SearchOf search_of_;
  SearchParameters search_;

  Input input_;
  Stream stream_;
  std::vector<Stream> streams_;  ///< shards take turns on them: one alone does not fill the device with few queries
  std::vector<Event> passed_;    ///< by each of them
  Event ready_;
  std::vector<Shard> shards_;
  NearestOfShards nearest_;
  double unreached_ = 0;
  Resident<float> queries_;
  Buffer<FoundVertex> found_;
  PinnedBuffer<FoundVertex> host_found_;
  Buffer<std::uint32_t> next_;  ///< one a shard
  Buffer<WorkTotals> totals_;
  PinnedBuffer<WorkTotals> host_totals_;  ///< of the last solve()
  std::vector<std::uint32_t> answers_;
};

}  // namespace warpbench::nearest_neighbors
