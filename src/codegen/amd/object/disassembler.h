#pragma once

#include "codegen/amd/object/code_object.h"

namespace forewarp::codegen {

/// Instructions of one function's bytes. A word that is none is shown as ".long". Errors: unsupported
/// (target).
Result<std::vector<CodeObjectLine>> disassemble_amd(std::span<const std::uint8_t> code,
                                                    const std::string& target);

} // namespace forewarp::codegen
