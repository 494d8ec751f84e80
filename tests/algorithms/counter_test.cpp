// The base of the GPU solvers of common neighbours, where conformance does not reach: memory that other parameters
// need, what is downloaded, and where look-ups are counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "algorithms/common_neighbors/bmp_gpu/lookups.hpp"
#include "device/device.hpp"
#include "device/error.hpp"
#include "problems/common_neighbors/problem.hpp"
#include "solvers/solver.hpp"
#include "tests/algorithms/support/graphs.hpp"

#if defined(WARPBENCH_SIMT)
#include <cstring>

#include "device/simt/memory.hpp"
#endif

namespace warpbench {
namespace {

using Given = std::map<std::string, Value>;

const Given kOriented{{"method", "oriented"}, {"mirror", "gpu"}};

/// A GPU solver on a graph.
struct Counting {
  explicit Counting(const std::string& id, const Given& given = {},
                    datasets::Csr on = testing::random_graph(300, 0.1, 3))
      : graph(std::move(on)),
        entry(*std::ranges::find(solvers_of<CommonNeighbors>(), id, [](const auto& e) { return e.info.id; })),
        solver(entry.make(point(given))) {
    solver->prepare(input, phases);
  }
  Parameters point(const Given& given) const { return {entry.info.parameters, given}; }
  Verdict verdict() {
    CommonNeighbors::Answer answer;
    solver->download(answer, phases);
    return CommonNeighbors::judge(input, answer, CommonNeighbors::reference(input)).verdict;
  }

  datasets::Csr graph;
  CommonNeighbors::Input input{&graph};
  const SolverEntry<CommonNeighbors>& entry;
  Phases phases;
  std::unique_ptr<Solver<CommonNeighbors>> solver;
};

/// Another limit on device memory, from what is in use on, while it lives.
class Room {
 public:
  explicit Room(std::int64_t bytes) : before_(memory_limit()) { set_memory_limit(memory_in_use() + bytes); }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room() { set_memory_limit(before_); }

