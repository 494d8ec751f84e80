// CUDA's small vector types with CUDA's alignments and names, in the global namespace as CUDA has them.
#pragma once

struct dim3;  // NOLINT(readability-identifier-naming): CUDA's name

// NOLINTBEGIN(readability-identifier-naming)
struct int2 {
  alignas(8) int x;
  int y;
};
struct int3 {
  int x, y, z;
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
struct uchar4 {
  alignas(4) unsigned char x;
  unsigned char y, z, w;
};
struct ushort2 {
  alignas(4) unsigned short x;
  unsigned short y;
};
struct float2 {
  alignas(8) float x;
  float y;
};
struct float3 {
  float x, y, z;
};
struct float4 {
  alignas(16) float x;
  float y, z, w;
};
struct double2 {
  alignas(16) double x;
  double y;
};
struct longlong2 {
  alignas(16) long long x;
  long long y;
};
struct ulonglong2 {
  alignas(16) unsigned long long x;
  unsigned long long y;
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
constexpr int3 make_int3(int x, int y, int z) {
  return {x, y, z};
}
constexpr int4 make_int4(int x, int y, int z, int w) {
  return {x, y, z, w};
}
constexpr uint2 make_uint2(unsigned x, unsigned y) {
  return {x, y};
}
constexpr uint3 make_uint3(unsigned x, unsigned y, unsigned z) {
  return {x, y, z};
}
constexpr uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
  return {x, y, z, w};
}
constexpr uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) {
  return {x, y, z, w};
}
constexpr ushort2 make_ushort2(unsigned short x, unsigned short y) {
  return {x, y};
}
constexpr float2 make_float2(float x, float y) {
  return {x, y};
}
constexpr float3 make_float3(float x, float y, float z) {
  return {x, y, z};
}
constexpr float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}
constexpr double2 make_double2(double x, double y) {
  return {x, y};
}
constexpr longlong2 make_longlong2(long long x, long long y) {
  return {x, y};
}
constexpr ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) {
  return {x, y};
}
// NOLINTEND(readability-identifier-naming)
