// What the program's objects tell before `main`: their kernels, variables and machine code.
#include "program/cuda/state.h"

#include <cstring>

using namespace forewarp::program;
namespace native = forewarp::native;

namespace {

/// What Clang's host half hands over.
struct FatBinary {
  std::uint32_t magic, version;
  const char* name; ///< the text that frontend/host_half.h put in the place of a binary
  const void* unused;
};

const native::ModuleFacts* module_of(void** handle) {
  const char* name = reinterpret_cast<const char*>(handle);
  for (const native::ModuleFacts* module : state().modules)
    if (std::strcmp(module->name, name) == 0)
      return module;
  return nullptr;
}

} // namespace

/// Objects' constructors come first (native/facts_table.cpp).
FOREWARP_API void forewarp_register_module(const native::ModuleFacts* module) {
  state().modules.push_back(module);
  for (std::uint64_t k = 0; k < module->variable_count; ++k) {
    const native::VariableFacts& variable = module->variables[k];
    add_allocation(variable.address, variable.bytes, MemoryKind::variable).name = variable.name;
  }
}

FOREWARP_API void** __cudaRegisterFatBinary(const FatBinary* binary) {
  return reinterpret_cast<void**>(const_cast<char*>(binary->name));
}
FOREWARP_API void __cudaRegisterFatBinaryEnd(void**) {}
FOREWARP_API void __cudaUnregisterFatBinary(void**) {}

FOREWARP_API void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* symbol, int,
                                         void*, void*, void*, void*, int*) {
  const native::ModuleFacts* module = module_of(handle);
  for (std::uint64_t k = 0; module && k < module->kernel_count; ++k)
    if (std::strcmp(module->kernels[k].symbol, symbol) == 0)
      state().kernels[stub] = {&module->kernels[k], module->name, 0};
}

FOREWARP_API void __cudaRegisterVar(void** handle, char* shadow, char*, const char* name, int,
                                    std::size_t bytes, int, int) {
  const native::ModuleFacts* module = module_of(handle);
  for (std::uint64_t k = 0; module && k < module->variable_count; ++k)
    if (std::strcmp(module->variables[k].name, name) == 0)
      state().variables[shadow] = *allocation_at(module->variables[k].address);
  if (!state().variables.contains(shadow)) // no kernel of the file uses it
    state().variables[shadow] = {reinterpret_cast<std::uint64_t>(shadow), bytes, MemoryKind::variable};
}
FOREWARP_API void __cudaRegisterManagedVar(void** handle, void** shadow, void*, const char* name,
                                           std::size_t bytes, unsigned) {
  __cudaRegisterVar(handle, reinterpret_cast<char*>(shadow), nullptr, name, 0, bytes, 0, 0);
}
FOREWARP_API void __cudaRegisterTexture(void** handle, char* shadow, const void**, const char* name, int, int,
                                        int) {
  __cudaRegisterVar(handle, shadow, nullptr, name, 0, sizeof(std::uint64_t), 0, 0);
}
FOREWARP_API void __cudaRegisterSurface(void** handle, char* shadow, const void**, const char* name, int,
                                        int) {
  __cudaRegisterVar(handle, shadow, nullptr, name, 0, sizeof(std::uint64_t), 0, 0);
}
FOREWARP_API char __cudaInitModule(void**) {
  return 1;
}
