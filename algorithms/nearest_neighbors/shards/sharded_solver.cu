#include "algorithms/nearest_neighbors/shards/sharded_solver.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/nearest_neighbors/padded_rows.hpp"
#include "device/kernel.hpp"

namespace warpbench::nearest_neighbors {
namespace {

constexpr std::size_t kStreams = 8;
constexpr std::int64_t kRowBytes = 16;  ///< rows in 8 bits are whole loads of so many

/// The points first … end - 1 of `input`, where they are.
datasets::VectorSet points_of_shard(const NearestNeighbors::Input& input, std::int64_t first, std::int64_t end) {
  datasets::VectorSet shard = *input.vectors;
  const std::int64_t dimension = input.dimension();
  const auto rows = input.vectors->points.span().subspan(static_cast<std::size_t>(first * dimension),
                                                         static_cast<std::size_t>((end - first) * dimension));
  shard.points = datasets::Array<float>(nullptr, rows);
  return shard;
}

}  // namespace

ShardMemory shard_memory(const Parameters& parameters, const SearchParameters& search,
                         const NearestNeighbors::Input& input) {
  const std::int64_t degree =
      parameters.integer("intermediate_degree") > 0 ? parameters.integer("graph_degree") : parameters.integer("d_max");
  const std::int64_t of_points =
      input.points() * (padded_to(input.dimension(), kRowBytes) + degree * static_cast<std::int64_t>(sizeof(Vertex)));
  const std::int64_t of_queries = input.queries() * input.dimension() * static_cast<std::int64_t>(sizeof(float));
  const std::int64_t of_lists = input.queries() * search.rerank * static_cast<std::int64_t>(sizeof(FoundVertex));
  constexpr std::int64_t kCounters = sizeof(std::uint32_t) + sizeof(WorkTotals);
  return {.building =
              [=](std::int64_t points) {
                return GraphSolver::device_bytes(parameters, points, input.queries(), input.dimension(), input.k);
              },
          .searching = [=](std::int64_t shards) { return of_points + of_queries + shards * (of_lists + kCounters); }};
}

ShardedSolver::ShardedSolver(Parameters parameters, std::int64_t shards, MakePart make_part, SearchOf search_of)
    : parameters_(std::move(parameters)),
      shard_count_(shards),
      make_part_(std::move(make_part)),
      search_of_(std::move(search_of)) {}

GraphView ShardedSolver::Shard::graph() const {
  GraphView view;
  view.layers[0] = rows.view();
  view.degree = degree;
  view.vertices = static_cast<Vertex>(points.size() / stride);
  return view;
}

void ShardedSolver::configure(const Parameters& parameters) {
  parameters_ = parameters;
  search_ = search_of_(parameters);
  if (input_.vectors == nullptr) return;
  search_.settle_for(input_.k);
  if (!shards_.empty()) reserve_lists();
}

void ShardedSolver::prepare(const Input& input, Phases& phases) {
  input_ = input;
  shards_.clear();
  streams_.clear();
  passed_.clear();
  configure(parameters_);
  const std::int64_t count = std::min(shard_count_, input.points());
  nearest_ = NearestOfShards(input);
  unreached_ = 0;
  std::vector<GraphPart> parts;
  for (std::int64_t s = 0; s < count; ++s) {
    const std::int64_t first = first_of_shard(s, count, input.points());
    parts.push_back(build(first, first_of_shard(s + 1, count, input.points()), phases));
    GraphPart& part = parts.back();
    nearest_.add(first, std::move(part.distinct), part.scale);
    unreached_ += static_cast<double>(part.unreached);
  }
  // Only now, so that a graph that is built has the device for itself.
  const auto scope = phases.cpu("load_shards");
  for (GraphPart& part : parts) load(std::exchange(part, {}));
  for (std::size_t i = 0; i < std::min(kStreams, shards_.size()); ++i) {
    streams_.emplace_back();
    passed_.emplace_back();
  }
  queries_.pin(input.vectors->queries.span());
  queries_.allocate(stream_);
  next_ = Buffer<std::uint32_t>(count, stream_);
  totals_ = Buffer<WorkTotals>(1, stream_);
  host_totals_ = PinnedBuffer<WorkTotals>(1);
  answers_.resize(static_cast<std::size_t>(input.queries() * input.k));
  reserve_lists();
  stream_.synchronize();
}

GraphPart ShardedSolver::build(std::int64_t first, std::int64_t end, Phases& phases) const {
  const datasets::VectorSet points = points_of_shard(input_, first, end);
  Input shard = input_;
  shard.vectors = &points;
  const std::unique_ptr<GraphSolver> solver = make_part_(parameters_);
  solver->prepare(shard, phases);
  const auto scope = phases.cpu("take_shard");
  return solver->take_part();
}

void ShardedSolver::load(GraphPart part) {
  Shard shard{Buffer<Byte>(part.points, stream_), part.stride, part.scale, part.offset,
              Buffer<Vertex>(part.rows, stream_), part.degree};
  stream_.synchronize();
  shards_.push_back(std::move(shard));
}

/// For what all shards find.
void ShardedSolver::reserve_lists() {
  const std::int64_t places = std::ssize(shards_) * input_.queries() * search_.rerank;
  if (found_.size() == places) return;
  found_.reset();
  found_ = Buffer<FoundVertex>(places, stream_);
  host_found_ = {};
  host_found_ = PinnedBuffer<FoundVertex>(places);
}

void ShardedSolver::upload(Phases& phases) {
  const auto scope = phases.gpu("upload", stream_);
  queries_.upload(stream_);
}

/// Enqueues the search of all queries in one shard.
void ShardedSolver::search(std::size_t shard, Stream& stream) {
  const Shard& searched = shards_[shard];
  const auto index = static_cast<std::int64_t>(shard);
  const std::int64_t places = input_.queries() * search_.rerank;
  QueryBatch batch{queries_.view(),
                   {},
                   {},
                   {},
                   next_.view().subview(index, 1),
                   totals_.view(),
                   searched.scale,
                   static_cast<int>(input_.dimension()),
                   static_cast<int>(search_.rerank)};
  batch.offset = searched.offset;
  batch.found = found_.view().subview(index * places, places);
  const Points<Byte> points{searched.points.view(), searched.stride, input_.metric != datasets::Metric::euclidean};
  search_method(search_.method)
      .search_bytes(points, searched.graph(), batch, search_.shape(searched.degree, searched.stride), search_.threads,
                    stream);
}

void ShardedSolver::solve(Phases& phases) {
  {
    const auto scope = phases.gpu("kernel", stream_);
    next_.fill(0, stream_);
    totals_.fill_bytes(0, stream_);
    ready_.record(stream_);
    for (Stream& stream : streams_) stream.wait(ready_);
    for (std::size_t s = 0; s < shards_.size(); ++s) search(s, streams_[s % streams_.size()]);
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      passed_[i].record(streams_[i]);
      stream_.wait(passed_[i]);
    }
  }
  {
    const auto scope = phases.gpu("download_lists", stream_);
    found_.download(host_found_.span(), stream_);
    totals_.download(host_totals_.span(), stream_);
  }
  stream_.synchronize();
  const auto scope = phases.cpu("order");
  nearest_.order(host_found_.span(), search_.rerank, search_.rerank, answers_);
}

