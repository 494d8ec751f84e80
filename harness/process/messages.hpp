// Messages: what a worker process tells its parent, in frames with a checksum, so that a worker whose memory is
// corrupted, or whose solver writes into foreign descriptors, cannot pass nonsense as a result.
//
//   frame = "WPB1" type(1) trial(4) length(4) crc32(4, over type, trial and payload) payload     little endian
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warpbench::harness {

enum class MessageType : std::uint8_t {
  dataset,    ///< the dataset was loaded: its facts as JSON
  prepared,   ///< the solver is prepared
  started,    ///< a trial begins
  verifying,  ///< its answer is being judged: its time-out pauses
  measuring,  ///< … and goes on
  profiling,  ///< it was measured and judged, and its hardware counters are read
  finished,   ///< a trial ended: its outcome as JSON
  failed,     ///< nothing of the group can run: status and reason as an outcome in JSON
  done,       ///< the worker ends; trials not finished are for a new worker
};

struct Message {
  MessageType type = MessageType::done;
  std::uint32_t trial = 0;  ///< index into Plan::trials, where the type is about one
  std::string text;
};

class MessageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The worker's end.
class MessageWriter {
 public:
  /// Messages go to `fd`; acknowledgements, one byte each, come from `acknowledgements`.
  explicit MessageWriter(int fd, int acknowledgements = -1) : fd_(fd), acknowledgements_(acknowledgements) {}
  /// Throws FileError where the parent is gone.
  void send(MessageType type, std::uint32_t trial = 0, std::string_view text = {}) const;
  /// Waits until the parent has a finished trial on its disk: so a killed run repeats one trial at most, and the
  /// parent's writing does not disturb the next trial. Throws FileError where the parent is gone.
  void wait_for_acknowledgement() const;

 private:
  int fd_;
  int acknowledgements_;
};

/// The parent's end: bytes go in as they come, whole messages come out.
class MessageReader {
 public:
  void add(std::string_view bytes) { buffer_ += bytes; }
  /// The next whole message. Throws MessageError for bytes that are no frame or do not match their checksum.
  std::optional<Message> next();

 private:
  std::string buffer_;
};

}  // namespace warpbench::harness
