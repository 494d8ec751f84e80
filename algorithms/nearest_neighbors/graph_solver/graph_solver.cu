#include "algorithms/nearest_neighbors/graph_solver/graph_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "algorithms/nearest_neighbors/padded_rows.hpp"
#include "device/mix64.hpp"
#include "device/ranges.cuh"
#include "solvers/solver.hpp"

namespace warpbench::nearest_neighbors {
namespace {

constexpr float kUnitScale = 16;  ///< for rows of length 1 in half precision
constexpr int kBytesALoad = 16;
constexpr int kHalvesALoad = 8;
constexpr int kVisitedForLists = 1024;
constexpr std::int64_t kBlockCoordinates = 1 << 24;  ///< that are copied to pinned memory at once

__global__ void halve_precision_kernel(View<const float> values, float scale, View<Half> halves) {
  for (const std::int64_t i : grid::strided(values.size())) halves[i] = to_half(values[i] * scale);
}

BuildPlan plan_of(const Parameters& parameters) {
  BuildPlan plan;
  const std::string& graph = parameters.text("graph");
  plan.kind = graph == "hnsw" ? GraphKind::hnsw : graph == "knn" ? GraphKind::knn : GraphKind::nsw;
  const std::string& builder = parameters.text("builder");
  plan.builder = builder == "serial"           ? Builder::serial
                 : builder == "naive_parallel" ? Builder::naive_parallel
                                               : Builder::ggraphcon;
  plan.search = parameters.text("build_search");
  plan.d_min = parameters.integer("d_min");
  plan.d_max = parameters.integer("d_max");
  plan.groups = parameters.integer("groups");
  plan.blocks = parameters.integer("blocks");
  plan.candidates = parameters.integer("build_candidates");
  plan.local_candidates = parameters.integer("local_candidates");
  plan.growing_rounds = parameters.text("rounds") == "growing";
  plan.profile = parameters.flag("profile_build");
  return plan;
}

/// Rows of `stride` coordinates in 8 bits, zero beyond the dimension.
__global__ void reduce_to_bytes_kernel(View<const float> values, int stride, int dimension, float offset, float scale,
                                       View<Byte> bytes) {
  for (const std::int64_t i : grid::strided(values.size())) {
    store(bytes[i], i % stride < dimension ? (values[i] - offset) * scale : 0.0F);
  }
}

PrunePlan prune_of(const Parameters& parameters) {
  return {parameters.integer("intermediate_degree"), parameters.integer("graph_degree"),
          parameters.flag("reverse_edges")};
}

/// A pseudo-random order of the points, the same on every machine.
std::vector<Vertex> shuffled(std::int64_t count) {
  std::vector<Vertex> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [](Vertex i) { return mix64(i); });
  return order;
}

}  // namespace

GraphSolver::Precision GraphSolver::precision_of(const Parameters& parameters) {
  if (!parameters.values().contains("precision")) return Precision::single;
  const std::string& precision = parameters.text("precision");
  return precision == "fp16" ? Precision::half : precision == "int8" ? Precision::byte : Precision::single;
}

GraphSolver::GraphSolver(const Parameters& parameters)
    : parameters_(parameters),
      plan_(plan_of(parameters)),
      prune_(prune_of(parameters)),
      build_on_cpu_(parameters.text("builder") == "cpu"),
      precision_(precision_of(parameters)) {}

void GraphSolver::configure(const Parameters& parameters) {
  parameters_ = parameters;
  search_ = search_of(parameters);
  if (input_.vectors != nullptr) search_.settle_for(input_.k);
  if (precision_of(parameters) != precision_) change_precision(precision_of(parameters));
}

/// Rows that are whole loads of bytes are whole loads at every precision.
void GraphSolver::change_precision(Precision precision) {
  if (precision == Precision::byte && byte_scale_ == 0) {
    throw std::logic_error("points are searched in 8 bits where they were prepared for it; prepare with int8 first");
  }
  precision_ = precision;
  reduce_points();
}

