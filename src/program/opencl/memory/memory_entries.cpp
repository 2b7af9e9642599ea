// Sizes of buffers, and when the program has let go of them.
#include "program/opencl/entries.h"
#include "program/opencl/pending.h"

namespace forewarp::program {
namespace {

void remember(cl_mem memory, MemoryFacts facts, cl_mem_flags flags) {
  State& s = state();
  facts.read_only = (flags & CL_MEM_READ_ONLY) != 0;
  const std::lock_guard lock(s.lock);
  s.memory[memory] = std::move(facts);
}

MemoryFacts of_buffer(std::size_t bytes, cl_mem_flags flags, void* host) {
  MemoryFacts facts;
  facts.bytes = bytes;
  facts.host = (flags & CL_MEM_USE_HOST_PTR) != 0 ? host : nullptr;
  return facts;
}

cl_mem CL_API_CALL buffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* status) {
  const cl_mem memory = state().target->clCreateBuffer(context, flags, size, host, status);
  if (memory)
    remember(memory, of_buffer(size, flags, host), flags);
  return memory;
}

cl_mem CL_API_CALL buffer_with_properties(cl_context context, const cl_mem_properties* properties,
                                          cl_mem_flags flags, size_t size, void* host, cl_int* status) {
  const cl_mem memory =
      state().target->clCreateBufferWithProperties(context, properties, flags, size, host, status);
  if (memory)
    remember(memory, of_buffer(size, flags, host), flags);
  return memory;
}

cl_mem CL_API_CALL sub_buffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type, const void* what,
                              cl_int* status) {
  const cl_mem memory = state().target->clCreateSubBuffer(parent, flags, type, what, status);
  if (memory && type == CL_BUFFER_CREATE_TYPE_REGION) {
    const auto* region = static_cast<const cl_buffer_region*>(what);
    MemoryFacts facts;
    facts.bytes = region->size;
    facts.parent = parent;
    facts.origin = region->origin;
    remember(memory, std::move(facts), flags);
  }
  return memory;
}

cl_int CL_API_CALL retain(cl_mem memory) {
  {
    State& s = state();
    const std::lock_guard lock(s.lock);
    if (const auto found = s.memory.find(memory); found != s.memory.end())
      ++found->second.references;
  }
  return state().target->clRetainMemObject(memory);
}

cl_int CL_API_CALL release(cl_mem memory) {
  bool gone = false, is_seen = false;
  {
    State& s = state();
    const std::lock_guard lock(s.lock);
    const auto found = s.memory.find(memory);
    if (found != s.memory.end() && found->second.references > 0)
      gone = --found->second.references == 0;
    is_seen = gone && found->second.host != nullptr;
  }
  if (is_seen) // what kernels wrote is in the program's own memory
    run_pending_on(memory);
  const cl_int status = state().target->clReleaseMemObject(memory);
  if (gone)
    forget_launches_without_readers();
  return status;
}

void* CL_API_CALL svm(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  void* pointer = state().target->clSVMAlloc(context, flags, size, alignment);
  State& s = state();
  const std::lock_guard lock(s.lock);
  if (pointer)
    s.svm[pointer] = size;
  return pointer;
}

void CL_API_CALL free_svm(cl_context context, void* pointer) {
  run_pending(); // the processor reads it past every call
  {
    State& s = state();
    const std::lock_guard lock(s.lock);
    s.svm.erase(pointer);
  }
  state().target->clSVMFree(context, pointer);
}

} // namespace

void override_memory(cl_icd_dispatch& table) {
  table.clCreateBuffer = buffer;
  table.clCreateBufferWithProperties = buffer_with_properties;
  table.clCreateSubBuffer = sub_buffer;
  table.clRetainMemObject = retain;
  table.clReleaseMemObject = release;
  table.clSVMAlloc = svm;
  table.clSVMFree = free_svm;
}

} // namespace forewarp::program