 private:
  std::optional<std::int64_t> before_;
};

TEST(GpuCounter, HasTheMemoryThatNewParametersNeed) {
  Counting counting("bmp-gpu", kOriented);
  counting.solver->upload(counting.phases);
  counting.solver->configure(counting.point({}));  // bitmaps, which were not asked for so far
  counting.solver->solve(counting.phases);
  EXPECT_EQ(counting.verdict(), Verdict::exact);
}

TEST(GpuCounter, SaysThatMemoryIsShortForTheOrientedMethod) {
  Counting counting("bmp-gpu");
  const Room room(20'000);  // the oriented edges alone take 18 kB
  counting.solver->upload(counting.phases);
  counting.solver->configure(counting.point(kOriented));
  EXPECT_THROW(counting.solver->solve(counting.phases), OutOfDeviceMemory);
}

/// Counts with ever more memory. The numbers of ranges; 0 where all is on the device.
std::set<double> passes_by_memory(const std::function<datasets::Csr()>& graph, std::int64_t first, std::int64_t end,
                                  std::int64_t step) {
  std::set<double> passes;
  for (std::int64_t bytes = first; bytes < end; bytes += step) {
    SCOPED_TRACE(bytes);
    Counting counting("bmp-gpu", kOriented, graph());
    const Room room(bytes);
    try {
      counting.solver->upload(counting.phases);
    } catch (const OutOfDeviceMemory&) {
      continue;
    }
    EXPECT_NO_THROW(counting.solver->solve(counting.phases)) << "by its plan there is room";
    EXPECT_EQ(counting.verdict(), Verdict::exact);
    const auto counters = counting.solver->counters();
    passes.insert(counters.at("resident") != 0 ? 0 : counters.at("passes"));
  }
  return passes;
}

TEST(GpuCounter, CountsInRangesOfEdgesWhereMemoryIsShort) {
  const std::set<double> passes =
      passes_by_memory([] { return testing::random_graph(300, 0.1, 3); }, 30'000, 250'000, 5'000);
  EXPECT_TRUE(passes.contains(0)) << "all on the device";
  EXPECT_TRUE(passes.contains(1)) << "rows in host memory";
  EXPECT_GT(*passes.rbegin(), 1) << "counts of some edges at a time";
}

TEST(GpuCounter, HasMemoryForTheBitmapsOfHubs) {
  const std::set<double> passes = passes_by_memory([] { return testing::complete(260); }, 250'000, 1'500'000, 40'000);
  EXPECT_TRUE(passes.contains(0)) << "all on the device";
  EXPECT_TRUE(passes.contains(1)) << "rows in host memory";
}

TEST(GpuCounter, MirrorsNowhereElseThanAsked) {
  for (const char* id : {"mps-gpu", "bmp-gpu"}) {
    Counting counting(id, {{"mirror", "gpu"}});
    {
      const Room room(40'000);
      EXPECT_THROW(counting.solver->upload(counting.phases), OutOfDeviceMemory) << id;
    }
    counting.solver->upload(counting.phases);
    counting.solver->solve(counting.phases);
    EXPECT_EQ(counting.verdict(), Verdict::exact) << id;
  }
}

/// A warp takes 512 slots: those of the hub are of three, those of small rows of one, and some vertices have none.
TEST(GpuCounter, MirrorsTheSlotsOfAHubByManyWarps) {
  for (const char* id : {"mps-gpu", "bmp-gpu"}) {
    Counting counting(id, {{"mirror", "gpu"}}, testing::skewed(1500, 20, 5));
    counting.solver->upload(counting.phases);
    counting.solver->solve(counting.phases);
    EXPECT_EQ(counting.verdict(), Verdict::exact) << id;
  }
}

/// The elements of lists that the document's method looks up in bitmaps, and, where a filter with a bit for `range`
/// vertices is asked first, those of them that it lets through.
double lookups_through(const datasets::Csr& graph, datasets::Vertex range) {
  std::int64_t lookups = 0;
  for (datasets::Vertex u = 0; u < graph.vertices(); ++u) {
    std::set<datasets::Vertex> marked;
    for (const datasets::Vertex x : graph.row(u)) marked.insert(x / range);
    for (const datasets::Vertex v : graph.row(u)) {
      if (std::pair(graph.degree(v), u) > std::pair(graph.degree(u), v)) continue;  // counted at the other end
      lookups += std::ranges::count_if(graph.row(v), [&](datasets::Vertex w) { return marked.contains(w / range); });
    }
  }
  return static_cast<double>(lookups);
}

/// Bytes read of bitmaps, by the name that this machine's cache makes them count under.
double gathered(const std::map<std::string, double>& counters) {
  const auto pool = static_cast<std::int64_t>(counters.at("bitmap_bytes"));
  return counters.at(common_neighbors::gather_counter(pool, current_device().l2_bytes));
}

TEST(GpuCounter, TellsReadsOfAPoolInTheL2CacheFromThoseOfDeviceMemory) {
  EXPECT_STREQ(common_neighbors::gather_counter(50, 50), "gather_l2_bytes");
  EXPECT_STREQ(common_neighbors::gather_counter(51, 50), "gather_bytes");
  Counting counting("bmp-gpu", {{"range_filter", false}});
  counting.solver->upload(counting.phases);
  counting.solver->solve(counting.phases);
  EXPECT_GT(counting.solver->counters().at("bitmap_bytes"), 0);
  EXPECT_GT(gathered(counting.solver->counters()), 0);
}

TEST(GpuCounter, CountsLookupsWhereTheTablesLie) {
  const auto counted = [](const Given& given) { return Counting("bmp-gpu", given).solver->counters(); };
  const datasets::Csr graph = Counting("bmp-gpu").graph;
  const double all = lookups_through(graph, 1000);
  ASSERT_GT(all, 0);

  const auto oriented = counted(kOriented);
  EXPECT_GT(oriented.at("gather_shared_bytes"), 0);
  EXPECT_FALSE(oriented.contains("gather_bytes")) << "its tables are all in shared memory";
  EXPECT_FALSE(oriented.contains("gather_l2_bytes"));

  const auto plain = counted({{"range_filter", false}});
  EXPECT_FALSE(plain.contains("gather_shared_bytes"));
  EXPECT_EQ(gathered(plain), 4 * all);

  for (const int range : {1, 8, 512}) {
    const auto filtered = counted({{"range_filter", true}, {"range_size", range}});
    EXPECT_EQ(filtered.at("gather_shared_bytes"), 4 * all) << range;
    EXPECT_EQ(filtered.at("bitmap_reads"), lookups_through(graph, static_cast<datasets::Vertex>(range))) << range;
    EXPECT_EQ(gathered(filtered), 4 * filtered.at("bitmap_reads")) << range;
  }
}

TEST(GpuCounter, CountsLookupsAgainForNewParameters) {
  Counting counting("bmp-gpu", {{"range_filter", false}});
  const double plain = counting.solver->counters().at("bitmap_reads");
  counting.solver->configure(counting.point({{"range_filter", true}, {"range_size", 1}}));
  EXPECT_LT(counting.solver->counters().at("bitmap_reads"), plain);
}

#if defined(WARPBENCH_SIMT)
/// The CPU fills the slots that no kernel writes, but all are downloaded: none may hold what memory held before.
TEST(GpuCounter, DownloadsOnlyWhatWasWritten) {
  for (const char* id : {"mps-gpu", "bmp-gpu"}) {
    Counting counting(id);
    counting.solver->upload(counting.phases);
    counting.solver->solve(counting.phases);
    std::uint32_t poison = 0;
    std::memset(&poison, simt::kPoison, sizeof poison);
    for (const std::span<std::byte> memory : simt::live_device_memory()) {
      if (static_cast<std::int64_t>(memory.size()) != counting.graph.slots() * 4) continue;
      const std::span words(reinterpret_cast<const std::uint32_t*>(memory.data()), memory.size() / 4);
      EXPECT_EQ(std::ranges::count(words, poison), 0) << id;
    }
  }
}
#endif

}  // namespace
}  // namespace warpbench