void GraphSolver::prepare(const Input& input, Phases& phases) {
  input_ = input;
  if (input.points() >= std::int64_t{kMaxVertices}) {
    throw Unsupported("more than 2^31 - 2 points: a key holds a vertex in 31 bits");
  }
  configure(parameters_);
  load_points(phases);
  build(phases);
  queries_.pin(input.vectors->queries.span());
  queries_.allocate(stream_);
  host_answers_ = PinnedBuffer<Vertex>(input.queries() * input.k);
  answers_ = Buffer<Vertex>(input.queries() * input.k, stream_);
  next_ = Buffer<std::uint32_t>(1, stream_);
  totals_ = Buffer<WorkTotals>(1, stream_);
  host_totals_ = PinnedBuffer<WorkTotals>(1);
  stream_.synchronize();
}

/// Points onto the device, in the order of insertion.
void GraphSolver::load_points(Phases& phases) {
  {
    const auto scope = phases.cpu("find_equal_points");
    distinct_ = distinct_points(*input_.vectors, input_.metric,
                                plan_.kind == GraphKind::hnsw ? shuffled(input_.points()) : std::vector<Vertex>{});
  }
  const auto scope = phases.cpu("load_points");
  stride_ = padded_to(input_.dimension(), precision_ == Precision::byte ? kBytesALoad : kHalvesALoad);
  const std::span<const float> values = input_.vectors->points.span();
  const bool normalised = input_.metric == datasets::Metric::cosine;
  const std::int64_t vertices = distinct_.point_of.empty() ? input_.points() : std::ssize(distinct_.point_of);
  points_ = Buffer<float>(vertices * stride_, stream_);
  UsualRange range(vertices, input_.dimension());
  const std::int64_t rows_at_once = std::clamp<std::int64_t>(kBlockCoordinates / stride_, 1, vertices);
  PinnedBuffer<float> block(rows_at_once * stride_);
  for (std::int64_t first = 0; first < vertices; first += rows_at_once) {
    const std::int64_t count = std::min(rows_at_once, vertices - first);
    const std::span<float> rows = block.span().first(static_cast<std::size_t>(count * stride_));
    pad_rows(values, input_.dimension(), stride_, normalised, distinct_.point_of, first, rows);
    range.add(rows, stride_);
    points_.upload(rows, stream_, first * stride_);
    stream_.synchronize();
  }
  byte_scale_ = 0;
  if (precision_ == Precision::byte) choose_byte_scale(range);
  reduce_points();
  point_of_ = Buffer<Vertex>(distinct_.point_of, stream_);
  next_equal_ = Buffer<Vertex>(distinct_.next_equal, stream_);
  stream_.synchronize();
}

/// So that nearly all coordinates of the points and, where they are subtracted, of the queries lie within 8 bits. A few
/// far ones are cut off: they would leave the others a step or two.
void GraphSolver::choose_byte_scale(UsualRange& of_points) {
  const bool by_difference = input_.metric == datasets::Metric::euclidean;
  Range reached = of_points.range();
  if (by_difference) {
    UsualRange of_queries(input_.queries(), input_.dimension());
    of_queries.add(input_.vectors->queries.span(), input_.dimension());
    const Range asked = of_queries.range();
    reached = {std::min(reached.least, asked.least), std::max(reached.greatest, asked.greatest)};
  }
  byte_offset_ = by_difference ? reached.least / 2 + reached.greatest / 2 : 0.0F;
  byte_scale_ = scale_to_bytes(by_difference ? reached.greatest / 2 - reached.least / 2
                                             : std::max(std::abs(reached.least), std::abs(reached.greatest)));
}

/// One scale for both sides of a difference: queries may lie far from all points.
float GraphSolver::scale_of_halves() const {
  if (input_.metric == datasets::Metric::cosine) return kUnitScale;
  const float scale = half_scale(input_.vectors->points.span());
  if (input_.metric != datasets::Metric::euclidean) return scale;
  return std::min(scale, half_scale(input_.vectors->queries.span()));
}

/// What a search reads: the points at its precision.
void GraphSolver::reduce_points() {
  half_points_.reset();
  byte_points_.reset();
  if (precision_ == Precision::half) {
    half_scale_ = scale_of_halves();
    half_points_ = Buffer<Half>(points_.size(), stream_);
    launch(halve_precision_kernel, grid_for(points_.size()), stream_, points_.view(), half_scale_, half_points_.view());
  }
  if (precision_ != Precision::byte) return;
  byte_points_ = Buffer<Byte>(points_.size(), stream_);
  launch(reduce_to_bytes_kernel, grid_for(points_.size()), stream_, std::as_const(points_).view(), stride_,
         static_cast<int>(input_.dimension()), byte_offset_, byte_scale_, byte_points_.view());
}

