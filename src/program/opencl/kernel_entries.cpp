// Kernels and their arguments: values are copied at the call, as OpenCL has it.
#include "program/opencl/answer.h"
#include "program/opencl/entries.h"
#include "program/opencl/own_engine.h"
#include "program/opencl/several/devices.h"

#include <algorithm>
#include <cstring>

namespace forewarp::program {
namespace {

std::string name_of(cl_kernel kernel) {
  size_t length = 0;
  if (state().target->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &length) != CL_SUCCESS)
    return {};
  std::string name(length, '\0');
  state().target->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, length, name.data(), nullptr);
  name.resize(std::strlen(name.c_str()));
  return name;
}

void remember(cl_kernel kernel, cl_program program) {
  KernelFacts facts;
  facts.program = program;
  facts.name = name_of(kernel);
  cl_uint count = 0;
  state().target->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, nullptr);
  facts.arguments.resize(count);
  State& s = state();
  const std::lock_guard lock(s.lock);
  if (const auto found = s.program_of.find(program); found != s.program_of.end())
    facts.source = found->second;
  s.kernels[kernel] = std::move(facts);
}

/// Kernels of the program, or of what stands in for it.
cl_program with_kernels(cl_program program) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  const auto found = s.program_of.find(program);
  return executable_of(program, found == s.program_of.end() ? nullptr : found->second);
}

cl_kernel CL_API_CALL create(cl_program program, const char* name, cl_int* status) {
  const cl_kernel kernel = state().target->clCreateKernel(with_kernels(program), name, status);
  if (kernel)
    remember(kernel, program);
  return kernel;
}

cl_int CL_API_CALL create_all(cl_program program, cl_uint count, cl_kernel* kernels, cl_uint* count_out) {
  const cl_int status =
      state().target->clCreateKernelsInProgram(with_kernels(program), count, kernels, count_out);
  for (cl_uint k = 0; status == CL_SUCCESS && kernels && k < count; ++k)
    if (kernels[k])
      remember(kernels[k], program);
  return status;
}

cl_kernel CL_API_CALL clone(cl_kernel kernel, cl_int* status) {
  const cl_kernel copy = state().target->clCloneKernel(kernel, status);
  State& s = state();
  const std::lock_guard lock(s.lock);
  if (const auto found = s.kernels.find(kernel); copy && found != s.kernels.end())
    s.kernels[copy] = KernelFacts(found->second);
  return copy;
}

cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
  const cl_int status = state().target->clSetKernelArg(kernel, index, size, value);
  if (status != CL_SUCCESS)
    return status;
  State& s = state();
  const std::lock_guard lock(s.lock);
  const auto found = s.kernels.find(kernel);
  if (found == s.kernels.end() || index >= found->second.arguments.size())
    return status;
  KernelArgument& argument = found->second.arguments[index];
  argument = {};
  argument.is_set = true;
  if (value)
    argument.bytes.assign(static_cast<const std::uint8_t*>(value),
                          static_cast<const std::uint8_t*>(value) + size);
  else
    argument.local_bytes = size;
  return status;
}

cl_int CL_API_CALL set_svm_argument(cl_kernel kernel, cl_uint index, const void* value) {
  const cl_int status = state().target->clSetKernelArgSVMPointer(kernel, index, value);
  State& s = state();
  const std::lock_guard lock(s.lock);
  const auto found = s.kernels.find(kernel);
  if (status != CL_SUCCESS || found == s.kernels.end() || index >= found->second.arguments.size())
    return status;
  KernelArgument& argument = found->second.arguments[index];
  argument = {};
  argument.is_set = argument.is_svm = true;
  argument.bytes.assign(reinterpret_cast<const std::uint8_t*>(&value),
                        reinterpret_cast<const std::uint8_t*>(&value) + sizeof(value));
  return status;
}

cl_int CL_API_CALL info(cl_kernel kernel, cl_kernel_info name, size_t size, void* value, size_t* size_out) {
  State& s = state();
  cl_program program = nullptr;
  if (name == CL_KERNEL_PROGRAM) { // not what stands in for it
    const std::lock_guard lock(s.lock);
    if (const auto found = s.kernels.find(kernel); found != s.kernels.end())
      program = found->second.program;
  }
  return program ? give(program, size, value, size_out)
                 : s.target->clGetKernelInfo(kernel, name, size, value, size_out);
}

cl_int CL_API_CALL group_info(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name,
                              size_t size, void* value, size_t* size_out) {
  const nlohmann::json& facts = device_of(device).words;
  if (name == CL_KERNEL_WORK_GROUP_SIZE)
    return give(static_cast<size_t>(facts.value("max_group_size", 1024.0)), size, value, size_out);
  if (name == CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)
    return give(static_cast<size_t>(facts.value("warp_width", 32.0)), size, value, size_out);
  if (name == CL_KERNEL_PRIVATE_MEM_SIZE)
    return give(cl_ulong{0}, size, value, size_out);
  return state().target->clGetKernelWorkGroupInfo(kernel, device, name, size, value, size_out);
}

} // namespace

void override_kernels(cl_icd_dispatch& table) {
  table.clCreateKernel = create;
  table.clCreateKernelsInProgram = create_all;
  table.clCloneKernel = clone;
  table.clSetKernelArg = set_argument;
  table.clSetKernelArgSVMPointer = set_svm_argument;
  table.clGetKernelInfo = info;
  table.clGetKernelWorkGroupInfo = group_info;
}

} // namespace forewarp::program
