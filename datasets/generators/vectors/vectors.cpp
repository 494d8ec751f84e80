#include "datasets/generators/vectors/vectors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "datasets/generators/fixed_math.hpp"
#include "datasets/generators/random.hpp"
#include "datasets/generators/size.hpp"
#include "datasets/generators/weights.hpp"
#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"
#include "device/integers.hpp"

namespace warpbench::datasets {
namespace {

enum Stream : std::uint64_t {
  kSharedMap = 201,
  kOwnMaps,
  kCentres,
  kPointClusters,
  kPointLatents,
  kPointNoise,
  kQueryClusters,
  kQueryLatents,
  kQueryNoise,
  kUniformPoints,
  kUniformQueries
};

constexpr std::size_t kBlock = 16;  // coordinates summed at once: a fixed number, so that the loop vectorises
constexpr std::size_t kGrain = 256;
constexpr std::uint64_t kMaxMapEntries = std::uint64_t{1} << 31U;
constexpr double kSizeExponent = 0.3;

/// A nearly Gaussian number: the sum of the word's four 16-bit quarters, from -131070 to 131070, standard deviation
/// 37,837.
std::int32_t gaussian(std::uint64_t word) {
  std::uint64_t sum = 0;
  for (unsigned quarter = 0; quarter < 4; ++quarter) sum += (word >> (16 * quarter)) & 0xffffU;
  return static_cast<std::int32_t>(sum) - 131'070;
}

/// Standard deviation of latent coordinates and map entries, which are gaussian / 64 and so below 2^11.
constexpr double kUnit = 37'837.0 / 64.0;
std::int16_t unit_gaussian(std::uint64_t word) {
  return static_cast<std::int16_t>(gaussian(word) / 64);
}

struct VectorSize {
  std::size_t points = 0;
  std::size_t queries = 0;
  std::size_t dimension = 0;
  Metric metric = Metric::euclidean;
};

VectorSize vector_size(const std::string& where, const Properties& values) {
  const double points = std::round(static_cast<double>(integer(values, "points")) * real(values, "scale"));
  if (!(points >= 1.0 && points < static_cast<double>(std::numeric_limits<std::uint32_t>::max()))) {
    throw InputError(where, 0, "1 to 2^32 - 2 points after scaling", to_string(Property{points}));
  }
  const Metric metric =
      *metric_from_string(word(values, "metric"));  // NOLINT(bugprone-unchecked-optional-access): a declared choice
  return {static_cast<std::size_t>(points), static_cast<std::size_t>(integer(values, "queries")),
          static_cast<std::size_t>(integer(values, "dimension")), metric};
}

Content content_of(const VectorSize& size, Array<float> points, Array<float> queries) {
  VectorSet set;
  set.facts =
      std::vector<std::uint32_t>{static_cast<std::uint32_t>(size.dimension), static_cast<std::uint32_t>(size.metric)};
  set.points = std::move(points);
  set.queries = std::move(queries);
  return {std::move(set), {}, {}};
}

/// Runs before any allocation, because maps take most of the memory.
void check_map_entries(const Properties& values) {
  const auto padded = round_up(static_cast<std::size_t>(integer(values, "dimension")), kBlock);
  const auto entries = static_cast<std::uint64_t>(integer(values, "clusters")) *
                       static_cast<std::uint64_t>(integer(values, "intrinsic_dimension")) * padded;
  if (entries > kMaxMapEntries) {
    throw InputError("clustered", 0,
                     "clusters × dimension × intrinsic_dimension of at most " + std::to_string(kMaxMapEntries),
                     std::to_string(entries));
  }
}

/// The maps and centres of all clusters, from which points are drawn.
class Mixture {
 public:
  Mixture(const Properties& values, std::size_t dimension, std::uint64_t seed, int threads)
      : dimension_(dimension),
        blocks_(ceil_div(dimension, kBlock)),
        latents_(static_cast<std::size_t>(integer(values, "intrinsic_dimension"))),
        sizes_(cluster_weights(static_cast<std::size_t>(integer(values, "clusters")))),
        scale_(1.0 / (std::sqrt(static_cast<double>(latents_)) * kUnit * kUnit)),
        noise_(static_cast<std::int64_t>(std::sqrt(static_cast<double>(latents_)) * kUnit * kUnit * std::sqrt(12.0) /
                                         16.0)) {
    const auto clusters = static_cast<std::size_t>(integer(values, "clusters"));
    make_maps(clusters, seed, threads);
    make_centres(clusters, real(values, "spread"), seed, threads);
  }

