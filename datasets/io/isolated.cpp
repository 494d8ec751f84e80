#include "datasets/io/isolated.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <new>
#include <sstream>
#include <string_view>
#include <system_error>

#include "datasets/input_error.hpp"
#include "datasets/io/descriptor.hpp"

namespace warpbench::datasets {
namespace {

constexpr int kDone = 0;
constexpr int kRefused = 50;  // no code that a runtime or a sanitizer ends with
constexpr int kNoMemory = 51;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// A file in memory, without a name, that parent and child share.
Descriptor memory_file() {
  Descriptor file(::memfd_create("warpbench", MFD_CLOEXEC));
  if (!file.open()) fail("cannot create a file in memory");
  return file;
}

std::shared_ptr<const MappedFile> content_of(const Descriptor& file) {
  return MappedFile::open("/proc/self/fd/" + std::to_string(file.get()));
}

/// The fields of an error, each ended by a zero byte.
std::string packed(const InputError& error) {
  std::string text;
  for (const std::string& field : {error.file(), error.expected(), error.found(), error.fix()}) {
    text.append(field.c_str()).push_back('\0');
  }
  return text;
}

[[noreturn]] void throw_unpacked(std::string_view text) {
  std::array<std::string, 4> fields;
  for (std::string& field : fields) {
    field = text.substr(0, text.find('\0'));
    text.remove_prefix(std::min(field.size() + 1, text.size()));
  }
  throw InputError(fields[0], 0, fields[1], fields[2], fields[3]);
}

/// Ends this process by SIGALRM after `limit`.
bool end_after(std::chrono::milliseconds limit) {
  sigset_t alarm;
  ::sigemptyset(&alarm);
  ::sigaddset(&alarm, SIGALRM);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  const itimerval timer{{}, {seconds.count(), std::chrono::microseconds(limit - seconds).count()}};
  return std::signal(SIGALRM, SIG_DFL) != SIG_ERR && ::pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr) == 0 &&
         ::setitimer(ITIMER_REAL, &timer, nullptr) == 0;
}

[[noreturn]] void run_child(const std::function<void(int)>& work, std::chrono::milliseconds limit,
                            const Descriptor& result, const Descriptor& refusal, pid_t parent) {
  int code = kDone;
  // If the parent is killed, or is so already, nobody waits for the result. A crash leaves no core file of the data.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != parent || ::prctl(PR_SET_DUMPABLE, 0) != 0 ||
      !end_after(limit)) {
    ::_exit(kNoMemory);
  }
  try {
    work(result.get());
  } catch (const InputError& error) {
    code = kRefused;
    try {
      const std::string text = packed(error);
      write_whole(refusal.get(), std::as_bytes(std::span(text)));
    } catch (const std::exception&) {
      code = kNoMemory;
    }
  } catch (const std::exception&) {  // bad_alloc, or no room for the result
    code = kNoMemory;
  }
  ::_exit(code);  // not exit(): static destructors are the parent's business
}

}  // namespace

void write_whole(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail("cannot write to memory");
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

std::shared_ptr<const MappedFile> isolated(const std::string& file, const std::string& library,
                                           std::chrono::milliseconds limit,
                                           const std::function<void(int descriptor)>& work) {
  const Descriptor result = memory_file();
  const Descriptor refusal = memory_file();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) run_child(work, limit, result, refusal, parent);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail("waitpid");
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == kDone) return content_of(result);
  if (code == kRefused) throw_unpacked(content_of(refusal)->text());
  if (code == kNoMemory || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)) throw std::bad_alloc();
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    std::ostringstream found;
    found << "damage that keeps " << library << " busy for more than " << std::chrono::duration<double>(limit).count()
          << " s";
    throw InputError(file, 0, "a sound file", found.str(), "fetch the file again");
  }
  throw InputError(file, 0, "a sound file",
                   "damage that crashes " + library +
                       (WIFSIGNALED(status) ? std::string(" (") + ::strsignal(WTERMSIG(status)) + ')' : ""),
                   "fetch the file again");
}

}  // namespace warpbench::datasets
