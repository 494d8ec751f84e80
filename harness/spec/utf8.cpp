#include "harness/spec/utf8.hpp"

namespace warpbench::harness {
namespace {

struct Lead {
  std::size_t length;       // of the sequence; 0 = this byte starts no sequence
  unsigned char low, high;  // bounds of the second byte
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte >= 0xC2 && byte <= 0xDF) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

bool is_control(unsigned char byte) {
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

}  // namespace

std::optional<std::size_t> first_bad_byte(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  for (std::size_t i = 0; i < text.size();) {
    const Lead lead = lead_of(byte(i));
    if (lead.length == 0 || is_control(byte(i)) || i + lead.length > text.size()) return i;
    for (std::size_t k = 1; k < lead.length; ++k) {
      const unsigned char low = k == 1 ? lead.low : 0x80;
      const unsigned char high = k == 1 ? lead.high : 0xBF;
      if (byte(i + k) < low || byte(i + k) > high) return i;
    }
    i += lead.length;
  }
  return std::nullopt;
}

}  // namespace warpbench::harness
