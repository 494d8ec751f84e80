// Names for addresses by dladdr and addr2line; see symbolize.hpp.
#include "device/simt/symbolize.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <vector>

namespace warpbench::simt {
namespace {

std::string hexadecimal(const void* address) {
  std::ostringstream text;
  text << address;
  return text.str();
}

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? text.get() : name;
}

/// addr2line's lines for an address: function and place in turn, innermost inlined frame first. Empty if unknown.
std::vector<std::string> lines_of(const void* address) {
  Dl_info module{};
  if (dladdr(address, &module) == 0 || module.dli_fname == nullptr) return {};
  const auto offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(module.dli_fbase);
  // A position-independent module counts from its base, any other is linked to where it runs.
  const bool absolute = reinterpret_cast<std::uintptr_t>(module.dli_fbase) == 0x400000;
  std::ostringstream command;
  std::string file = module.dli_fname;
  if (file.find('/') == std::string::npos) file = "/proc/self/exe";
  if (file.find('\'') != std::string::npos) return {};
  // addr2line would see its own /proc/self: give it ours.
  if (file == "/proc/self/exe") {
    const std::unique_ptr<char, decltype(&std::free)> real(realpath("/proc/self/exe", nullptr), &std::free);
    if (real == nullptr) return {};
    file = real.get();
  }
  command << "addr2line -f -C -i -e '" << file << "' 0x" << std::hex
          << (absolute ? reinterpret_cast<std::uintptr_t>(address) : offset) << " 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.str().c_str(), "r"), &pclose);
  if (pipe == nullptr) return {};
  std::string output;
  std::array<char, 4096> chunk{};
  while (std::fgets(chunk.data(), static_cast<int>(chunk.size()), pipe.get()) != nullptr) output += chunk.data();
  std::vector<std::string> lines;
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string kernel_name(const void* function) {
  Dl_info symbol{};
  if (dladdr(function, &symbol) != 0 && symbol.dli_saddr == function && symbol.dli_sname != nullptr) {
    return demangled(symbol.dli_sname);
  }
  const std::vector<std::string> lines = lines_of(function);
  // The frame that was inlined last in the list is the function itself.
  if (lines.size() >= 2 && lines[lines.size() - 2] != "??") return lines[lines.size() - 2];
  return "at " + hexadecimal(function);
}

std::string place_of(const void* return_address) {
  // One byte back lies within the call.
  const void* address = static_cast<const char*>(return_address) - 1;
  const std::vector<std::string> lines = lines_of(address);
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
    std::string place = lines[i + 1].substr(0, lines[i + 1].find(" (discriminator"));
    if (place.starts_with("??")) continue;
    // Accesses through View::operator[] and the simt headers are the caller's.
    const bool helper = place.find("/device/view.hpp") != std::string::npos ||
                        place.find("/device/simt/") != std::string::npos ||
                        place.find("/include/c++/") != std::string::npos;
    if (!helper || i + 2 >= lines.size()) return place;
  }
  return "instruction at " + hexadecimal(return_address);
}

}  // namespace warpbench::simt
