// Which language a kernel file is in, by its ending.
#pragma once

#include <string>

namespace forewarp::frontend {

/// CUDA C++ or HIP, which are one front end (.cu, .cuh, .hip, .cpp, .cc, .cxx, .hpp).
bool is_cuda_source(const std::string& path);
/// OpenCL C (.cl, .opencl, .ocl).
bool is_opencl_source(const std::string& path);
/// Machine code of NVIDIA's GPUs (.cubin).
bool is_machine_code(const std::string& path);
/// PTX text (.ptx), which is made for one target.
bool is_ptx(const std::string& path);

} // namespace forewarp::frontend
