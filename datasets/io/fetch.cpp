#include "datasets/io/fetch.hpp"

#include <stdexcept>

#include "datasets/input_error.hpp"
#include "datasets/io/digest.hpp"

#ifdef WARPBENCH_HAS_CURL
#include <curl/curl.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "datasets/io/descriptor.hpp"
#endif

namespace warpbench::datasets {

#ifndef WARPBENCH_HAS_CURL

bool has_fetch() noexcept {
  return false;
}

std::string fetch(const std::string&, const std::filesystem::path&, const std::string&, const FetchProgress&) {
  throw std::runtime_error("this program cannot download: it was built without libcurl (libcurl4-openssl-dev)");
}

#else

namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
using Curl = std::unique_ptr<CURL, void (*)(CURL*)>;

std::size_t write_bytes(char* data, std::size_t size, std::size_t count, void* file) {
  return std::fwrite(data, size, count, static_cast<std::FILE*>(file));
}

struct ProgressState {
  const FetchProgress* report;
  std::uint64_t before;  // size of what an earlier download left
};

int on_progress(void* state, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
  const auto* progress = static_cast<const ProgressState*>(state);
  if (*progress->report) {
    const auto all = static_cast<std::uint64_t>(total);
    (*progress->report)(progress->before + static_cast<std::uint64_t>(done), all == 0 ? 0 : progress->before + all);
  }
  return 0;
}

[[noreturn]] void fail(const std::string& what, const std::filesystem::path& path) {
  throw std::system_error(errno, std::generic_category(), "cannot " + what + ' ' + path.string());
}

/// Opens `part`, the file that a download grows, for this program alone: the lock lasts as long as the result. Refuses
/// links, whose targets may be anyone's files.
File open_part(const std::filesystem::path& part) {
  for (;;) {
    Descriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644));
    if (!file.open()) fail("write", part);
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) fail("lock", part);
      throw std::runtime_error(part.string() + ": another program is downloading this file; wait until it is done");
    }
    struct stat opened {};
    struct stat named {};
    if (::fstat(file.get(), &opened) != 0) fail("examine", part);
    // Before the lock was taken, another program may have finished: then the open file has another name by now.
    if (::lstat(part.c_str(), &named) != 0 || named.st_dev != opened.st_dev || named.st_ino != opened.st_ino) continue;
    std::FILE* const stream = ::fdopen(file.get(), "ab");
    if (stream == nullptr) fail("write", part);
    static_cast<void>(file.release());  // the stream owns it now
    return {stream, &std::fclose};
  }
}

/// Appends one transfer to `file`, whose name is `part`. Returns false if the server cannot resume; the caller then
/// starts afresh.
bool transfer(const std::string& url, const File& file, const std::filesystem::path& part,
              const FetchProgress& progress) {
  struct stat before {};
  if (::fstat(::fileno(file.get()), &before) != 0) fail("examine", part);
  ProgressState state{&progress, static_cast<std::uint64_t>(before.st_size)};
  const Curl curl(curl_easy_init(), &curl_easy_cleanup);
  if (!curl) throw std::runtime_error("libcurl cannot be started");
  CURL* const c = curl.get();
  bool good = curl_easy_setopt(c, CURLOPT_URL, url.c_str()) == CURLE_OK;
  good = good && curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "https,file") == CURLE_OK;
  good = good && curl_easy_setopt(c, CURLOPT_REDIR_PROTOCOLS_STR, "https") == CURLE_OK;
  good = good && curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L) == CURLE_OK;
  good = good && curl_easy_setopt(c, CURLOPT_FAILONERROR, 1L) == CURLE_OK;
  good = good && curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L) == CURLE_OK;
  good = good && curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT, 30L) == CURLE_OK;
  good = good && curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, 1024L) == CURLE_OK;  // ends a stalled transfer
  good = good && curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, 60L) == CURLE_OK;
  good = good && curl_easy_setopt(c, CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(state.before)) == CURLE_OK;
  good = good && curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, &write_bytes) == CURLE_OK;
  good = good && curl_easy_setopt(c, CURLOPT_WRITEDATA, file.get()) == CURLE_OK;
  good = good && curl_easy_setopt(c, CURLOPT_NOPROGRESS, 0L) == CURLE_OK;
  good = good && curl_easy_setopt(c, CURLOPT_XFERINFOFUNCTION, &on_progress) == CURLE_OK;
  good = good && curl_easy_setopt(c, CURLOPT_XFERINFODATA, &state) == CURLE_OK;
  if (!good) throw std::runtime_error("libcurl refuses an option");
  const CURLcode result = curl_easy_perform(c);
  long status = 0;
  static_cast<void>(curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &status));  // stays 0 for file://
  const bool cannot_resume = result == CURLE_RANGE_ERROR || result == CURLE_BAD_DOWNLOAD_RESUME || status == 416;
  if (state.before > 0 && cannot_resume) return false;
  if (std::fflush(file.get()) != 0 || ::fsync(::fileno(file.get())) != 0) fail("flush", part);
  if (result != CURLE_OK) {
    throw std::runtime_error("cannot download " + url + ": " + curl_easy_strerror(result) +
                             (status == 0 ? "" : " (status " + std::to_string(status) + ')'));
  }
  return true;
}

}  // namespace

bool has_fetch() noexcept {
  return true;
}

std::string fetch(const std::string& url, const std::filesystem::path& destination, const std::string& sha256,
                  const FetchProgress& progress) {
  if (!url.starts_with("https://") && !url.starts_with("file://")) {
    throw InputError(url, 0, "a URL that starts with https:// (or file://)", "another", "use the https address");
  }
  if (!sha256.empty() && !has_sha256()) {
    throw std::runtime_error("cannot verify " + url + ": this program was built without OpenSSL (libssl-dev)");
  }
  const std::filesystem::path part = destination.string() + ".part";
  if (destination.has_parent_path()) std::filesystem::create_directories(destination.parent_path());
  const File file = open_part(part);
  if (!transfer(url, file, part, progress)) {
    if (::ftruncate(::fileno(file.get()), 0) != 0) fail("empty", part);
    if (!transfer(url, file, part, progress)) throw std::runtime_error("cannot download " + url + " from its start");
  }
  std::string found = has_sha256() ? sha256_file(part) : "";
  if (!sha256.empty() && found != sha256) {
    std::filesystem::remove(part);
    throw InputError(url, 0, "SHA-256 " + sha256, found, "the file at this address has changed or was altered");
  }
  std::filesystem::rename(part, destination);
  return found;
}

#endif

}  // namespace warpbench::datasets
