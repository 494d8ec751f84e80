// The shadow of shared memory; see shadow.hpp. Compiled without instrumentation, like the rest of the runtime.
#include "device/simt/checker/shadow.hpp"

#include <link.h>

#include <algorithm>
#include <utility>

#include "device/simt/context.hpp"
#include "device/simt/executor.hpp"
#include "device/simt/memory.hpp"
#include "device/simt/symbolize.hpp"

namespace warpbench::simt {
namespace {

constexpr std::uintptr_t kWordBytes = 4;

struct AddressRange {
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;
};

/// This OS thread's copy of the program's thread-local variables, among which the __shared__ ones are.
AddressRange static_thread_locals() {
  AddressRange range;
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* result) {
        // The first module is the program itself.
        for (int i = 0; i < module->dlpi_phnum; ++i) {
          const ElfW(Phdr)& header = module->dlpi_phdr[i];
          if (header.p_type != PT_TLS || module->dlpi_tls_data == nullptr) continue;
          *static_cast<AddressRange*>(result) = {reinterpret_cast<std::uintptr_t>(module->dlpi_tls_data),
                                                 header.p_memsz};
        }
        return 1;
      },
      &range);
  return range;
}

/// True if the address is in the image of a loaded module: constants, __constant__ and __device__ variables.
bool is_module_address(const void* address) {
  struct Query {
    std::uintptr_t address;
    bool found;
  } query{reinterpret_cast<std::uintptr_t>(address), false};
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* data) {
        Query& question = *static_cast<Query*>(data);
        for (int i = 0; i < module->dlpi_phnum && !question.found; ++i) {
          const ElfW(Phdr)& header = module->dlpi_phdr[i];
          question.found =
              header.p_type == PT_LOAD && question.address - (module->dlpi_addr + header.p_vaddr) < header.p_memsz;
        }
        return question.found ? 1 : 0;
      },
      &query);
  return query.found;
}

/// The program's own image, for which is_module_address() would be too slow to ask each time.
bool is_program_address(const void* address) {
  static const AddressRange kProgram = [] {
    AddressRange range;
    dl_iterate_phdr(
        [](dl_phdr_info* module, std::size_t, void* result) {
          std::uintptr_t begin = ~std::uintptr_t{0};
          std::uintptr_t end = 0;
          for (int i = 0; i < module->dlpi_phnum; ++i) {
            const ElfW(Phdr)& header = module->dlpi_phdr[i];
            if (header.p_type != PT_LOAD) continue;
            begin = std::min<std::uintptr_t>(begin, module->dlpi_addr + header.p_vaddr);
            end = std::max<std::uintptr_t>(end, module->dlpi_addr + header.p_vaddr + header.p_memsz);
          }
          *static_cast<AddressRange*>(result) = {begin, end - begin};
          return 1;
        },
        &range);
    return range;
  }();
  return reinterpret_cast<std::uintptr_t>(address) - kProgram.begin < kProgram.bytes;
}

const char* verb(bool write, bool atomic) {
  return atomic ? "updates atomically" : write ? "writes" : "reads";
}

}  // namespace

Shadow::Shadow(const std::byte* arena, std::int64_t arena_bytes) {
  if (!kShadowed || arena == nullptr) return;
  const AddressRange range = static_thread_locals();
  const std::uintptr_t begin = range.begin / kWordBytes * kWordBytes;
  statics_ = {begin, range.begin + range.bytes - begin, {}};
  statics_.words.resize(statics_.bytes / kWordBytes + 1);
  dynamic_ = {reinterpret_cast<std::uintptr_t>(arena), static_cast<std::uintptr_t>(arena_bytes), {}};
  dynamic_.words.resize(dynamic_.bytes / kWordBytes + 1);
  exempt(&builtins, sizeof builtins);
  exempt(&kernel_context, sizeof kernel_context);
}

void Shadow::exempt(const void* object, std::size_t bytes) {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(object) - statics_.begin;
  if (offset >= statics_.bytes) return;
  for (std::uintptr_t word = offset / kWordBytes; word <= (offset + bytes - 1) / kWordBytes; ++word) {
    statics_.words[word].exempt = true;
  }
}

void Shadow::begin_block() {
  ++block_epoch_;
  barrier_epoch_ = 1;
  warp_epochs_.fill(1);
}

bool Shadow::ordered_before_now(const Mark& mark, int thread) const {
  if (mark.byte_mask == 0 || mark.thread == thread || mark.barrier_epoch != barrier_epoch_) return true;
  const int warp = thread / kLanes;
  return mark.thread / kLanes == warp && mark.warp_epoch != warp_epochs_[static_cast<std::size_t>(warp)];
}

const Shadow::Mark* Shadow::conflict(const Word& word, const Access& access, int thread, std::uint8_t byte_mask) const {
  const auto races = [&](const Mark& mark) {
    return (mark.byte_mask & byte_mask) != 0 && !(mark.atomic && access.atomic) && !ordered_before_now(mark, thread);
  };
  if (races(word.writer)) return &word.writer;
  if (!access.write) return nullptr;
  const auto found = std::find_if(word.readers.begin(), word.readers.end(), races);
  return found == word.readers.end() ? nullptr : &*found;
}

