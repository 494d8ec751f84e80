// Stream and Event: handles over the backend's runtime:: functions.
#include "device/stream.hpp"

#include <utility>

namespace warpbench {

Stream::Stream() : handle_(runtime::create_stream()) {}

void Stream::synchronize() {
  runtime::synchronize(*handle_);
}

void Stream::wait(const Event& event) {
  runtime::wait(*handle_, event.handle());
}

void Stream::run_on_host(std::function<void()> function) {
  runtime::run_on_host(*handle_, std::move(function));
}

Event::Event() : handle_(runtime::create_event()) {}

void Event::record(Stream& stream) {
  runtime::record(handle_, *stream.handle());
}

void Event::synchronize() {
  runtime::synchronize(*handle_);
}

bool Event::ready() const {
  return runtime::ready(*handle_);
}

double seconds_between(const Event& start, const Event& stop) {
  return runtime::seconds_between(*start.handle(), *stop.handle());
}

}  // namespace warpbench
