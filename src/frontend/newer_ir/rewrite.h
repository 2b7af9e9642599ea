// LLVM assembly of LLVM 20 to 23 (Triton, Numba, newer clang) in the words of LLVM 19, which reads it.
#pragma once

#include "support/result.h"

#include <string>
#include <string_view>

namespace forewarp::frontend::newer_ir {

/// What LLVM 19 does not know and what follows nothing but hints is left out (`captures(address)`,
/// `samesign`, flags of conversions, fields of debug information); what means something is spelled as LLVM 19
/// does
/// (`captures(none)`, literals by bits, AMD's triple, `ptrtoaddr`, operands that intrinsics gained or lost).
/// Lines stay where they are. Words that are neither are left for LLVM's reader to name. Text without any of
/// it comes back as it is. Errors: bad_input, a literal that is no number of its type, with `path:line`.
Result<std::string> in_older_words(std::string_view module, const std::string& path);

/// Whether the bytes are assembly and not bitcode.
bool is_assembly(std::string_view bytes);

/// The word or character at `line` (from 1) and `column` (from 0); "": none is there.
std::string word_at(std::string_view module, unsigned line, unsigned column);

} // namespace forewarp::frontend::newer_ir
