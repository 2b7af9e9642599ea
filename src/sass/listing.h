// A kernel's machine code as a person reads it: each instruction with its control word, the cycle in which it
// would issue and what it waits for.
#pragma once

#include "sass/timing/core.h"

namespace forewarp::sass {

struct ListingOptions {
  bool control_words = true;
  bool times = true;
};

/// "B0-2---:R1:W0:Y:S04": counters waited for, read and write barrier, yield, stall count.
std::string control_text(const ControlWord& control);

/// "waits 214 cycles for SB0 (LDG at 0x0120)"; empty where an instruction waits for nothing worth a word.
std::string reason_text(const Kernel& kernel, const InstructionTime& time);

/// One line an instruction; lines of the source stand above where the file has them.
std::string listing_text(const Module& module, const Kernel& kernel, const CoreOutcome& outcome,
                         const ListingOptions& options = {});

/// Name, instructions, registers, shared and local bytes of each kernel.
std::string kernel_list_text(const Module& module);

} // namespace forewarp::sass
