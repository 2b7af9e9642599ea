// What one operation of the class tensor_mma is.
#pragma once

namespace forewarp::gpu {

/// Multiply-adds of halves in one tensor_mma of NVIDIA's GPUs: the product 16x8x8 of compute capability 7.x,
/// 16x8x16 from 8.0 on (the shapes of HMMA; PTX ISA, mma). Narrower types have as many more, wider ones less.
inline constexpr unsigned tensor_multiply_adds(double compute_capability) {
  return compute_capability >= 8 ? 16 * 8 * 16 : 16 * 8 * 8;
}

/// The same of a product of a warp group: `unit.tensor.lanes` is the rate of a warp's products, which on 9.0
/// is 5/8 of what a group's reach (docs/cuda.md).
inline constexpr unsigned warpgroup_multiply_adds(double compute_capability) {
  return tensor_multiply_adds(compute_capability) * 8 / 5;
}

} // namespace forewarp::gpu
