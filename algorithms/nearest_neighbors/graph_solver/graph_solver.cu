#include "algorithms/nearest_neighbors/graph_solver/graph_solver.hpp"

#include <algorithm>
#include <bit>
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
constexpr std::int64_t kSampledCoordinates = 1 << 20;
constexpr double kOutliers = 1e-3;  ///< share of the coordinates on either side that 8 bits need not reach
constexpr int kVisitedForLists = 1024;
constexpr std::int64_t kUsualRerank = 32;

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

struct Range {
  float least;
  float greatest;
};

/// The range of the coordinates without kOutliers of them on either side; by a sample, where there are many.
Range usual_range(std::span<const float> rows, std::int64_t stride, std::int64_t dimension) {
  const auto count = static_cast<std::int64_t>(rows.size()) / stride * dimension;
  const std::int64_t step = std::max<std::int64_t>(1, count / kSampledCoordinates) | 1;  // odd: of all dimensions
  std::vector<float> sample;
  for (std::int64_t i = 0; i < count; i += step) {
    sample.push_back(rows[static_cast<std::size_t>(i / dimension * stride + i % dimension)]);
  }
  if (sample.empty()) return {0, 0};
  const auto cut = static_cast<std::ptrdiff_t>(kOutliers * static_cast<double>(sample.size()));
  const auto low = sample.begin() + cut;
  std::nth_element(sample.begin(), low, sample.end());
  const float least = *low;
  const auto high = sample.end() - 1 - cut;
  std::nth_element(sample.begin(), high, sample.end());
  return {least, *high};
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
  if (input_.vectors != nullptr && input_.k > search_.candidates) {
    throw Unsupported("k = " + std::to_string(input_.k) + " neighbours do not fit a list of " +
                      std::to_string(search_.candidates));
  }
  if (search_.rerank_as_needed && input_.vectors != nullptr) {
    const auto needed = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(input_.k)));
    search_.rerank = std::min(std::max(kUsualRerank, needed), search_.candidates);
  }
  if (input_.vectors != nullptr && search_.rerank > 0 && input_.k > search_.rerank) {
    throw Unsupported("k = " + std::to_string(input_.k) + " neighbours are more than the " +
                      std::to_string(search_.rerank) + " that are ordered anew: raise rerank");
  }
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
  {
    const PinnedBuffer<float> rows = padded_rows(input_.vectors->points.span(), input_.dimension(), stride_,
                                                 input_.metric == datasets::Metric::cosine, distinct_.point_of);
    points_ = Buffer<float>(rows.span(), stream_);
    byte_scale_ = 0;
    if (precision_ == Precision::byte) choose_byte_scale(rows.span());
    stream_.synchronize();
  }
  reduce_points();
  point_of_ = Buffer<Vertex>(distinct_.point_of, stream_);
  next_equal_ = Buffer<Vertex>(distinct_.next_equal, stream_);
  stream_.synchronize();
}

/// So that nearly all coordinates of the points and, where they are subtracted, of the queries lie within 8 bits. A few
/// far ones are cut off: they would leave the others a step or two.
void GraphSolver::choose_byte_scale(std::span<const float> rows) {
  const bool by_difference = input_.metric == datasets::Metric::euclidean;
  Range reached = usual_range(rows, stride_, input_.dimension());
  if (by_difference) {
    const Range asked = usual_range(input_.vectors->queries.span(), input_.dimension(), input_.dimension());
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

void GraphSolver::upload(Phases& phases) {
  const auto scope = phases.gpu("upload", stream_);
  queries_.upload(stream_);
}

template <typename T>
Points<T> GraphSolver::points(const Buffer<T>& coordinates) const {
  return {coordinates.view(), stride_, input_.metric != datasets::Metric::euclidean};
}

SearchShape GraphSolver::shape() const {
  SearchShape shape = search_method(search_.method).shape(search_.candidates, graph_.degree, stride_);
  shape.explore = static_cast<int>(std::min<std::int64_t>(search_.explore, shape.candidates));
  shape.entries = static_cast<int>(search_.entries);
  shape.profile = search_.profile;
  if (search_.visited) shape.visited = static_cast<int>(*search_.visited);
  return shape;
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
    shared_bytes_ = search(method, graph_, shape(), batch, search_.threads);
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
