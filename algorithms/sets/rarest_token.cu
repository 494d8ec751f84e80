// rarest-token: the contained pairs of a collection, without looking at all pairs (ours). A set that holds another is
// in the list of each of its tokens, so the other's candidates are the sets of its shortest list. Sets are ordered by
// size, and lists with them: a set's candidates stand behind it, and each pair is met once. Signatures of 128 bits rule
// out most candidates. In the rest each token is looked up. The contained pairs must fit the device twice.
//
// O(tokens log tokens) for the lists, and the sum over sets of what is behind them in their shortest list; for each
// candidate that signatures leave, the set's size × log of the candidate's.
#include <algorithm>
#include <bit>

#include "algorithms/sets/engine/device_collection.hpp"
#include "algorithms/sets/engine/place_list.hpp"
#include "algorithms/sets/engine/set_solver.hpp"
#include "device/block.cuh"
#include "device/primitives.hpp"
#include "problems/set_containment/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {
namespace {

struct RarestTokenTuning {
  static constexpr int kThreads = 256;
  static constexpr std::int64_t kCandidates = 4096;  ///< of a set, for a warp at a time
};

/// Each token of a set sets one of 128 bits.
struct alignas(16) Signature {
  unsigned long long words[2];

  /// Whether a set with the signature `other` may hold all tokens of this one.
  __device__ bool may_be_within(const Signature& other) const {
    return (words[0] & ~other.words[0]) == 0 && (words[1] & ~other.words[1]) == 0;
  }
};

/// The sets by size, and all tokens sorted, equal ones by the size of their sets. Ranks are places in the first order.
struct Lists {
  View<std::uint32_t> order;          ///< rank → set
  View<std::uint64_t> offsets;        ///< rank → the first of its tokens
  View<std::uint32_t> tokens;         ///< of the sets by rank
  View<std::uint32_t> owners;         ///< the rank of each of them
  View<std::uint32_t> sorted;         ///< the tokens, ascending
  View<std::uint32_t> ranks;          ///< the owner of each of them
  View<unsigned long long> shortest;  ///< rank → how many are behind it in its shortest list, and there its place
  View<Signature> signatures;         ///< by rank

  /// In `shortest`: of an empty set, which is in no list.
  static constexpr unsigned long long kNoList = ~0ULL;

