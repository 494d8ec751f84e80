#include "harness/process/messages.hpp"

#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "harness/process/durable.hpp"

namespace warpbench::harness {
namespace {

constexpr std::string_view kMagic = "WPB1";
constexpr std::size_t kHeaderBytes = 4 + 1 + 4 + 4 + 4;
constexpr std::size_t kChecksumAt = 13;
constexpr std::uint32_t kMaxPayload = 64U << 20U;

void put(std::string& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(static_cast<unsigned char>(value >> shift));
}

std::uint32_t get(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

std::uint32_t checksum(std::string_view header_from_type_to_length, std::string_view payload) {
  const auto* head = reinterpret_cast<const Bytef*>(header_from_type_to_length.data());
  const auto* body = reinterpret_cast<const Bytef*>(payload.data());
  // zlib treats a null pointer as a request for the initial value, and an empty string_view may hold one.
  const uLong sum = ::crc32_z(0, head, header_from_type_to_length.size());
  return static_cast<std::uint32_t>(payload.empty() ? sum : ::crc32_z(sum, body, payload.size()));
}

}  // namespace

void MessageWriter::send(MessageType type, std::uint32_t trial, std::string_view text) const {
  if (text.size() > kMaxPayload) throw MessageError("a message of more than 64 MiB");
  std::string frame(kMagic);
  frame += static_cast<char>(type);
  put(frame, trial);
  put(frame, static_cast<std::uint32_t>(text.size()));
  put(frame, checksum(std::string_view(frame).substr(4, 9), text));
  frame += text;
  write_all(fd_, frame, "pipe to the parent process");
}

void MessageWriter::wait_for_acknowledgement() const {
  char byte = 0;
  for (;;) {
    const ssize_t got = ::read(acknowledgements_, &byte, 1);
    if (got == 1) return;
    if (got == 0 || errno != EINTR) throw FileError("pipe from the parent process", "read", got == 0 ? EPIPE : errno);
  }
}

std::optional<Message> MessageReader::next() {
  const std::string_view bytes = buffer_;
  if (!kMagic.starts_with(bytes.substr(0, kMagic.size()))) throw MessageError("a message does not begin as one");
  if (bytes.size() < kHeaderBytes) return std::nullopt;
  const auto type = static_cast<unsigned char>(bytes[4]);
  const std::uint32_t length = get(bytes, 9);
  if (type > static_cast<unsigned char>(MessageType::done) || length > kMaxPayload) {
    throw MessageError("a message has a header that makes no sense");
  }
  if (bytes.size() < kHeaderBytes + length) return std::nullopt;
  const std::string_view payload = bytes.substr(kHeaderBytes, length);
  if (checksum(bytes.substr(4, 9), payload) != get(bytes, kChecksumAt)) {
    throw MessageError("a message does not match its checksum");
  }
  Message message{static_cast<MessageType>(type), get(bytes, 5), std::string(payload)};
  buffer_.erase(0, kHeaderBytes + length);
  return message;
}

}  // namespace warpbench::harness
