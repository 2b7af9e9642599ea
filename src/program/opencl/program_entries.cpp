// Programs: their text and options are kept for the process that predicts; the implementation compiles them,
// too.
#include "program/opencl/answer.h"
#include "program/opencl/entries.h"
#include "program/opencl/own_engine.h"

#include <cstring>

namespace forewarp::program {
namespace {

void remember(cl_program program, std::shared_ptr<ProgramFacts> facts) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  s.program_of[program] = std::move(facts);
}

std::shared_ptr<ProgramFacts> facts_of(cl_program program) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  const auto found = s.program_of.find(program);
  return found == s.program_of.end() ? nullptr : found->second;
}

cl_program CL_API_CALL with_source(cl_context context, cl_uint count, const char** texts,
                                   const size_t* lengths, cl_int* status) {
  const cl_program program =
      state().target->clCreateProgramWithSource(context, count, texts, lengths, status);
  if (!program)
    return program;
  auto facts = std::make_shared<ProgramFacts>();
  for (cl_uint k = 0; k < count; ++k)
    facts->source += lengths && lengths[k] ? std::string(texts[k], lengths[k]) : std::string(texts[k]);
  remember(program, std::move(facts));
  return program;
}

void set_options(cl_program program, const char* options) {
  if (const auto facts = facts_of(program)) {
    facts->options = options ? options : "";
    facts->key.clear();
    facts->own_engine = false;
    facts->stand_in = nullptr;
  }
}

cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                         void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
  set_options(program, options);
  const auto facts = facts_of(program);
  const cl_icd_dispatch& target = *state().target;
  bool ours = facts && state().own_engine && take_over(program, facts);
  cl_int status = CL_SUCCESS;
  if (!ours) {
    status = target.clBuildProgram(program, count, devices, options, nullptr, nullptr);
    ours = facts && status == CL_BUILD_PROGRAM_FAILURE && take_over(program, facts);
  }
  if (notify)
    notify(program, data);
  return ours ? CL_SUCCESS : status;
}

cl_int CL_API_CALL compile(cl_program program, cl_uint count, const cl_device_id* devices,
                           const char* options, cl_uint headers, const cl_program* header_programs,
                           const char** header_names, void(CL_CALLBACK* notify)(cl_program, void*),
                           void* data) {
  set_options(program, options);
  // Headers that are programs have no file: such a program is executed, and its time is unknown.
  if (const auto facts = facts_of(program); facts && headers > 0)
    facts->has_source = false;
  return state().target->clCompileProgram(program, count, devices, options, headers, header_programs,
                                          header_names, notify, data);
}

cl_program CL_API_CALL link(cl_context context, cl_uint count, const cl_device_id* devices,
                            const char* options, cl_uint inputs, const cl_program* programs,
                            void(CL_CALLBACK* notify)(cl_program, void*), void* data, cl_int* status) {
  const cl_program program =
      state().target->clLinkProgram(context, count, devices, options, inputs, programs, notify, data, status);
  if (!program)
    return program;
  auto facts = std::make_shared<ProgramFacts>();
  for (cl_uint k = 0; k < inputs; ++k) {
    const auto part = facts_of(programs[k]);
    facts->has_source = facts->has_source && part && part->has_source;
    if (part) {
      facts->source += part->source + "\n";
      facts->options = part->options;
    }
  }
  remember(program, std::move(facts));
  return program;
}

/// A binary is the implementation's own form; its text is known where this program asked for it earlier.
cl_int CL_API_CALL info(cl_program program, cl_program_info name, size_t size, void* value,
                        size_t* size_out) {
  const auto facts = facts_of(program);
  const bool of_code = name == CL_PROGRAM_NUM_KERNELS || name == CL_PROGRAM_KERNEL_NAMES ||
                       name == CL_PROGRAM_BINARY_SIZES || name == CL_PROGRAM_BINARIES;
  if (of_code)
    program = executable_of(program, facts);
  const cl_int status = state().target->clGetProgramInfo(program, name, size, value, size_out);
  if (status != CL_SUCCESS || name != CL_PROGRAM_BINARIES || !value)
    return status;
  std::vector<size_t> sizes(size / sizeof(unsigned char*));
  if (!facts ||
      state().target->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizes.size() * sizeof(size_t),
                                       sizes.data(), nullptr) != CL_SUCCESS)
    return status;
  State& s = state();
  const std::lock_guard lock(s.lock);
  for (std::size_t k = 0; k < sizes.size(); ++k)
    if (const auto* bytes = static_cast<unsigned char**>(value)[k])
      s.program_of_binary[std::string(reinterpret_cast<const char*>(bytes), sizes[k])] = facts;
  return status;
}

cl_program CL_API_CALL with_binary(cl_context context, cl_uint count, const cl_device_id* devices,
                                   const size_t* lengths, const unsigned char** binaries,
                                   cl_int* binary_status, cl_int* status) {
  const cl_program program = state().target->clCreateProgramWithBinary(context, count, devices, lengths,
                                                                       binaries, binary_status, status);
  if (!program || count == 0)
    return program;
  State& s = state();
  const std::lock_guard lock(s.lock);
  const auto found =
      s.program_of_binary.find(std::string(reinterpret_cast<const char*>(binaries[0]), lengths[0]));
  auto facts = std::make_shared<ProgramFacts>();
  if (found != s.program_of_binary.end())
    *facts = *found->second; // its kernels are then those of the binary
  else
    facts->has_source = false;
  facts->stand_in = nullptr;
  s.program_of[program] = std::move(facts);
  return program;
}

cl_int CL_API_CALL build_info(cl_program program, cl_device_id device, cl_program_build_info name,
                              size_t size, void* value, size_t* size_out) {
  const auto facts = facts_of(program);
  if (facts && facts->stand_in && name == CL_PROGRAM_BUILD_OPTIONS)
    return give(facts->options, size, value, size_out);
  return state().target->clGetProgramBuildInfo(executable_of(program, facts), device, name, size, value,
                                               size_out);
}

} // namespace

void override_programs(cl_icd_dispatch& table) {
  table.clCreateProgramWithSource = with_source;
  table.clCreateProgramWithBinary = with_binary;
  table.clBuildProgram = build;
  table.clCompileProgram = compile;
  table.clLinkProgram = link;
  table.clGetProgramInfo = info;
  table.clGetProgramBuildInfo = build_info;
}

} // namespace forewarp::program
