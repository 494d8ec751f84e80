// The small vector types of CUDA that kernels use, with CUDA's names and alignments, in the global namespace as there.
#pragma once

struct dim3;  // NOLINT(readability-identifier-naming): CUDA's name

// NOLINTBEGIN(readability-identifier-naming)
struct int2 {
  alignas(8) int x;
  int y;
};
struct int4 {
  alignas(16) int x;
  int y, z, w;
};
struct uint2 {
  alignas(8) unsigned x;
  unsigned y;
};
struct uint3 {
  unsigned x, y, z;
};
struct uint4 {
  alignas(16) unsigned x;
  unsigned y, z, w;
};
struct float2 {
  alignas(8) float x;
  float y;
};
struct float4 {
  alignas(16) float x;
  float y, z, w;
};

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

constexpr int2 make_int2(int x, int y) {
  return {x, y};
}
constexpr uint2 make_uint2(unsigned x, unsigned y) {
  return {x, y};
}
constexpr float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}
// NOLINTEND(readability-identifier-naming)
