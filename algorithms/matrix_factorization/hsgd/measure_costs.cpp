#include "algorithms/matrix_factorization/hsgd/measure_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/matrix_factorization/hsgd/device_side.hpp"
#include "datasets/generators/random.hpp"
#include "datasets/ratings.hpp"
#include "device/buffer.hpp"
#include "device/device.hpp"
#include "device/half.hpp"
#include "solvers/matrix_factorization/device_update.hpp"
#include "solvers/matrix_factorization/factor_rows.hpp"
#include "solvers/matrix_factorization/star_scheduler.hpp"

namespace warpbench::matrix_factorization {
namespace {

constexpr std::int64_t kParts = 10;
constexpr std::int64_t kItemBands = 8;  ///< of the GPU's Q, one of which comes with a block
constexpr std::int64_t kFewestRatings = 1 << 5;
constexpr std::int64_t kFewestBytes = 1 << 12;
constexpr std::int64_t kRatingBytes = sizeof(Rating);
constexpr std::uint64_t kSeed = 1;
constexpr UpdateRule kRule{1e-3F, 0.05F, 0.05F};
constexpr float kFactor = 0.1F;
constexpr float kRating = 1;

/// How much is timed.
struct Extents {
  CpuInput cpu;
  std::int64_t gpu_rows = 1 << 16;
  std::int64_t gpu_ratings = 1 << 23;  ///< at most; a small input has few workers, which would take long for so many
  std::int64_t least_gpu_ratings = 1 << 10;
  std::int64_t copied_bytes = 1 << 26;
  int runs = 5;
};

/// No more than fits the device: a quarter of its free memory for the factors, one for ratings, a half for copies.
Extents extents(const CostSetup& setup) {
  Extents sizes;
  sizes.cpu = setup.cpu;
  sizes.gpu_ratings = std::clamp(setup.cpu.ratings, std::int64_t{1} << 13, sizes.gpu_ratings);
  if (backend_name() == "simt") sizes = {{1 << 9, 1 << 9, 1 << 12}, 1 << 10, 1 << 11, 1 << 8, 1 << 16, 1};
  const std::int64_t free_bytes = free_memory();
  const std::int64_t factor_bytes = setup.half_precision ? sizeof(Half) : sizeof(float);
  const std::int64_t row_bytes = 2 * setup.stride * factor_bytes;
  while (sizes.gpu_rows > kItemBands && sizes.gpu_rows * row_bytes > free_bytes / 4) sizes.gpu_rows /= 2;
  while (sizes.gpu_ratings > kFewestRatings && sizes.gpu_ratings * kRatingBytes > free_bytes / 4)
    sizes.gpu_ratings /= 2;
  while (sizes.copied_bytes > kFewestBytes && sizes.copied_bytes > free_bytes / 2) sizes.copied_bytes /= 2;
  sizes.least_gpu_ratings = std::min(sizes.least_gpu_ratings, sizes.gpu_ratings);
  return sizes;
}

std::vector<Rating> random_ratings(std::int64_t count, std::int64_t users, std::int64_t items) {
  const datasets::Random of_users(kSeed, 0);
  const datasets::Random of_items(kSeed, 1);
  std::vector<Rating> ratings(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < ratings.size(); ++i) {
    ratings[i] = {static_cast<std::uint32_t>(of_users.below(static_cast<std::uint64_t>(users), i)),
                  static_cast<std::uint32_t>(of_items.below(static_cast<std::uint64_t>(items), i)), kRating};
  }
  return ratings;
}

/// The least of `runs` runs, after one that is not timed: what else the machine does only adds to a time.
template <typename Work>
Sample timed(std::int64_t size, int runs, const Work& work) {
  work();
  auto least = std::chrono::steady_clock::duration::max();
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    least = std::min(least, std::chrono::steady_clock::now() - start);
  }
  return {static_cast<double>(size), std::max(std::chrono::duration<double>(least).count(), 1e-9)};
}

LineModel line_model(std::span<const Sample> samples) {
  const Line line = fit_line(samples);
  return {line, relative_error(samples, [&](double size) { return line.seconds(size); })};
}

TwoPieceModel two_piece_model(std::span<const Sample> samples, Growth growth) {
  const TwoPieces pieces = fit_two_pieces(samples, growth);
  return {pieces, relative_error(samples, [&](double size) { return pieces.seconds(size); })};
}

/// The ratings of users from first/kParts to last/kParts of all, with all items: as R_c, and smaller.
datasets::RatingList part_of(std::span<const Rating> all, const CpuInput& input, std::int64_t first,
                             std::int64_t last) {
  const auto begin = static_cast<std::uint32_t>(input.users * first / kParts);
  const auto end = static_cast<std::uint32_t>(input.users * last / kParts);
  std::vector<std::uint32_t> users;
  std::vector<std::uint32_t> items;
  for (const Rating& rating : all) {
    if (rating.user < begin || rating.user >= end) continue;
    users.push_back(rating.user - begin);
    items.push_back(rating.item);
  }
  std::vector<float> values(users.size(), kRating);
  return {std::move(users), std::move(items), std::move(values)};
}

/// Time of an iteration of all threads on R_c alone, times their number: what one thread would take.
Sample timed_on_threads(const CostSetup& setup, int runs, const datasets::RatingList& ratings, FactorRows& p,
                        FactorRows& q, const CpuInput& input) {
  GridPlan plan{same_places(input.users), same_places(input.items), {}, {}};
  plan.user_bands = divided_users(ratings_of_places(ratings.users.span(), plan.user_places), setup.division, 0);
  plan.item_bands = weighted_bands(ratings_of_places(ratings.items.span(), plan.item_places), setup.division.columns());
  const RatingGrid grid(ratings, plan, RatingOrder::user, kSeed);
  StarScheduler scheduler(setup.division, grid.counts(), false);
  const FactorView factors{p.all().data(), q.all().data(), p.stride()};
  Sample sample = timed(ratings.count(), runs, [&] {
    scheduler.begin_iteration();
#pragma omp parallel num_threads(static_cast <int>(setup.division.threads))
    while (!scheduler.is_over()) {
      if (const std::optional<Task> task = scheduler.take()) {
        setup.update(grid.ratings({task->first_row, task->column}), factors, kRule);
        scheduler.give_back(*task);
      } else {
        StarScheduler::nap();
      }
    }
  });
  sample.seconds *= static_cast<double>(setup.division.threads);
  return sample;
}

void measure_cpu(const CostSetup& setup, const Extents& extents, CostModels& models) {
  const CpuInput& input = extents.cpu;
  const std::vector<Rating> all = random_ratings(input.ratings, input.users, input.items);
  FactorRows p(input.users, setup.stride);
  FactorRows q(input.items, setup.stride);
  std::ranges::fill(p.all(), kFactor);
  std::ranges::fill(q.all(), kFactor);
  const auto time_of = [&](std::int64_t first, std::int64_t last) {
    return timed_on_threads(setup, extents.runs, part_of(all, input, first, last), p, q, input);
  };
  std::vector<Sample> prefixes;
  std::vector<Sample> parts;
  for (std::int64_t i = 0; i < kParts; ++i) {
    prefixes.push_back(time_of(0, i + 1));
    parts.push_back(time_of(i, i + 1));
  }
  models.cpu_prefix = line_model(prefixes);
  models.cpu_parts = line_model(parts);
}

void measure_copies(const Extents& extents, Stream& stream, CostModels& models) {
  PinnedBuffer<std::byte> host(extents.copied_bytes);
  Buffer<std::byte> device(extents.copied_bytes, stream);
  std::vector<Sample> in;
  std::vector<Sample> out;
  for (std::int64_t bytes = kFewestBytes; bytes <= extents.copied_bytes; bytes *= 2) {
    const auto part = host.span().first(static_cast<std::size_t>(bytes));
    in.push_back(timed(bytes, extents.runs, [&] {
      device.upload(part, stream);
      stream.synchronize();
    }));
    out.push_back(timed(bytes, extents.runs, [&] {
      device.download(part, stream);
      stream.synchronize();
    }));
  }
  models.copy_in = two_piece_model(in, Growth::sqrt_log);
  models.copy_out = two_piece_model(out, Growth::sqrt_log);
}

template <typename Factor>
Factor first_factor() {
  if constexpr (std::is_same_v<Factor, Half>) {
    return to_half(kFactor);
  } else {
    return kFactor;
  }
}

/// As they lie in a block.
void arrange(std::span<Rating> ratings, RatingOrder order) {
  if (order == RatingOrder::user_and_random) std::ranges::stable_sort(ratings, {}, &Rating::user);
}

template <typename Factor>
void measure_kernel(const CostSetup& setup, const Extents& extents, Stream& stream, CostModels& models) {
  const std::vector<Rating> all = random_ratings(extents.gpu_ratings, extents.gpu_rows, extents.gpu_rows);
  const std::int64_t factors = extents.gpu_rows * setup.stride;
  Buffer<Factor> p(factors, stream);
  Buffer<Factor> q(factors, stream);
  p.fill(first_factor<Factor>(), stream);
  q.fill(first_factor<Factor>(), stream);
  PinnedBuffer<Rating> host(extents.gpu_ratings);
  Buffer<Rating> ratings(extents.gpu_ratings, stream);
  std::vector<Sample> samples;
  for (std::int64_t count = extents.least_gpu_ratings; count <= extents.gpu_ratings; count *= 2) {
    const auto own = host.span().first(static_cast<std::size_t>(count));
    std::ranges::copy_n(all.begin(), count, own.begin());
    arrange(own, setup.order);
    ratings.upload(own, stream);
    const std::int64_t workers =
        useful_workers<Factor>(setup.workers, setup.stride, extents.gpu_rows, extents.gpu_rows, count);
    samples.push_back(timed(count, extents.runs, [&] {
      update_on_device(View<const Rating>(ratings.view().first(count)),
                       DeviceFactors<Factor>{p.view(), q.view(), setup.stride, 0, 0}, kRule, workers, stream);
      stream.synchronize();
    }));
  }
  models.kernel = two_piece_model(samples, Growth::log);
}

/// Blocks of the GPU's whole row, from the copy of their ratings in to that of their segment of Q out.
void measure_blocks(const CostSetup& setup, const Extents& extents, Stream& stream, CostModels& models) {
  const std::int64_t part = extents.gpu_ratings / kParts;
  const RowRange users{0, extents.gpu_rows};
  const RowRange items{0, extents.gpu_rows / kItemBands};
  FactorRows p(users.size(), setup.stride);
  FactorRows q(items.size(), setup.stride);
  std::ranges::fill(p.all(), kFactor);
  std::ranges::fill(q.all(), kFactor);
  const PinnedRegion pinned_p(p.all());
  const PinnedRegion pinned_q(q.all());
  const std::vector<Rating> all = random_ratings(extents.gpu_ratings, users.size(), items.size());
  PinnedBuffer<Rating> host(part);
  Buffer<Rating> ratings(setup.is_resident ? part : 0, stream);
  stream.synchronize();
  const auto device = make_device_side(
      setup.half_precision, {p.all().data(), q.all().data(), setup.stride},
      {.workers = setup.workers, .home_users = users, .items = items.size(), .ratings = setup.is_resident ? 0 : part});
  device->load_home();
  std::vector<Sample> parts;
  for (std::int64_t i = 0; i < kParts; ++i) {
    std::ranges::copy_n(all.begin() + i * part, part, host.span().begin());
    arrange(host.span(), setup.order);
    DeviceBlock block{users, items, true, {}, {}};
    if (setup.is_resident) {
      ratings.upload(host.span(), stream);
      stream.synchronize();
      block.on_device = std::as_const(ratings).view();
    } else {
      block.on_host = host.span();
    }
    parts.push_back(timed(part, extents.runs, [&] {
      device->begin(block, kRule);
      device->finish();
    }));
  }
  models.gpu_parts = line_model(parts);
}

CostModels measured_once(const CostSetup& setup) {
  const Extents sizes = extents(setup);
  CostModels models;
  measure_cpu(setup, sizes, models);
  Stream stream;
  measure_copies(sizes, stream, models);
  if (setup.half_precision) {
    measure_kernel<Half>(setup, sizes, stream, models);
  } else {
    measure_kernel<float>(setup, sizes, stream, models);
  }
  measure_blocks(setup, sizes, stream, models);
  return models;
}

}  // namespace

CostModels measure_costs(const CostSetup& setup) {
  if (backend_name() == "simt") return measured_once(setup);  // no second time makes these mean anything
  return measured_well([&] { return measured_once(setup); });
}

CostModels kept_costs(const CostSetup& setup, const std::string& key, Phases& phases) {
  const std::string device = current_device().name;
  const std::filesystem::path file = cost_file(device, key);
  std::error_code unreadable;  // as where there is none: a folder that may not be searched
  if (std::filesystem::exists(file, unreadable)) return read_cost_models(file);
  const auto scope = phases.cpu("measure_costs");
  const CostModels models = measure_costs(setup);
  const bool is_backend_timed = backend_name() != "simt";  // its models mean nothing, however well they fit
  if (is_backend_timed && largest_residual(models) > kTolerableResidual) return models;  // for this trial alone
  try {
    write_cost_models(file, models, fmt::format("{}, {}", device, key));
  } catch (const std::system_error&) {  // a cache that cannot be written: the next trial measures, too
  }
  return models;
}

}  // namespace warpbench::matrix_factorization
