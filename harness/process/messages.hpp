// Messages from a worker process to its parent. Frames carry a checksum, so that a worker with corrupted memory, or a
// solver that writes into a foreign descriptor, cannot pass nonsense as a result.
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
  dataset,       ///< the dataset was loaded: its facts as JSON
  prepared,      ///< the solver is prepared
  preparing,     ///< the solver does not support a trial, and is prepared for the next one
  started,       ///< a trial begins
  verifying,     ///< its answer is being judged: its time limit pauses
  measuring,     ///< judging is over: its time limit runs again
  no_reference,  ///< the reference of the group failed: why
  profiling,     ///< it was measured and judged; its hardware counters are being read
  finished,      ///< a trial ended: its outcome as JSON
  failed,        ///< no trial of the group can run: status and reason as an outcome in JSON
  done,          ///< the worker ends; unfinished trials need a new worker
};

struct Message {
  MessageType type = MessageType::done;
  std::uint32_t trial = 0;  ///< index into Plan::trials, if the message is about a trial
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
  /// Throws FileError if the parent is gone.
  void send(MessageType type, std::uint32_t trial = 0, std::string_view text = {}) const;
  /// Waits until the parent has stored a finished trial on disk, so that a killed run repeats at most one trial and the
  /// parent's writing does not disturb the next one. Throws FileError if the parent is gone.
  void wait_for_acknowledgement() const;

 private:
  int fd_;
  int acknowledgements_;
};

/// The parent's end: takes bytes as they arrive and returns whole messages.
class MessageReader {
 public:
  void add(std::string_view bytes) { buffer_ += bytes; }
  /// The next whole message, if there is one. Throws MessageError for bytes that are no frame or fail their checksum.
  std::optional<Message> next();

 private:
  std::string buffer_;
};

}  // namespace warpbench::harness