  [[nodiscard]] __device__ DeviceSet set(std::int64_t rank) const { return segment(offsets, tokens, rank); }
  /// The candidates of a set, for candidate(): places of its shortest list; of an empty set all ranks behind it.
  [[nodiscard]] __device__ Extent<std::int64_t> candidates(std::int64_t rank) const {
    const unsigned long long found = shortest[rank];
    if (found == kNoList) return {rank + 1, order.size()};
    const auto place = static_cast<std::int64_t>(found & 0xffffffffULL);
    return {place + 1, place + 1 + static_cast<std::int64_t>(found >> 32)};
  }
  [[nodiscard]] __device__ std::int64_t candidate(const DeviceSet& of, std::int64_t at) const {
    return of.empty() ? at : ranks[at];
  }
};

__global__ void __launch_bounds__(RarestTokenTuning::kThreads) size_kernel(DeviceSets sets, View<std::uint32_t> sizes) {
  for (const std::int64_t i : grid::strided(sets.count)) sizes[i] = static_cast<std::uint32_t>(sets.size(i));
}

/// Copies the tokens by rank, and marks them in signatures.
__global__ void __launch_bounds__(RarestTokenTuning::kThreads) reorder_kernel(DeviceSets sets, Lists lists) {
  for (const std::int64_t rank : grid::per_warp(sets.count)) {
    const DeviceSet set = sets.set(lists.order[rank]);
    const auto first = static_cast<std::int64_t>(lists.offsets[rank]);
    unsigned long long low = 0;
    unsigned long long high = 0;
    for (const std::int64_t i : warp::strided(set.size())) {
      lists.tokens[first + i] = set[i];
      lists.owners[first + i] = static_cast<std::uint32_t>(rank);
      const auto bit = static_cast<unsigned>(mix64(set[i]) % 128);
      (bit < 64 ? low : high) |= 1ULL << bit % 64;
    }
    low = warp::reduce(low, warp::Or{});
    high = warp::reduce(high, warp::Or{});
    if (warp::lane() == 0) lists.signatures[rank] = {{low, high}};
  }
}

/// Marks where lists begin and end among the sorted tokens. The first list's begin is not marked: its number is 0.
__global__ void __launch_bounds__(RarestTokenTuning::kThreads)
    bound_kernel(View<const std::uint32_t> sorted, View<std::uint32_t> begins, View<std::uint8_t> ends) {
  for (const std::int64_t at : grid::strided(sorted.size())) {
    begins[at] = at > 0 && sorted[at - 1] != sorted[at] ? 1 : 0;
    ends[at] = at + 1 == sorted.size() || sorted[at + 1] != sorted[at] ? 1 : 0;
  }
}

/// Each set's shortest list. `number`: of the list at a place; `lasts`: the last place of each list.
__global__ void __launch_bounds__(RarestTokenTuning::kThreads)
    list_kernel(Lists lists, View<const std::uint32_t> number, View<const std::uint32_t> lasts) {
  for (const std::int64_t at : grid::strided(lists.sorted.size())) {
    const unsigned long long behind = lasts[number[at]] - static_cast<std::uint32_t>(at);
    atomicMin(&lists.shortest[lists.ranks[at]], behind << 32 | static_cast<unsigned long long>(at));
  }
}

/// Pieces of each set's candidates.
__global__ void __launch_bounds__(RarestTokenTuning::kThreads)
    piece_kernel(Lists lists, View<std::uint64_t> pieces, View<DigestWord> candidates) {
  DigestWord sum = 0;
  for (const std::int64_t rank : grid::strided(lists.order.size())) {
    const std::int64_t size = lists.candidates(rank).size();
    pieces[rank] = static_cast<std::uint64_t>(ceil_div(size, RarestTokenTuning::kCandidates));
    sum += static_cast<DigestWord>(size);
  }
  block::accumulate(candidates[0], sum);
}

/// Whether `superset` holds all tokens of `set`: a lane a token. A whole warp; in all lanes.
__device__ bool holds_all(DeviceSet superset, DeviceSet set) {
  for (std::int64_t first = 0; first < set.size(); first += kWarpSize) {
    const std::int64_t i = first + warp::lane();
    const bool held = i >= set.size() || binary_search(superset, set[i]);
    if (__all_sync(kFullMask, held ? 1 : 0) == 0) return false;
  }
  return true;
}

/// Some candidates of a set: the work of a warp.
struct Piece {
  std::int64_t rank;
  Extent<std::int64_t> candidates;
};

/// `starts`[rank] is the number of pieces of sets before.
__device__ Piece piece_at(const Lists& lists, View<const std::uint64_t> starts, std::int64_t number) {
  const std::int64_t rank = find_segment(starts, static_cast<std::uint64_t>(number));
  const Extent<std::int64_t> all = lists.candidates(rank);
  const std::int64_t begin =
      all.begin + (number - static_cast<std::int64_t>(starts[rank])) * RarestTokenTuning::kCandidates;
  const std::int64_t end = begin + RarestTokenTuning::kCandidates;
  return {rank, {begin, end < all.end ? end : all.end}};
}

/// Whether the lane's candidate holds `set`, for the lanes in `left`, one after the other by all. A whole warp.
__device__ bool verify(const Lists& lists, DeviceSet set, std::int64_t candidate, unsigned left) {
  bool holds = false;
  for (; left != 0; left &= left - 1) {
    const int lane = __ffs(static_cast<int>(left)) - 1;
    const bool held = holds_all(lists.set(__shfl_sync(kFullMask, candidate, lane)), set);
    if (lane == warp::lane()) holds = held;
  }
  return holds;
}

/// A warp takes a piece of a set's candidates, 32 at a time, a lane each, and verifies those that the signatures leave.
__global__ void __launch_bounds__(RarestTokenTuning::kThreads)
    join_kernel(Lists lists, View<const std::uint64_t> starts, View<DigestWord> verified, PlaceSink sink) {
  DigestWord checked = 0;
  const std::int64_t sets = lists.order.size();
  for (const std::int64_t number : grid::per_warp(static_cast<std::int64_t>(starts[sets]))) {
    const Piece piece = piece_at(lists, starts, number);
    const DeviceSet set = lists.set(piece.rank);
    const Signature signature = lists.signatures[piece.rank];
    const bool shares_all = set.size() <= 1;  // the list's token is all that there is
    for (const auto [at, inside] : warp::rounds(piece.candidates)) {
      const std::int64_t candidate = inside ? lists.candidate(set, at) : 0;
      bool found = inside && signature.may_be_within(lists.signatures[candidate]);
      if (!shares_all) {
        const unsigned left = __ballot_sync(kFullMask, found ? 1 : 0);
        checked += static_cast<DigestWord>(__popc(left));
        found = verify(lists, set, candidate, left);
      }
      sink.add(found, found ? pairs::place_of(sets, lists.order[piece.rank], lists.order[candidate]) : 0);
    }
  }
  if (warp::lane() == 0) atomicAdd(&verified[0], checked);
}

/// What numbers below `bound` take.
int bits_of(std::int64_t bound) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(bound, 2) - 1)));
}

