#pragma once

/// Numbers of LLVM's address spaces. NVPTX and AMDGPU give the first five the same meaning ("User Guide for
/// NVPTX Back-end", "User Guide for AMDGPU Backend"; AMD says LDS for shared and scratch for local).
namespace forewarp::ir {

inline constexpr unsigned generic_space = 0;
inline constexpr unsigned global_space = 1;
inline constexpr unsigned shared_space = 3;
inline constexpr unsigned constant_space = 4;
inline constexpr unsigned local_space = 5;
inline constexpr unsigned nvptx_parameter_space = 101;

} // namespace forewarp::ir
