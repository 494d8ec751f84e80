// Subreaper: orphaned descendants become children of this process.
#pragma once

namespace warpbench::harness {

/// Makes this process the reaper of its orphaned descendants for the life of the object.
class Subreaper {
 public:
  Subreaper();
  Subreaper(const Subreaper&) = delete;
  Subreaper& operator=(const Subreaper&) = delete;
  ~Subreaper();

 private:
  int previous_ = 0;
};

}  // namespace warpbench::harness
