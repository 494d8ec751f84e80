#include "algorithms/sets/engine/set_engine.hpp"

#include <algorithm>
#include <array>

#include "device/block.cuh"
#include "device/device.hpp"
#include "device/primitives.hpp"
#include "problems/judgement.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

constexpr int kThreads = 256;
constexpr RowParts kValueParts{4096};

/// Counts to values: degrees of containment, or whether they are 1 (problems/set_containment/problem.hpp).
__global__ void __launch_bounds__(kThreads) value_kernel(DeviceSets sets, PairTable table, bool degree) {
  const Part part = part_of_block(table, kValueParts);
  if (part.begin >= part.end) return;
  const std::int64_t own = sets.size(part.row);
  for (std::int64_t column = part.begin + threadIdx.x; column < part.end; column += kThreads) {
    const std::int64_t other = sets.size(column);
    const std::int64_t smaller = own < other ? own : other;
    std::uint32_t& value = table.count(part.row, column);
    if (degree) {
      const float quotient = smaller == 0 ? 1.0F : static_cast<float>(value) / static_cast<float>(smaller);
      value = __float_as_uint(quotient);
    } else {
      value = static_cast<std::int64_t>(value) == smaller ? 1 : 0;
    }
  }
}

/// Adds the mixes of the values (pairs::digest_of_band) to *digest.
__global__ void __launch_bounds__(kThreads)
    digest_kernel(View<const std::uint32_t> values, std::uint64_t first_place, View<unsigned long long> digest) {
  unsigned long long sum = 0;
  const std::int64_t stride = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < values.size(); i += stride) {
    sum += mix64(mix64(first_place + static_cast<std::uint64_t>(i)) ^ values[i]);
  }
  sum = block::reduce_sum(sum);
  if (threadIdx.x == 0) atomicAdd(&digest[0], sum);
}

template <typename T>
PinnedBuffer<T> pinned_copy(const datasets::Array<T>& values) {
  PinnedBuffer<T> copy(static_cast<std::int64_t>(values.size()));
  std::ranges::copy(values, copy.span().begin());
  return copy;
}

}  // namespace

DeviceSets SetEngine::device_sets() const {
  return {offsets_.view(), tokens_.view(), sets_->count()};
}

void SetEngine::prepare(const datasets::SetCollection& sets, bool single, bool as_set, ValueKind kind) {
  sets_ = &sets;
  single_ = single;
  as_set_ = as_set;
  kind_ = kind;
  host_offsets_ = pinned_copy(sets.offsets);
  host_tokens_ = pinned_copy(sets.tokens);
  offsets_ = Buffer<std::uint64_t>(host_offsets_.size(), stream_);
  tokens_ = Buffer<std::uint32_t>(host_tokens_.size(), stream_);
  technique_->prepare(sets, stream_);
  host_common_ = PinnedBuffer<unsigned long long>(1);
  if (single) {
    const std::int64_t smaller = std::min(sets.size(0), sets.size(1));
    common_ = Buffer<unsigned long long>(1, stream_);
    found_ = Buffer<std::uint8_t>(as_set ? smaller : 0, stream_);
    common_tokens_ = Buffer<std::uint32_t>(as_set ? smaller : 0, stream_);
    common_size_ = Buffer<std::int64_t>(1, stream_);
    host_common_tokens_ = PinnedBuffer<std::uint32_t>(as_set ? smaller : 0);
  } else {
    plan_tables();
  }
  stream_.synchronize();
}

void SetEngine::plan_tables() {
  const std::int64_t k = sets_->count();
  const std::uint64_t all = pairs::count(k);
  kept_ = all <= pairs::limits().kept;
  const auto free =
      static_cast<std::uint64_t>(std::max<std::int64_t>(free_memory() - technique_->reserved_bytes(), 1 << 16));
  const std::uint64_t of_two = free / 2 / sizeof(std::uint32_t) / 8 * 7;  // two tables, and some room
  tables_.clear();
  std::vector<pairs::Band> bands = pairs::bands(k);
  if (kept_) bands = all == 0 ? std::vector<pairs::Band>{} : std::vector<pairs::Band>{{0, k - 1, 0, all}};
  const bool whole = kept_ && all <= of_two;
  for (std::size_t band = 0; band < bands.size(); ++band) {
    for (const pairs::Band& rows :
         pairs::bands_of(k, bands[band].first_row, bands[band].last_row, whole ? all : of_two)) {
      tables_.push_back({rows, band});
    }
  }
  std::uint64_t largest = 0;
  for (const Table& table : tables_) largest = std::max(largest, table.rows.places);
  const auto places = static_cast<std::int64_t>(largest);
  for (std::size_t i = 0; i < 2; ++i) {
    table_memory_[i] = Buffer<std::uint32_t>(i < tables_.size() ? places : 0, stream_);
  }
  host_values_ = PinnedBuffer<std::uint32_t>(kept_ ? static_cast<std::int64_t>(all) : 2 * places);
  const auto digests = static_cast<std::int64_t>(kept_ ? 0 : bands.size());
  digests_ = Buffer<unsigned long long>(digests, stream_);
  host_digests_ = PinnedBuffer<unsigned long long>(digests);
}