void GraphSolver::build(Phases& phases) {
  graph_ = DeviceProximityGraph{};
  cpu_graph_ = {};
  if (build_on_cpu_) {
    const auto scope = phases.cpu("build");
    cpu_graph_ = build_nsw(input_, plan_.d_min, plan_.d_max, plan_.candidates);
    graph_.degree = static_cast<int>(plan_.d_max);
    graph_.sizes = {cpu_graph_.layers.front().vertices};
    graph_.layers.emplace_back(cpu_graph_.layers.front().neighbors, stream_);
    stream_.synchronize();
  } else {
    graph_ = build_graph(points(points_), points_.size() / stride_, plan_, stream_, phases);
    if (prune_.intermediate_degree > 0) {
      prune_graph(
          graph_,
          [this](const DeviceProximityGraph& graph, int length, View<Vertex> lists) {
            find_lists(graph, length, lists);
          },
          prune_, stream_, phases);
    }
  }
}

void GraphSolver::find_lists(const DeviceProximityGraph& graph, int length, View<Vertex> lists) {
  const SearchMethod& method = search_method("pipelined");
  SearchShape shape = method.shape(length, graph.degree, stride_);
  shape.explore = shape.candidates;
  shape.entries = method.build_entries;
  shape.visited = kVisitedForLists;
  shape.profile = plan_.profile;
  next_ = Buffer<std::uint32_t>(1, stream_);
  totals_ = Buffer<WorkTotals>(1, stream_);
  next_.fill(0, stream_);
  totals_.fill_bytes(0, stream_);
  QueryBatch batch{std::as_const(points_).view(), lists, {}, {}, next_.view(), totals_.view(), 1, stride_, length};
  if (precision_ != Precision::single) batch.rerank = shape.candidates;
  search(method, graph, shape, batch, kWarpSize);
  const WorkTotals found = totals_.to_vector(stream_).front();
  graph_.work.distances += found.distances;
  graph_.work.iterations += found.iterations;
  graph_.work.distance_ticks += found.distance_ticks;
  graph_.work.ticks += found.ticks;
}

GraphPart GraphSolver::take_part() {
  if (precision_ != Precision::byte || graph_.layers.size() != 1) {
    throw std::logic_error("a part is taken from a graph of one layer over points in 8 bits");
  }
  return {byte_points_.to_vector(stream_),          stride_,       byte_scale_,          byte_offset_,
          graph_.layers.front().to_vector(stream_), graph_.degree, std::move(distinct_), graph_.unreached};
}

std::int64_t GraphSolver::device_bytes(const Parameters& parameters, std::int64_t points, std::int64_t queries,
                                       std::int64_t dimension, std::int64_t k) {
  const Precision precision = precision_of(parameters);
  const std::int64_t reduced = precision == Precision::byte ? 1 : precision == Precision::half ? 2 : 0;
  const std::int64_t stride = padded_to(dimension, precision == Precision::byte ? kBytesALoad : kHalvesALoad);
  const std::int64_t equal_points = 2 * points * 4;  // where there are any
  const std::int64_t held = points * stride * (4 + reduced) + equal_points;
  const BuildPlan plan = plan_of(parameters);
  const std::int64_t built = graph_bytes(points, plan);
  const std::int64_t pruned = prune_bytes(points, plan.d_max, prune_of(parameters));
  const std::int64_t solving = queries * (dimension * 4 + k * 4) + 4096;
  return held + std::max({building_bytes(points, plan), built, pruned}) + solving;
}

void GraphSolver::upload(Phases& phases) {
  const auto scope = phases.gpu("upload", stream_);
  queries_.upload(stream_);
}

template <typename T>
Points<T> GraphSolver::points(const Buffer<T>& coordinates) const {
  return {coordinates.view(), stride_, input_.metric != datasets::Metric::euclidean};
}

