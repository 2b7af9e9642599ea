// Launches whose results nobody has read yet. They are executed, in their order, when something reads or
// writes a buffer that one of them uses; they are dropped when the program has let go of all their buffers.
#pragma once

#include "program/inside/inner_pointers.h"
#include "program/opencl/state.h"

#include <array>
#include <vector>

namespace forewarp::program {

/// A launch as it was asked for: arguments may be set anew before it is executed.
struct PendingLaunch {
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
  std::shared_ptr<ProgramFacts> source;
  std::string kernel;
  std::vector<KernelArgument> arguments;
  cl_uint dimensions = 1;
  std::array<size_t, 3> offset = {}, global = {}, local = {};
  bool has_local = false;
};

/// The buffer or image that an argument's bytes are the handle of; null: none.
cl_mem memory_of(const KernelArgument& argument);
/// The same of buffers alone.
cl_mem buffer_of(const KernelArgument& argument);

/// At once. False: it could not be executed, which the process beside is told.
bool execute(const PendingLaunch& launch);
/// The shared virtual memory around an address; bytes 0: none.
Stretch svm_at(std::uint64_t address);
/// It leads into shared virtual memory, which the program reads past every call.
bool uses_svm(const PendingLaunch& launch);
void add_pending(PendingLaunch launch);
/// All of them. What the implementation refuses is told to the process beside.
void run_pending();
/// All of them where one uses `memory` or a part of it.
void run_pending_on(cl_mem memory);
void forget_launches_without_readers();

} // namespace forewarp::program