class RarestToken final : public Solver<SetContainment> {
 public:
  explicit RarestToken(const Parameters& /*parameters*/) {}
  void configure(const Parameters& /*parameters*/) override {}

  void prepare(const SetContainment::Input& input, Phases& phases) override {
    if (input.output != SetContainment::Output::pairs) {
      throw Unsupported("rarest-token finds contained pairs, not a value for each pair: ask output: pairs");
    }
    sets_ = input.sets->count();
    tokens_ = input.sets->total();
    if (tokens_ >= std::int64_t{1} << 32) throw Unsupported("lists of 2^32 tokens or more: places have 32 bits");
    token_bits_ = bits_of(input.sets->universe());
    size_bits_ = bits_of(input.sets->max_size() + 1);
    {
      const auto scope = phases.cpu("pin");
      collection_.prepare(*input.sets, stream_);
    }
    const auto scope = phases.cpu("take_memory");
    take_memory();
    stream_.synchronize();
  }

  void upload(Phases& phases) override {
    const auto scope = phases.gpu("upload", stream_);
    collection_.upload(stream_);
  }

  void solve(Phases& phases) override {
    found_.clear(stream_);
    if (sets_ < 2) return;
    build(phases);
    join(phases);
    const auto scope = phases.gpu("select", stream_);
    found_.sort(sets_, stream_);
    candidates_.download(host_candidates_.span(), stream_);
    verified_.download(host_verified_.span(), stream_);
    stream_.synchronize();
  }

