#include "datasets/io/digest.hpp"

#include <array>
#include <bit>
#include <new>
#include <stdexcept>

#include "datasets/io/mapped_file.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#define XXH_INLINE_ALL
#include <xxhash.h>
#pragma GCC diagnostic pop

#ifdef WARPBENCH_HAS_OPENSSL
#include <openssl/evp.h>
#endif

namespace warpbench::datasets {
namespace {

static_assert(std::endian::native == std::endian::little, "digests and caches are little-endian");

constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string to_hex(std::span<const unsigned char> bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const unsigned char byte : bytes) {
    text += kHexDigits[byte >> 4U];
    text += kHexDigits[byte & 15U];
  }
  return text;
}

}  // namespace

struct Digest::State {
  XXH3_state_t xxh;
};

Digest::Digest() : state_(std::make_unique<State>()) {
  if (XXH3_128bits_reset(&state_->xxh) != XXH_OK) throw std::logic_error("XXH3 cannot be started");
}

Digest::~Digest() = default;

void Digest::add(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size()) != XXH_OK) {
    throw std::logic_error("XXH3 refuses an update");
  }
}

void Digest::add(std::string_view text) {
  add(static_cast<std::uint64_t>(text.size()));
  add(std::as_bytes(std::span(text)));
}

void Digest::add(std::uint64_t number) {
  add(std::as_bytes(std::span(&number, 1)));
}

std::string Digest::hex() const {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state_->xxh));
  return to_hex(std::span(canonical.digest));
}

std::uint64_t checksum(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

#ifdef WARPBENCH_HAS_OPENSSL
bool has_sha256() noexcept {
  return true;
}

std::string sha256_file(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  bool good = context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  good = good && EVP_DigestUpdate(context.get(), file->bytes().data(), file->bytes().size()) == 1;
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int length = 0;
  good = good && EVP_DigestFinal_ex(context.get(), bytes.data(), &length) == 1;
  if (!good) throw std::runtime_error("OpenSSL cannot compute SHA-256");
  return to_hex(std::span(bytes).first(length));
}
#else
bool has_sha256() noexcept {
  return false;
}

std::string sha256_file(const std::filesystem::path&) {
  throw std::logic_error("this build has no SHA-256 (built without OpenSSL: install libssl-dev)");
}
#endif

}  // namespace warpbench::datasets