void ShardedSolver::download(Answer& answer, Phases& /*phases*/) {
  answer.neighbors = answers_;
}

std::map<std::string, double> ShardedSolver::counters() const {
  const WorkTotals& totals = host_totals_.span().front();
  const auto queries = static_cast<double>(input_.queries());
  const auto distances = static_cast<double>(totals.distances);
  const auto iterations = static_cast<double>(totals.iterations);
  std::map<std::string, double> counters;
  counters["shards"] = static_cast<double>(shards_.size());
  counters["unreached_vertices"] = unreached_;
  counters["distances_per_query"] = distances / queries;
  counters["iterations_per_query"] = iterations / queries;
  for (const Shard& shard : shards_) {
    counters["index_bytes"] += static_cast<double>(shard.points.bytes() + shard.rows.bytes());
  }
  counters["vector_bytes"] = distances * shards_.front().stride;
  counters["graph_bytes"] = iterations * shards_.front().degree * sizeof(Vertex);
  counters["answer_bytes"] = static_cast<double>(found_.bytes());
  counters["host_vector_bytes"] = queries * static_cast<double>(search_.rerank * input_.dimension()) * sizeof(float);
  if (totals.ticks > 0) {
    counters["distance_share"] = static_cast<double>(totals.distance_ticks) / static_cast<double>(totals.ticks);
  }
  return counters;
}

}  // namespace warpbench::nearest_neighbors
