#include "algorithms/subgraph_matching/edge_join/solver.cuh"

#include <algorithm>

namespace warpbench::matching::edge_join {

void EdgeJoinSolver::prepare_graph(const Graph& data, Phases& phases) {
  vertices_ = data.vertices();
  max_degree_ = 0;
  for (std::int64_t v = 0; v < vertices_; ++v) {
    max_degree_ = std::max(max_degree_, static_cast<std::uint64_t>(data.degree(static_cast<Vertex>(v))));
  }
  frequencies_ = matching::label_frequencies(data);
  std::int64_t most = 1;
  for (const Graph& query : input().queries()) most = std::max(most, query.vertices());
  const auto scope = phases.cpu("pin");
  read_back_ = PinnedBuffer<std::int64_t>(most);
  labels_.pin(data);
  pin_graph(data);
}

void EdgeJoinSolver::upload(Phases& phases) {
  {
    const auto scope = phases.gpu("upload", stream_);
    labels_.upload(stream_);
    upload_graph();
  }
  stream_.synchronize();
}

void EdgeJoinSolver::match(const Graph& query, const Deadline& deadline, QueryAnswer& answer, Phases& phases) {
  counters_.clear();
  JoinRun run(query, input(), max_degree_, deadline, read_back_.span(), stream_);
  find(query, run, answer, phases);
  counters_["largest_table_rows"] = static_cast<double>(run.largest());
  counters_["unwritten_rows"] = static_cast<double>(run.unwritten());
  counters_["peak_device_bytes"] = static_cast<double>(peak_memory_in_use());
}

bool EdgeJoinSolver::report_candidates(const std::vector<std::int64_t>& sizes, QueryAnswer& answer) {
  const std::int64_t fewest = *std::ranges::min_element(sizes);
  const auto all = static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}));
  counters_["candidates_min"] = static_cast<double>(fewest);
  counters_["candidates_mean"] = all / static_cast<double>(sizes.size());
  if (fewest == 0) answer.solved = true;
  return fewest > 0;
}

}  // namespace warpbench::matching::edge_join
