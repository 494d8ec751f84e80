#include "algorithms/matrix_factorization/hsgd/measure_costs.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/matrix_factorization/hsgd/device_side.hpp"
#include "datasets/generators/random.hpp"
#include "device/buffer.hpp"
#include "device/device.hpp"
#include "device/half.hpp"
#include "solvers/matrix_factorization/device_update.hpp"
#include "solvers/matrix_factorization/factor_rows.hpp"

namespace warpbench::matrix_factorization {
namespace {

constexpr std::int64_t kParts = 10;
constexpr std::int64_t kBands = 2;      ///< of users and of items, into which ratings for the CPU are cut
constexpr std::int64_t kItemBands = 8;  ///< of the GPU's Q, one of which comes with a block
constexpr std::int64_t kFewestRatings = 1 << 5;
constexpr std::int64_t kFewestBytes = 1 << 12;
constexpr std::int64_t kRatingBytes = sizeof(Rating);
constexpr std::uint64_t kSeed = 1;
constexpr UpdateRule kRule{1e-3F, 0.05F, 0.05F};
constexpr float kFactor = 0.1F;

/// How much is timed.
struct Extents {
  std::int64_t cpu_rows = 1 << 13;     ///< of P, and of Q: a block has 4 MB of them at 128 factors, as in Table 3.1's
  std::int64_t cpu_ratings = 1 << 17;  ///< sets on 16 threads, and 8 ratings a row
  std::int64_t gpu_rows = 1 << 16;
  std::int64_t gpu_ratings = 1 << 23;
  std::int64_t least_gpu_ratings = 1 << 10;
  std::int64_t copied_bytes = 1 << 26;
  int runs = 5;
};

/// No more than fits the device: a quarter of its free memory for the factors, one for ratings, a half for copies.
Extents extents(const CostSetup& setup) {
  Extents sizes;
  if (backend_name() == "simt") sizes = {1 << 10, 1 << 12, 1 << 10, 1 << 11, 1 << 8, 1 << 16, 1};
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

std::vector<Rating> random_ratings(std::int64_t count, std::int64_t rows) {
  const datasets::Random users(kSeed, 0);
  const datasets::Random items(kSeed, 1);
  std::vector<Rating> ratings(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < ratings.size(); ++i) {
    const auto bound = static_cast<std::uint64_t>(rows);
    ratings[i] = {static_cast<std::uint32_t>(users.below(bound, i)), static_cast<std::uint32_t>(items.below(bound, i)),
                  1.0F};
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

/// In blocks, those of a block by user.
std::vector<Rating> in_blocks(std::span<const Rating> ratings, std::int64_t rows) {
  const auto band = static_cast<std::uint32_t>(rows / kBands);
  std::vector<Rating> sorted(ratings.begin(), ratings.end());
  std::ranges::sort(sorted, {}, [band](const Rating& rating) {
    return std::tuple(rating.user / band, rating.item / band, rating.user, rating.item);
  });
  return sorted;
}

/// The factors of a thread.
struct OwnFactors {
  FactorRows p;
  FactorRows q;

  OwnFactors(std::int64_t rows, std::int64_t k) : p(rows, k), q(rows, k) {
    std::ranges::fill(p.all(), kFactor);
    std::ranges::fill(q.all(), kFactor);
  }
  [[nodiscard]] FactorView view() { return {p.all().data(), q.all().data(), p.stride()}; }
};

/// The mean time of threads that all update by `ratings` at the same time, each its own factors.
Sample timed_on_threads(const CostSetup& setup, int runs, std::span<const Rating> ratings,
                        std::vector<OwnFactors>& factors) {
  double seconds = 0;
#pragma omp parallel for num_threads(setup.threads) schedule(static, 1) reduction(+ : seconds)
  for (std::int64_t thread = 0; thread < std::ssize(factors); ++thread) {
    const FactorView own = factors[static_cast<std::size_t>(thread)].view();
    seconds += timed(std::ssize(ratings), runs, [&] { setup.update(ratings, own, kRule); }).seconds;
  }
  return {static_cast<double>(ratings.size()), seconds / static_cast<double>(factors.size())};
}

void measure_cpu(const CostSetup& setup, const Extents& extents, CostModels& models) {
  const std::vector<Rating> all = random_ratings(extents.cpu_ratings, extents.cpu_rows);
  std::vector<OwnFactors> factors;
  for (int thread = 0; thread < setup.threads; ++thread) factors.emplace_back(extents.cpu_rows, setup.stride);
  const std::int64_t part = extents.cpu_ratings / kParts;
  std::vector<Sample> prefixes;
  std::vector<Sample> parts;
  for (std::int64_t i = 0; i < kParts; ++i) {
    const std::span<const Rating> to_here = std::span(all).first(static_cast<std::size_t>((i + 1) * part));
    const std::vector<Rating> prefix = in_blocks(to_here, extents.cpu_rows);
    const std::vector<Rating> single = in_blocks(to_here.last(static_cast<std::size_t>(part)), extents.cpu_rows);
    prefixes.push_back(timed_on_threads(setup, 3 * extents.runs, prefix, factors));
    parts.push_back(timed_on_threads(setup, 3 * extents.runs, single, factors));
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
  const std::vector<Rating> all = random_ratings(extents.gpu_ratings, extents.gpu_rows);
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
  std::vector<Rating> all = random_ratings(extents.gpu_ratings, users.size());
  for (Rating& rating : all) rating.item %= static_cast<std::uint32_t>(items.size());
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

}  // namespace warpbench::matrix_factorization