void SetEngine::upload(Phases& phases) {
  const auto scope = phases.gpu("upload", stream_);
  offsets_.upload(host_offsets_.span(), stream_);
  tokens_.upload(host_tokens_.span(), stream_);
}

void SetEngine::solve(Phases& phases, bool bring_down) {
  if (single_) {
    solve_single(phases);
  } else {
    solve_pairs(phases, bring_down);
  }
  stream_.synchronize();
  copies_.synchronize();
}

void SetEngine::enqueue_table(const Table& table, Buffer<std::uint32_t>& memory, Phases& phases) {
  const View<std::uint32_t> counts = memory.view().first(static_cast<std::int64_t>(table.rows.places));
  const PairTable pairs{counts, table.rows.first_row, table.rows.last_row, sets_->count()};
  {
    const auto scope = phases.gpu("count", stream_);
    memory.fill(0, stream_);
    technique_->count_pairs(device_sets(), pairs, stream_, phases);
  }
  if (kind_ != ValueKind::count) {
    const auto scope = phases.gpu("values", stream_);
    launch(value_kernel, Grid{{pairs.rows(), kValueParts.count(pairs)}, kThreads}, stream_, device_sets(), pairs,
           kind_ == ValueKind::degree);
  }
  if (kept_) return;
  const auto scope = phases.gpu("digest", stream_);
  const std::int64_t blocks = std::min<std::int64_t>((counts.size() + kThreads - 1) / kThreads, 4096);
  launch(digest_kernel, Grid{blocks, kThreads}, stream_, View<const std::uint32_t>(counts), table.rows.first_place,
         digests_.view().subview(static_cast<std::int64_t>(table.band), 1));
}

void SetEngine::solve_pairs(Phases& phases, bool bring_down) {
  {
    const auto scope = phases.gpu("build", stream_);
    technique_->build(device_sets(), stream_, phases);
  }
  digests_.fill(0, stream_);
  const bool one_table = kept_ && tables_.size() <= 1;
  std::array<Event, 2> copied;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    Buffer<std::uint32_t>& memory = table_memory_[t % 2];
    if (t >= 2) stream_.wait(copied[t % 2]);
    enqueue_table(tables_[t], memory, phases);
    // One table stays until download(); of several, one goes down while the next is computed.
    if (one_table || !(kept_ || bring_down)) continue;
    Event ready;
    ready.record(stream_);
    copies_.wait(ready);
    const std::size_t at = kept_ ? tables_[t].rows.first_place : t % 2 * (host_values_.span().size() / 2);
    memory.download(host_values_.span().subspan(at, tables_[t].rows.places), copies_);
    copied[t % 2].record(copies_);
  }
}

void SetEngine::solve_single(Phases& phases) {
  const std::int64_t a = sets_->size(0);
  const std::int64_t b = sets_->size(1);
  const View<const std::uint32_t> tokens = std::as_const(tokens_).view();
  SingleTask task{tokens.subview(0, a), tokens.subview(a, b), common_.view(), found_.view()};
  if (a > b) std::swap(task.smaller, task.larger);
  {
    const auto scope = phases.gpu("intersect", stream_);
    common_.fill(0, stream_);
    found_.fill(0, stream_);
    if (!task.smaller.empty()) technique_->intersect(task, stream_, phases);
  }
  if (!as_set_) return;
  const auto scope = phases.gpu("select", stream_);
  select_flagged(task.smaller, std::as_const(found_).view(), common_tokens_.view(), common_size_.view(), stream_);
}

void SetEngine::download(Phases& phases) {
  {
    const auto scope = phases.gpu("download", stream_);
    if (single_) {
      common_.download(host_common_.span(), stream_);
    } else if (kept_ && tables_.size() == 1) {
      table_memory_[0].download(host_values_.span(), stream_);
    }
    digests_.download(host_digests_.span(), stream_);
    if (as_set_) {
      stream_.synchronize();  // how many tokens there are is known only now
      common_tokens_.download(host_common_tokens_.span().first(common()), stream_);
    }
  }
  stream_.synchronize();
}

pairs::Answer SetEngine::pairs_answer() {
  if (kept_) return {host_values_.span(), {}};
  band_digests_.assign(host_digests_.span().begin(), host_digests_.span().end());
  return {{}, band_digests_};
}

std::span<std::uint32_t> SetEngine::tokens() {
  return as_set_ ? host_common_tokens_.span().first(common()) : std::span<std::uint32_t>{};
}

std::map<std::string, double> SetEngine::counters() const {
  std::map<std::string, double> counters = technique_->counters();
  counters["upload_bytes"] = static_cast<double>(offsets_.bytes() + tokens_.bytes());
  if (!single_) counters["tables"] = static_cast<double>(tables_.size());
  return counters;
}

}  // namespace warpbench::sets
