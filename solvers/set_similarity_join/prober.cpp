#include "solvers/set_similarity_join/prober.hpp"

#include <algorithm>
#include <bit>
#include <ranges>

#include "solvers/gallop.hpp"

namespace warpbench::similarity {
namespace {

/// Lists of this many postings on average are worth memory for where they begin.
constexpr std::size_t kLongList = 16;

}  // namespace

/// One list of a probe.
struct Prober::Scan {
  std::uint32_t probe;
  std::uint32_t position;  // of the token in the probe
  std::uint32_t limit;     // no sets from here on
};

Prober::Prober(const OrderedSets& sets, const Bounds& bounds, Filter filter, ProberOptions options)
    : sets_(&sets), bounds_(bounds), filter_(filter), options_(options) {
  const auto size_of = [&sets](std::uint32_t set) { return static_cast<std::uint32_t>(sets.sets.size(set)); };
  const auto count = static_cast<std::uint32_t>(sets.count());
  for (std::uint32_t set = 0; set < count; set = firsts_.back()) {
    if (firsts_.empty()) firsts_.push_back(0);
    sizes_.push_back(size_of(set));
    const auto numbers = std::views::iota(set, count);
    firsts_.push_back(*std::ranges::upper_bound(numbers, sizes_.back(), {}, size_of));
  }
  size_ = sizes_.size();
  place_of_.resize(count);

  const int words = options.signatures == nullptr ? 0 : options.signatures->words;
  if (filter == Filter::allpairs) {
    scan_ = words == 0   ? &Prober::scan<false, 0>
            : words == 1 ? &Prober::scan<false, 1>
            : words == 2 ? &Prober::scan<false, 2>
                         : &Prober::scan<false, 4>;
  } else {
    scan_ = words == 0   ? &Prober::scan<true, 0>
            : words == 1 ? &Prober::scan<true, 1>
            : words == 2 ? &Prober::scan<true, 2>
                         : &Prober::scan<true, 4>;
  }
}

/// Finds the demands of probes of this one's size.
void Prober::turn_to(std::int64_t probe) {
  const auto set = static_cast<std::uint32_t>(probe);
  if (size_ < sizes_.size() && firsts_[size_] <= set && set < firsts_[size_ + 1]) return;
  size_ = static_cast<std::size_t>(std::ranges::upper_bound(firsts_, set) - firsts_.begin()) - 1;
  const std::uint32_t size = sizes_[size_];
  prefix_ = bounds_.probe_prefix(size);
  auto other = static_cast<std::size_t>(std::ranges::lower_bound(sizes_, bounds_.min_size(size)) - sizes_.begin());
  smallest_ = firsts_[other];
  demands_.clear();
  for (; other <= size_; ++other) {
    const std::uint32_t required = bounds_.min_overlap(size, sizes_[other]);
    demands_.push_back({firsts_[other + 1], required, sizes_[other] - required, size + sizes_[other] - 2 * required});
  }
}

/// Finds out whether the beginnings of lists are kept, for probes that need no sets before `first`.
void Prober::turn_to(const PrefixIndex& index, std::uint32_t first) {
  if (index.build != build_) {
    build_ = index.build;
    passed_ = 0;
    const bool has_long_lists = index.postings.size() >= kLongList * (index.offsets.size() - 1);
    starts_.clear();
    if (has_long_lists) starts_.assign(index.offsets.begin(), index.offsets.end() - 1);
  }
  keeps_starts_ = !starts_.empty() && first >= passed_;
  if (keeps_starts_) passed_ = first;
}

/// The place of the first posting of a token whose set is `first` or a later one.
std::uint32_t Prober::start_of(const PrefixIndex& index, datasets::Token token, std::uint32_t first) {
  if (first <= index.sets.begin) return index.offsets[token];
  const std::uint32_t known = keeps_starts_ ? starts_[token] : index.offsets[token];
  const std::span<const Posting> rest = std::span(index.postings).subspan(known, index.offsets[token + 1] - known);
  const auto start = known + static_cast<std::uint32_t>(gallop(rest, 0, Posting{first, 0}));
  if (keeps_starts_) starts_[token] = start;
  return start;
}

std::size_t Prober::add(const PrefixIndex& index, std::int64_t probe) {
  turn_to(probe);
  const auto first = std::max(smallest_, static_cast<std::uint32_t>(index.sets.begin));
  const auto last = static_cast<std::uint32_t>(std::min(probe, index.sets.end));
  if (first >= last) return 0;
  turn_to(index, first);
  const std::size_t before = count_;
  const std::span<const datasets::Token> tokens = sets_->sets.set(probe);
  std::uint32_t limit = last;
  std::size_t sizes = demands_.size();
  for (std::uint32_t i = 0; i < prefix_; ++i) {
    if (filter_ == Filter::ppjoin) {  // what is left of the probe suffices for the smaller sets only
      while (sizes > 0 && demands_[sizes - 1].required > tokens.size() - i) --sizes;
      if (sizes == 0) break;
      limit = std::min(last, demands_[sizes - 1].end);
      if (limit <= first) break;
    }
    const std::uint32_t start = start_of(index, tokens[i], first);
    const std::uint32_t end = index.offsets[tokens[i] + 1];
    if (start == end) continue;
    (this->*scan_)(std::span(index.postings).subspan(start, end - start),
                   {static_cast<std::uint32_t>(probe), i, limit});
  }
  for (const Candidate& candidate : all().subspan(before)) place_of_[candidate.set] = 0;
  return count_ - before;
}

template <bool kPositional, int kWords>
void Prober::scan(std::span<const Posting> list, const Scan& scan) {
  if (candidates_.size() < count_ + list.size()) candidates_.resize(2 * (count_ + list.size()));
  Candidate* const candidates = candidates_.data();
  std::uint32_t* const place_of = place_of_.data();
  const std::uint8_t* const sides = options_.checks_sides && !sets_->is_self_join() ? sets_->sides.data() : nullptr;
  const std::uint64_t* const own = kWords == 0 ? nullptr : options_.signatures->of(scan.probe);
  const Demand* demand = demands_.data();
  std::size_t count = count_;
  for (const auto [set, position] : list) {
    if (set >= scan.limit) break;
    if constexpr (kPositional || kWords > 0) {
      while (set >= demand->end) ++demand;
    }
    if (kPositional && position > demand->reach) continue;
    if constexpr (kWords > 0) {
      const std::uint64_t* const bits = options_.signatures->of(set);
      std::uint32_t differing = 0;
      for (int word = 0; word < kWords; ++word) {
        differing += static_cast<std::uint32_t>(std::popcount(own[word] ^ bits[word]));
      }
      if (differing > demand->allowed) continue;
    }
    if (sides != nullptr && sides[set] == sides[scan.probe]) continue;
    std::uint32_t& place = place_of[set];
    if (place == 0) {
      candidates[count++] = {set, 1, scan.position + 1, position + 1};
      place = static_cast<std::uint32_t>(count);
    } else {
      Candidate& known = candidates[place - 1];
      known = {set, known.overlap + 1, scan.position + 1, position + 1};
    }
  }
  count_ = count;
}

std::uint32_t verified_overlap(std::span<const datasets::Token> probe, std::span<const datasets::Token> set,
                               const Candidate& candidate, std::uint32_t required, bool whole) {
  std::uint32_t overlap = candidate.overlap;
  std::size_t i = candidate.probe_position;
  std::size_t j = candidate.position;
  const auto step = [&] {
    const datasets::Token a = probe[i];
    const datasets::Token b = set[j];
    overlap += a == b ? 1 : 0;
    i += a <= b ? 1 : 0;
    j += b <= a ? 1 : 0;
  };
  while (overlap < required) {
    const std::size_t missing = required - overlap;
    if (probe.size() - i < missing || set.size() - j < missing) return 0;
    step();
  }
  while (whole && i < probe.size() && j < set.size()) step();
  return overlap;
}

}  // namespace warpbench::similarity