std::size_t GraphSolver::search(const SearchMethod& method, const DeviceProximityGraph& graph, const SearchShape& shape,
                                QueryBatch batch, int threads) {
  const auto enqueue = [&](auto launch_search, const auto& coordinates) {
    if (launch_search == nullptr) throw std::logic_error(method.name + " takes no points of less precision");
    return launch_search(points(coordinates), graph.view(), batch, shape, threads, stream_);
  };
  if (precision_ == Precision::single) return enqueue(method.search, points_);
  batch.exact = points(points_);
  if (precision_ == Precision::half) {
    batch.scale = half_scale_;
    return enqueue(method.search_halves, half_points_);
  }
  batch.offset = byte_offset_;
  batch.scale = byte_scale_;
  return enqueue(method.search_bytes, byte_points_);
}

void GraphSolver::solve(Phases& phases) {
  {
    const auto scope = phases.gpu("kernel", stream_);
    next_.fill(0, stream_);
    totals_.fill_bytes(0, stream_);
    const SearchMethod& method = search_method(search_.method);
    QueryBatch batch{queries_.view(),
                     answers_.view(),
                     point_of_.view(),
                     next_equal_.view(),
                     next_.view(),
                     totals_.view(),
                     1,
                     static_cast<int>(input_.dimension()),
                     static_cast<int>(input_.k)};
    batch.rerank = static_cast<int>(search_.rerank);
    shared_bytes_ = search(method, graph_, search_.shape(graph_.degree, stride_), batch, search_.threads);
  }
  stream_.synchronize();
}

void GraphSolver::download(Answer& answer, Phases& phases) {
  {
    const auto scope = phases.gpu("download", stream_);
    answers_.download(host_answers_.span(), stream_);
  }
  totals_.download(host_totals_.span(), stream_);
  stream_.synchronize();
  answer.neighbors = host_answers_.span();
}

ProximityGraph GraphSolver::host_graph() const {
  ProximityGraph graph;
  graph.points = distinct_;
  for (std::size_t l = 0; l < graph_.layers.size(); ++l) {
    graph.layers.push_back({graph_.sizes[l], graph_.degree, graph_.layers[l].to_vector(stream_)});
  }
  return graph;
}

std::map<std::string, double> GraphSolver::index_counters() {
  if (cpu_graph_.layers.empty()) {
    std::map<std::string, double> counters = quality(host_graph(), input_);
    if (prune_.intermediate_degree > 0) counters["unreached_vertices"] = static_cast<double>(graph_.unreached);
    return counters;
  }
  const ProximityGraph graph = std::exchange(cpu_graph_, {});
  return quality(graph, input_);
}

std::map<std::string, double> GraphSolver::counters() const {
  std::map<std::string, double> counters;
  const WorkTotals& totals = host_totals_.span().front();
  const auto queries = static_cast<double>(input_.queries());
  const auto number = [](unsigned long long value) { return static_cast<double>(value); };
  counters["distances_per_query"] = number(totals.distances) / queries;
  counters["iterations_per_query"] = number(totals.iterations) / queries;
  counters["index_bytes"] = static_cast<double>(half_points_.bytes() + byte_points_.bytes() + points_.bytes());
  for (const Buffer<Vertex>& layer : graph_.layers) counters["index_bytes"] += static_cast<double>(layer.bytes());
  const std::size_t coordinate_bytes = precision_ == Precision::half   ? sizeof(Half)
                                       : precision_ == Precision::byte ? sizeof(Byte)
                                                                       : sizeof(float);
  counters["vector_bytes"] =
      number(totals.distances) * static_cast<double>(stride_) * static_cast<double>(coordinate_bytes) +
      queries * static_cast<double>(search_.rerank) * stride_ * sizeof(float);
  counters["graph_bytes"] = number(totals.iterations) * graph_.degree * 4;  // an id
  counters["answer_bytes"] = static_cast<double>(answers_.bytes());
  counters["shared_bytes_per_query"] = static_cast<double>(shared_bytes_);
  if (totals.ticks > 0) counters["distance_share"] = number(totals.distance_ticks) / number(totals.ticks);
  const WorkTotals& build = graph_.work;
  if (build.distances > 0) {
    counters["build_distances"] = number(build.distances);
    counters["build_iterations"] = number(build.iterations);
  }
  if (build.ticks > 0) {
    counters["build_distance_ticks"] = number(build.distance_ticks);
    counters["build_ticks"] = number(build.ticks);
  }
  return counters;
}

}  // namespace warpbench::nearest_neighbors