void Shadow::remember_reader(Word& word, const Mark& mark) {
  // The newest readers suffice: an access ordered after them is ordered after the older ones, too.
  for (Mark& reader : word.readers) {
    if (reader.byte_mask == 0 || reader.thread == mark.thread || ordered_before_now(reader, mark.thread)) {
      reader = mark;
      return;
    }
  }
  const bool same_warp = word.readers[0].thread / kLanes == mark.thread / kLanes;
  word.readers[same_warp ? 1 : 2] = mark;
}

void Shadow::remember(Word& word, const Access& access, int thread, std::uint8_t byte_mask) {
  const Mark mark{barrier_epoch_,
                  warp_epochs_[static_cast<std::size_t>(thread / kLanes)],
                  access.return_address,
                  static_cast<std::uint16_t>(thread),
                  byte_mask,
                  access.atomic};
  if (access.write) {
    // A later write to other bytes of the word by the same thread joins its earlier one.
    const bool joins = word.writer.thread == thread && word.writer.barrier_epoch == barrier_epoch_;
    const auto before = joins ? word.writer.byte_mask : std::uint8_t{0};
    word.writer = mark;
    word.writer.byte_mask = static_cast<std::uint8_t>(byte_mask | before);
    word.written_bytes = static_cast<std::uint8_t>(word.written_bytes | byte_mask);
  } else {
    remember_reader(word, mark);
  }
}

bool Shadow::check(const Access& access, int thread, std::string& problem, int& other) {
  const auto begin = reinterpret_cast<std::uintptr_t>(access.address);
  Region* region = statics_.contains(begin) ? &statics_ : dynamic_.contains(begin) ? &dynamic_ : nullptr;
  if (region == nullptr) return false;
  const std::uintptr_t first = begin - region->begin;
  const std::uintptr_t last = std::min(first + static_cast<std::uintptr_t>(access.bytes), region->bytes) - 1;
  int unwritten_words = 0;
  int words = 0;
  for (std::uintptr_t index = first / kWordBytes; index <= last / kWordBytes; ++index, ++words) {
    Word& word = region->words[index];
    if (word.exempt) return true;
    if (word.block_epoch != block_epoch_) {
      word = Word{};
      word.block_epoch = block_epoch_;
    }
    const std::uintptr_t low = std::max(first, index * kWordBytes) - index * kWordBytes;
    const std::uintptr_t high = std::min(last, index * kWordBytes + kWordBytes - 1) - index * kWordBytes;
    const auto byte_mask = static_cast<std::uint8_t>((0xfU >> (3 - (high - low))) << low);
    if (const Mark* mark = conflict(word, access, thread, byte_mask)) {
      other = mark->thread;
      const bool other_writes = mark == &word.writer;
      problem = std::string("race in shared memory: ") + verb(access.write, access.atomic) + " " +
                std::to_string(access.bytes) + " bytes that {0} " + verb(other_writes, mark->atomic) +
                " with no barrier between, at " + place_of(mark->return_address);
      return true;
    }
    if ((!access.write || access.atomic) && (word.written_bytes & byte_mask) == 0) ++unwritten_words;
    remember(word, access, thread, byte_mask);
  }
  // Copies of whole structs may carry padding that nobody writes.
  const bool wide = access.bytes > 8;
  if (unwritten_words > 0 && (!wide || unwritten_words == words)) {
    problem =
        "reads " + std::to_string(access.bytes) + " bytes of shared memory that no thread of the block has written yet";
  }
  return true;
}

void check_access(Executor& executor, const Access& access) {
  if (executor.running_fiber().holds(access.address)) return;
  const Place place = Place::at(access.return_address);
  // Written only once something is wrong: this function runs for every access of every kernel.
  const auto what = [&] {
    return std::string(verb(access.write, access.atomic)) + " " + std::to_string(access.bytes) + " bytes";
  };
  executor.check_watchdog(place);
  std::string problem;
  int other = 0;
  if (executor.shadow().check(access, executor.running_thread(), problem, other)) {
    if (problem.empty()) {
      const auto offset = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(access.address) -
                                                    reinterpret_cast<std::uintptr_t>(executor.shared_arena()));
      const bool dynamic = offset >= 0 && offset < kSharedBytesPerBlock + 4096;
      if (!dynamic || offset + access.bytes <= executor.shared_bytes()) return;
      problem = what() + " at byte " + std::to_string(offset) + " of " + std::to_string(executor.shared_bytes()) +
                " bytes of dynamic shared memory";
    }
    const auto slot = problem.find("{0}");
    if (slot != std::string::npos) problem.replace(slot, 3, executor.thread_text(other));
    executor.fail(place, [&] { return std::move(problem); });
  }
  if (is_device_address(access.address)) {
    if (is_live_device_range(access.address, access.bytes)) return;
    executor.fail(place, [&] { return what() + " " + describe_bad_device_range(access.address, access.bytes); });
  }
  if (is_program_address(access.address) || executor.is_parameter(access.address) ||
      is_pinned_range(access.address, access.bytes) || is_module_address(access.address)) {
    return;
  }
  executor.fail(place, [&] {
    return what() + (executor.fiber_of(access.address) != nullptr ? " of another thread's local memory"
                                                                  : " of host memory that is not pinned");
  });
}

}  // namespace warpbench::simt