  /// Points from 0 on, as many as there is room for. `clusters` is the first of three streams; the next two are for
  /// latents and noise.
  void draw(std::span<float> points, std::uint64_t seed, std::uint64_t clusters, int threads) const {
    const std::size_t count = points.size() / dimension_;
    const Random cluster_draws(seed, clusters);
    const Random latent_draws(seed, clusters + 1);
    const Random noise_draws(seed, clusters + 2);
    for_chunks(count, kGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
      std::vector<std::int16_t> latent(latents_);
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t cluster = sizes_.find(cluster_draws.below(sizes_.total(), i));
        for (std::size_t l = 0; l < latents_; ++l) latent[l] = unit_gaussian(latent_draws.at(i * latents_ + l));
        place(cluster, latent, noise_draws, i, points.data() + i * dimension_);
      }
    });
  }

 private:
  using Sums = std::array<std::int32_t, kBlock>;

  static WeightedChoice cluster_weights(std::size_t clusters) {
    const auto slope = static_cast<std::uint64_t>(kSizeExponent * static_cast<double>(kOne));
    std::vector<std::uint32_t> weights(clusters);
    for (std::size_t k = 0; k < clusters; ++k) {
      weights[k] = static_cast<std::uint32_t>((power_ratio_q62(k + 1, 1, slope) >> 34U) + 1);
    }
    return WeightedChoice(weights);
  }

  [[nodiscard]] std::size_t map_entries() const { return blocks_ * latents_ * kBlock; }

  /// Stores map entries block by block, and latent by latent within a block. |entry| < 2^11.5, so a sum over 256
  /// latents of less than 2^11 each fits in 32 bits.
  void make_maps(std::size_t clusters, std::uint64_t seed, int threads) {
    const Random shared(seed, kSharedMap);
    const Random own(seed, kOwnMaps);
    shared_map_.resize(map_entries());
    for (std::size_t e = 0; e < map_entries(); ++e) shared_map_[e] = unit_gaussian(shared.at(e));
    maps_.resize(clusters * map_entries());
    for_chunks(clusters, 1, threads, [&](std::size_t cluster, std::size_t, std::size_t) {
      for (std::size_t e = 0; e < map_entries(); ++e) {
        constexpr std::int32_t kHalf = 724;  // sqrt(1/2) in 1024ths
        const std::size_t at = cluster * map_entries() + e;
        maps_[at] = static_cast<std::int16_t>((shared_map_[e] + unit_gaussian(own.at(at))) * kHalf / 1024);
      }
    });
  }

  void make_centres(std::size_t clusters, double spread, std::uint64_t seed, int threads) {
    const Random draws(seed, kCentres);
    const auto factor = static_cast<std::int64_t>(spread * 65536.0);
    centres_.resize(clusters * blocks_ * kBlock);
    for_chunks(clusters, 1, threads, [&](std::size_t cluster, std::size_t, std::size_t) {
      std::vector<std::int16_t> latent(latents_);
      for (std::size_t l = 0; l < latents_; ++l) latent[l] = unit_gaussian(draws.at(cluster * latents_ + l));
      for (std::size_t block = 0; block < blocks_; ++block) {
        const Sums sums = multiply(shared_map_.data() + block * latents_ * kBlock, latent);
        for (std::size_t j = 0; j < kBlock; ++j) {
          const auto whole = sums[j] * factor / 65536;  // integers, so the same on every machine
          centres_[(cluster * blocks_ + block) * kBlock + j] = static_cast<double>(whole);
        }
      }
    });
  }

  /// One block of a map times the latent point.
  static Sums multiply(const std::int16_t* map, const std::vector<std::int16_t>& latent) {
    Sums sums{};
    for (const std::int16_t z : latent) {
      for (std::size_t j = 0; j < kBlock; ++j) sums[j] += map[j] * z;
      map += kBlock;
    }
    return sums;
  }

