#include "harness/process/crash_stack.hpp"

#include <elf.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "build_info.hpp"
#include "harness/process/command_output.hpp"

namespace warpbench::harness {
namespace {

constexpr std::string_view kMark = "stack of the crash:";
constexpr std::size_t kMostFrames = 6;

/// Where this program's code lies in memory. Set before any crash, because a handler may not look for it.
struct Extent {
  std::uintptr_t base = 0;
  std::uintptr_t end = 0;
};
Extent program;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

Extent extent_of_program() {
  Extent extent;
  const auto visit = [](dl_phdr_info* info, std::size_t /*size*/, void* found) {
    Extent& of_first = *static_cast<Extent*>(found);
    of_first.base = info->dlpi_addr;
    for (const ElfW(Phdr) & part : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
      if (part.p_type == PT_LOAD) of_first.end = std::max(of_first.end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
    }
    return 1;  // the first object is the program; libraries are not asked for
  };
  ::dl_iterate_phdr(visit, &extent);
  return extent;
}

/// Text of a signal handler: no memory is taken.
class Line {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      if (size_ < text_.size()) text_[size_++] = c;
    }
  }
  void add_hex(std::uintptr_t number) {
    constexpr int kDigits = 2 * sizeof(number);
    for (int digit = kDigits - 1, is_begun = 0; digit >= 0; --digit) {
      const std::size_t value = (number >> (4 * digit)) & 0xF;
      is_begun |= static_cast<int>(value != 0 || digit == 0);
      if (is_begun != 0) add(std::string_view("0123456789abcdef").substr(value, 1));
    }
  }
  void write() const { static_cast<void>(!::write(STDERR_FILENO, text_.data(), size_)); }

 private:
  std::array<char, 512> text_{};
  std::size_t size_ = 0;
};

void write_stack(int signal) {
  std::array<void*, 64> frames{};
  const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  Line line;
  line.add("\n");
  line.add(kMark);
  std::size_t written = 0;
  for (int i = 1; i < count && written < kMostFrames; ++i) {  // 0 is this function, 1 the signal's return
    const auto address = reinterpret_cast<std::uintptr_t>(frames.at(static_cast<std::size_t>(i)));
    if (address < program.base || address >= program.end) continue;
    line.add(" 0x");
    // Where the crash was; of the others where the call is, not where it returns to.
    line.add_hex(address - program.base - (i == 2 ? 0 : 1));
    ++written;
  }
  line.add("\n");
  if (written > 0) line.write();
  static_cast<void>(::raise(signal));  // SA_RESETHAND: now it ends the process
}

/// "update(int) at solvers/x.cpp:7", a line each.
std::optional<std::string> named(const std::vector<std::string>& addresses) {
  std::error_code failure;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (failure) return std::nullopt;
  std::vector<std::string> words{"addr2line", "-Cfpe", self.string()};
  words.insert(words.end(), addresses.begin(), addresses.end());
  return output_of(words);
}

std::string without_source_folder(std::string text) {
  const std::string folder = std::string(build_info::kSourceDirectory) + '/';
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at)) {
    text.erase(at, folder.size());
  }
  return text;
}

}  // namespace

void write_stack_on_crash() {
  program = extent_of_program();
  std::array<void*, 1> none{};
  static_cast<void>(::backtrace(none.data(), 1));  // the first call loads a library, which a handler may not do
  static std::array<std::byte, std::size_t{1} << 16> handler_stack;  // the thread's own may be what overflowed
  const stack_t stack{.ss_sp = handler_stack.data(), .ss_flags = 0, .ss_size = handler_stack.size()};
  const bool has_stack = ::sigaltstack(&stack, nullptr) == 0;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = write_stack;
    action.sa_flags = SA_RESETHAND | SA_NODEFER | (has_stack ? SA_ONSTACK : 0);
    static_cast<void>(::sigaction(signal, &action, nullptr));  // a crash without a stack is no worse than before
  }
}

std::string with_named_stack(const std::string& output) {
  const std::size_t begin = output.rfind(kMark);
  if (begin == std::string::npos) return output;
  std::vector<std::string> addresses;
  std::size_t end = begin + kMark.size();
  while (output.compare(end, 3, " 0x") == 0) {
    const std::size_t next = std::min(output.find_first_not_of("0123456789abcdef", end + 3), output.size());
    addresses.push_back(output.substr(end + 1, next - end - 1));
    end = next;
  }
  if (addresses.empty()) return output;
  const std::optional<std::string> names = named(addresses);
  if (!names) return output;
  std::string stack(kMark);
  std::istringstream lines(without_source_folder(*names));
  for (std::string line; std::getline(lines, line);) {
    stack += fmt::format("{}{}", stack.size() == kMark.size() ? " " : ", ", line);
  }
  return output.substr(0, begin) + stack + output.substr(end);
}

}  // namespace warpbench::harness
