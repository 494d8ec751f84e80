// cpu-gpu: the CPU filters, the GPU verifies (bellas2022 §4.2, §4.3). Thread H0 finds candidates and writes them to
// chunks. H1 brings each full chunk to the device and has it verified, while H0 fills the next. H2 makes pairs of the
// flags that come back; for a number of pairs the device adds up, and there is no H2.
//
// The calling thread is H1. What the document leaves open: H2 reads a third chunk, and a chunk takes no more memory
// than the join can need and the device has left. Beyond the document several threads filter, each into a chunk of its
// own, which share the chunk memory.
#include "algorithms/set_similarity_join/cpu_gpu/co_processing.hpp"
#include "solvers/solver.hpp"

namespace warpbench::similarity {
namespace {

class CpuGpu final : public Solver<SetSimilarityJoin> {
 public:
  explicit CpuGpu(const Parameters& parameters) : join_(parameters) {}

  void configure(const Parameters& parameters) override { join_.configure(parameters); }

  void prepare(const Input& input, Phases& phases) override {
    bounds_ = bounds_of(input);
    {
      const auto scope = phases.cpu("order");
      sets_ = ordered(input);
    }
    {
      const auto scope = phases.cpu("pin");
      device_sets_.prepare(sets_, stream_);
    }
    const auto scope = phases.cpu("take_memory");
    join_.prepare(sets_, input, stream_);
    stream_.synchronize();
  }

  /// Enqueues the copy of the sets, while filtering begins.
  void upload(Phases& phases) override {
    const auto scope = phases.gpu("upload", stream_);
    device_sets_.upload(stream_);
  }

  void solve(Phases& phases) override {
    join_.begin(stream_);
    const SetRange all{0, sets_.count()};
    {
      const auto scope = phases.cpu("index");
      index_.build(sets_, bounds_, all, join_.choice(), join_.threads());
    }
    join_.join(index_, index_.groups, all, device_sets_.view(), stream_);
    join_.finish(phases);
  }

  void download(Answer& answer, Phases& /*phases*/) override { join_.download(answer); }
  void forget() override { join_.forget(); }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    std::map<std::string, double> counters = join_.counters();
    counters["index_bytes"] = static_cast<double>(index_.index.bytes());
    return counters;
  }

 private:
  OrderedSets sets_;
  Bounds bounds_;
  FilterIndex index_;
  DeviceSets device_sets_;
  CoProcessing join_;
  Stream stream_;  ///< last, so that it waits for its copies before host memory is freed
};

WARPBENCH_SOLVER(SetSimilarityJoin, CpuGpu,
                 {.id = "cpu-gpu",
                  .title = "the CPU filters, the GPU verifies, side by side",
                  .source = "bellas2022 §4.2",
                  .role = Role::proposed,
                  .device = Target::hybrid,
                  .parameters = co_processing_parameters(),
                  .smoke = {{"chunk_memory", 1 << 20}},
                  .best = {{"threads", 0}, {"filter", "ppjoin"}, {"chunk_memory", 64 << 20}},
                  .exact = true})

}  // namespace
}  // namespace warpbench::similarity