  void place(std::size_t cluster, const std::vector<std::int16_t>& latent, const Random& noise, std::uint64_t i,
             float* point) const {
    for (std::size_t block = 0; block < blocks_; ++block) {
      const Sums sums = multiply(maps_.data() + cluster * map_entries() + block * latents_ * kBlock, latent);
      const double* const centre = centres_.data() + (cluster * blocks_ + block) * kBlock;
      const std::size_t left = std::min(kBlock, dimension_ - block * kBlock);
      std::uint64_t bits = 0;
      for (std::size_t j = 0; j < left; ++j) {
        bits = j % 4 == 0 ? noise.at((i * blocks_ + block) * (kBlock / 4) + j / 4) : bits >> 16U;
        const std::int64_t jitter = (static_cast<std::int64_t>(bits & 0xffffU) - 32'768) * noise_ / 65'536;
        const double whole = centre[j] + static_cast<double>(sums[j] + jitter);  // exact: below 2^53
        point[block * kBlock + j] = static_cast<float>(whole * scale_);
      }
    }
  }

  std::size_t dimension_;
  std::size_t blocks_;
  std::size_t latents_;
  WeightedChoice sizes_;
  double scale_;
  std::int64_t noise_;  // width of a uniform noise with standard deviation 1/16
  std::vector<std::int16_t> shared_map_;
  std::vector<std::int16_t> maps_;
  std::vector<double> centres_;
};

std::vector<float> uniform_points(std::size_t count, std::uint64_t seed, std::uint64_t stream, int threads) {
  std::vector<float> values(count);
  const Random random(seed, stream);
  for_chunks(count, std::size_t{1} << 16U, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) values[i] = static_cast<float>(random.at(i) >> 40U) * 0x1p-24F;
  });
  return values;
}

}  // namespace

std::vector<ParameterDeclaration> vector_parameters() {
  return {{"points", 0, 1, 4294967294.0, "points at scale 1", true},
          {"queries", 2000, 0, 1e8, "queries, at any scale", false},
          {"dimension", 0, 1, static_cast<double>(kMaxDimension), "coordinates of a point", true},
          {"metric", "euclidean", 0, kNoLimit, "of the distances asked for", false, metric_names()},
          scale_parameter()};
}

// The defaults are chosen for 1,000,000 x 128: with seed 1 describe() measures an intrinsic dimension of 19.0 there. It
// measures 23.8 at 100,000 x 128 and 25.4 at 50,000 x 128, where neighbours are farther away and more of them lie in
// other clusters, and 19.5 at 200,000 x 960. A wider spread lowers it (16.1 at 1,000,000 x 128 with spread 1); latent
// dimensions from 24 to 32 change it by 0.4. The graph of 16 nearest neighbours of 50,000 points is connected at spread
// 0.8; with 24 latent dimensions also at 1, but at 2 it falls into 832 parts.
std::vector<ParameterDeclaration> cluster_parameters() {
  return {{"clusters", 1000, 1, 1e7, "clusters, at any scale", false},
          {"intrinsic_dimension", 32, 1, 256, "latent dimension of a cluster", false},
          {"spread", 0.8, 0.0, 1024.0, "distance of two centres over that of two points of a cluster", false}};
}

Content generate_clustered(const Properties& values, std::uint64_t seed, int threads) {
  return generate_clustered_into(values, seed, threads, room_in_memory);
}

Content generate_clustered_into(const Properties& values, std::uint64_t seed, int threads, const MakeRoom& make_room) {
  const VectorSize size = vector_size("clustered", values);
  check_map_entries(values);
  const Mixture mixture(values, size.dimension, seed, threads);
  const auto drawn = [&](std::size_t count, std::uint64_t clusters) {
    return filled_array<float>(count * size.dimension, make_room,
                               [&](std::span<float> points) { mixture.draw(points, seed, clusters, threads); });
  };
  return content_of(size, drawn(size.points, kPointClusters), drawn(size.queries, kQueryClusters));
}

Content generate_uniform_vectors(const Properties& values, std::uint64_t seed, int threads) {
  const VectorSize size = vector_size("uniform_vectors", values);
  return content_of(size, uniform_points(size.points * size.dimension, seed, kUniformPoints, threads),
                    uniform_points(size.queries * size.dimension, seed, kUniformQueries, threads));
}

}  // namespace warpbench::datasets