  void download(SetContainment::Answer& answer, Phases& phases) override {
    {
      const auto scope = phases.gpu("download", stream_);
      found_.download(stream_);
    }
    stream_.synchronize();
    answer = {};
    answer.places = found_.places();
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"upload_bytes", static_cast<double>(collection_.bytes())},
            {"candidates", static_cast<double>(host_candidates_.span()[0])},
            {"verified", static_cast<double>(host_verified_.span()[0])},
            {"contained", static_cast<double>(found_.size())}};
  }

 private:
  void take_memory() {
    sizes_ = Buffer<std::uint32_t>(sets_, stream_);
    numbers_ = Buffer<std::uint32_t>(sets_, stream_);
    sorted_sizes_ = Buffer<std::uint32_t>(sets_ + 1, stream_);
    order_ = Buffer<std::uint32_t>(sets_, stream_);
    offsets_ = Buffer<std::uint64_t>(sets_ + 1, stream_);
    signatures_ = Buffer<Signature>(sets_, stream_);
    shortest_ = Buffer<unsigned long long>(sets_, stream_);
    pieces_ = Buffer<std::uint64_t>(sets_ + 1, stream_);
    starts_ = Buffer<std::uint64_t>(sets_ + 1, stream_);
    reordered_ = Buffer<std::uint32_t>(tokens_, stream_);
    owners_ = Buffer<std::uint32_t>(tokens_, stream_);
    sorted_ = Buffer<std::uint32_t>(tokens_, stream_);
    ranks_ = Buffer<std::uint32_t>(tokens_, stream_);
    list_begins_ = Buffer<std::uint32_t>(tokens_, stream_);
    list_numbers_ = Buffer<std::uint32_t>(tokens_, stream_);
    list_ends_ = Buffer<std::uint8_t>(tokens_, stream_);
    list_lasts_ = Buffer<std::uint32_t>(tokens_, stream_);
    list_count_ = Buffer<std::int64_t>(1, stream_);
    candidates_ = Buffer<DigestWord>(1, stream_);
    verified_ = Buffer<DigestWord>(1, stream_);
    constexpr DigestWord kNone[1]{};  // of fewer than two sets nothing else comes
    host_candidates_ = PinnedBuffer<DigestWord>(kNone);
    host_verified_ = PinnedBuffer<DigestWord>(kNone);
    found_.prepare(stream_);
  }

  [[nodiscard]] Lists lists() {
    return {order_.view(),  offsets_.view(), reordered_.view(), owners_.view(),
            sorted_.view(), ranks_.view(),   shortest_.view(),  signatures_.view()};
  }

  /// Sets by size, their signatures, the lists, and each set's shortest.
  void build(Phases& phases) {
    const auto scope = phases.gpu("index", stream_);
    constexpr int kThreads = RarestTokenTuning::kThreads;
    const DeviceSets sets = collection_.view();
    launch(size_kernel, grid_for(sets_, kThreads), stream_, sets, sizes_.view());
    iota(numbers_.view(), stream_);
    sorted_sizes_.fill(0, stream_);
    sort_pairs(std::as_const(sizes_).view(), sorted_sizes_.view().first(sets_), std::as_const(numbers_).view(),
               order_.view(), stream_, 0, size_bits_);
    exclusive_scan(std::as_const(sorted_sizes_).view(), offsets_.view(), stream_);
    shortest_.fill(Lists::kNoList, stream_);
    launch(reorder_kernel, warp_grid_for(sets_, kThreads), stream_, sets, lists());
    if (tokens_ == 0) return;
    sort_pairs(std::as_const(reordered_).view(), sorted_.view(), std::as_const(owners_).view(), ranks_.view(), stream_,
               0, token_bits_);
    launch(bound_kernel, grid_for(tokens_, kThreads), stream_, std::as_const(sorted_).view(), list_begins_.view(),
           list_ends_.view());
    inclusive_scan(std::as_const(list_begins_).view(), list_numbers_.view(), stream_);
    iota(owners_.view(), stream_);  // the sorted tokens' places: the owners have been sorted with the tokens
    select_flagged(std::as_const(owners_).view(), std::as_const(list_ends_).view(), list_lasts_.view(),
                   list_count_.view(), stream_);
    launch(list_kernel, grid_for(tokens_, kThreads), stream_, lists(), std::as_const(list_numbers_).view(),
           std::as_const(list_lasts_).view());
  }

  void join(Phases& phases) {
    const auto scope = phases.gpu("join", stream_);
    constexpr int kThreads = RarestTokenTuning::kThreads;
    candidates_.fill(0, stream_);
    pieces_.fill(0, stream_);
    launch(piece_kernel, grid_for(sets_, kThreads), stream_, lists(), pieces_.view(), candidates_.view());
    exclusive_scan(std::as_const(pieces_).view(), starts_.view(), stream_);
    found_.collect(stream_, [&](const PlaceSink& sink) {
      verified_.fill(0, stream_);
      launch(join_kernel, Grid{max_resident_blocks(join_kernel, kThreads), kThreads}, stream_, lists(),
             std::as_const(starts_).view(), verified_.view(), sink);
    });
  }

  std::int64_t sets_ = 0;
  std::int64_t tokens_ = 0;
  int size_bits_ = 32;
  int token_bits_ = 32;
  DeviceCollection collection_;
  Buffer<std::uint32_t> sizes_;
  Buffer<std::uint32_t> numbers_;
  Buffer<std::uint32_t> sorted_sizes_;
  Buffer<std::uint32_t> order_;
  Buffer<std::uint64_t> offsets_;
  Buffer<Signature> signatures_;
  Buffer<unsigned long long> shortest_;
  Buffer<std::uint64_t> pieces_;
  Buffer<std::uint64_t> starts_;
  Buffer<std::uint32_t> reordered_;
  Buffer<std::uint32_t> owners_;
  Buffer<std::uint32_t> sorted_;
  Buffer<std::uint32_t> ranks_;
  Buffer<std::uint32_t> list_begins_;
  Buffer<std::uint32_t> list_numbers_;
  Buffer<std::uint8_t> list_ends_;
  Buffer<std::uint32_t> list_lasts_;
  Buffer<std::int64_t> list_count_;
  Buffer<DigestWord> candidates_;
  Buffer<DigestWord> verified_;
  PinnedBuffer<DigestWord> host_candidates_;
  PinnedBuffer<DigestWord> host_verified_;
  PlaceList found_;
  Stream stream_;  ///< last, so that it waits for its copies before host memory is freed
};

WARPBENCH_SOLVER(SetContainment, RarestToken,
                 {.id = "rarest-token",
                  .title = "contained pairs from the list of each set's rarest token, filtered by signatures",
                  .source = "this project",
                  .role = Role::peer,
                  .device = Target::gpu,
                  .ours = true})

}  // namespace
}  // namespace warpbench::sets
