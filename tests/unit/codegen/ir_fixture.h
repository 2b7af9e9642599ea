// Kernels as LLVM IR text, for tests of the machine step without a front end.
#pragma once

#include "codegen/machine_step.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <map>
#include <memory>
#include <string>

namespace forewarp::codegen::testing {

inline gpu::Machine volta_like() {
  gpu::Machine machine;
  machine.name = "test";
  machine.vendor = "nvidia";
  machine.target = "sm_75";
  machine.compute_capability = 7.5;
  machine.compiler.shared_loads_in_flight = 32;
  machine.limits.max_threads_per_sm = 1024;
  machine.limits.max_warps_per_sm = 32;
  return machine;
}

/// A module of one kernel "k" whose parameters and body are given.
inline ir::KernelModule module_of(const std::string& parameters, const std::string& body,
                                  const std::string& declarations = "") {
  const std::string text = "target triple = \"nvptx64-nvidia-cuda\"\n"
                           "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
                           "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" +
                           declarations + "\ndefine void @k(" + parameters + ") {\n" + body + "\n}\n";
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, *context);
  if (!module)
    throw std::runtime_error(diagnostic.getMessage().str());
  ir::KernelModule result(std::move(context), std::move(module));
  result.target = "sm_75";
  ir::KernelSignature kernel;
  kernel.name = kernel.symbol = "k";
  result.kernels.push_back(kernel);
  return result;
}

inline facts::MachineProgram lower_text(const std::string& parameters, const std::string& body,
                                        const std::string& declarations = "",
                                        const gpu::Machine& machine = volta_like()) {
  const ir::KernelModule module = module_of(parameters, body, declarations);
  auto program = lower(module, module.kernels.front(), machine);
  if (!program)
    throw std::runtime_error(program.error().message);
  return *program;
}

/// Operations of one block by class, "move" left out where `skip_moves`.
inline std::map<std::string, int> mix(const facts::MachineBlock& block) {
  std::map<std::string, int> counts;
  for (const facts::MachineOp& op : block.ops)
    ++counts[std::string(facts::to_string(op.op))];
  return counts;
}

} // namespace forewarp::codegen::testing
