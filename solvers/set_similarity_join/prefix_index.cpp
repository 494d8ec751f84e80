#include "solvers/set_similarity_join/prefix_index.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <ranges>
#include <string>
#include <utility>

#include "solvers/registry.hpp"

namespace warpbench::similarity {
namespace {

/// A set costs as much as this many of its tokens.
constexpr std::uint64_t kCostOfSet = 16;

/// Builds an index in three passes: each part of the sets counts its postings of each token; sums over parts and tokens
/// say where they go; each part puts them there. So lists are in the order of sets, and no two threads write one place.
class IndexBuild {
 public:
  IndexBuild(const OrderedSets& sets, const Bounds& bounds, SetRange indexed, std::span<const std::uint8_t> is_indexed,
             int threads)
      : sets_(&sets),
        bounds_(bounds),
        is_indexed_(is_indexed),
        tokens_(static_cast<std::size_t>(sets.distinct_tokens)),
        threads_(threads) {
    cut(indexed);
  }

  void into(PrefixIndex& index) {
    next_.assign(parts() * tokens_, 0);
    index.offsets.resize(tokens_ + 1);
    each_part([this](std::size_t part) {
      std::uint32_t* const counts = next_.data() + part * tokens_;
      for_postings(part, [counts](datasets::Token token, Posting /*posting*/) { ++counts[token]; });
    });
    index.offsets[tokens_] = make_offsets(index.offsets);
    index.postings.resize(index.offsets[tokens_]);
    each_part([this, postings = index.postings.data()](std::size_t part) {
      std::uint32_t* const next = next_.data() + part * tokens_;
      for_postings(part, [=](datasets::Token token, Posting posting) { postings[next[token]++] = posting; });
    });
  }

 private:
  [[nodiscard]] std::size_t parts() const { return cuts_.size() - 1; }

  /// Parts of equal cost.
  void cut(SetRange indexed) {
    const auto cost = [this](std::int64_t set) {
      const auto at = static_cast<std::size_t>(set);
      return sets_->sets.offsets[at] + kCostOfSet * static_cast<std::uint64_t>(set);
    };
    const std::uint64_t before = cost(indexed.begin);
    const std::uint64_t all = cost(indexed.end) - before;
    const auto numbers = std::views::iota(indexed.begin, indexed.end);
    const auto parts = static_cast<std::uint64_t>(threads_);
    for (std::uint64_t part = 0; part < parts; ++part) {
      const std::uint64_t wanted = before + all / parts * part;
      cuts_.push_back(*std::ranges::partition_point(numbers, [&](std::int64_t set) { return cost(set) < wanted; }));
    }
    cuts_.push_back(indexed.end);
  }

  template <typename Work>
  void each_part(const Work& work) const {
    const auto count = static_cast<std::int64_t>(parts());
#pragma omp parallel for schedule(static, 1) num_threads(threads_) if (threads_ > 1)
    for (std::int64_t part = 0; part < count; ++part) work(static_cast<std::size_t>(part));
  }

  template <typename Use>
  void for_postings(std::size_t part, const Use& use) const {
    std::uint32_t size = 0;
    std::uint32_t prefix = 0;
    for (std::int64_t set = cuts_[part]; set < cuts_[part + 1]; ++set) {
      if (!is_indexed_.empty() && is_indexed_[static_cast<std::size_t>(set)] == 0) continue;
      const std::span<const datasets::Token> tokens = sets_->sets.set(set);
      if (tokens.size() != size) {
        size = static_cast<std::uint32_t>(tokens.size());
        prefix = bounds_.index_prefix(size);
      }
      for (std::uint32_t i = 0; i < prefix; ++i) use(tokens[i], Posting{static_cast<std::uint32_t>(set), i});
    }
  }

  /// Turns counts into places, and returns how many postings there are. Tokens are cut into as many ranges as sets.
  std::uint32_t make_offsets(std::vector<std::uint32_t>& offsets) {
    const auto begin_of = [this](std::size_t range) { return tokens_ * range / parts(); };
    std::vector<std::uint64_t> firsts(parts() + 1);
    each_part([&](std::size_t range) {
      for (std::size_t part = 0; part < parts(); ++part) {
        const std::uint32_t* const counts = next_.data() + part * tokens_;
        firsts[range + 1] += std::accumulate(counts + begin_of(range), counts + begin_of(range + 1), std::uint64_t{0});
      }
    });
    std::partial_sum(firsts.begin(), firsts.end(), firsts.begin());
    if (firsts.back() > 0xffffffffU) {
      throw Unsupported("the index would have " + std::to_string(firsts.back()) +
                        " postings, but can have 4294967295; a higher threshold or smaller blocks need fewer");
    }
    each_part([&](std::size_t range) {
      auto place = static_cast<std::uint32_t>(firsts[range]);
      for (std::size_t token = begin_of(range); token < begin_of(range + 1); ++token) {
        offsets[token] = place;
        for (std::size_t part = 0; part < parts(); ++part) {
          std::uint32_t& next = next_[part * tokens_ + token];
          place += std::exchange(next, place);
        }
      }
    });
    return static_cast<std::uint32_t>(firsts.back());
  }

  const OrderedSets* sets_;
  Bounds bounds_;
  std::span<const std::uint8_t> is_indexed_;
  std::size_t tokens_;
  int threads_;
  std::vector<std::int64_t> cuts_;
  std::vector<std::uint32_t>
      next_;  // of each part, of each token: first the number, then the place of the next posting
};

}  // namespace

std::uint64_t next_build() {
  static std::atomic<std::uint64_t> builds = 0;
  return ++builds;
}

void rebuild(PrefixIndex& index, const OrderedSets& sets, const Bounds& bounds, SetRange indexed, int threads,
             std::span<const std::uint8_t> is_indexed) {
  index.sets = indexed;
  index.build = next_build();
  IndexBuild(sets, bounds, indexed, is_indexed, std::max(1, threads)).into(index);
}

PrefixIndex prefix_index(const OrderedSets& sets, const Bounds& bounds, SetRange indexed, int threads) {
  PrefixIndex index;
  rebuild(index, sets, bounds, indexed, threads);
  return index;
}

}  // namespace warpbench::similarity
