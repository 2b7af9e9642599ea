// Declarations of registers, variables and parameters.
#pragma once

#include "frontend/ptx/cursor.h"
#include "frontend/ptx/syntax.h"

namespace forewarp::frontend::ptx {

/// ".reg .b32 %r<65>, %a;" behind ".reg", up to and with the semicolon. Errors: bad_input, unsupported.
Result<std::vector<Declaration>> read_declarations(Cursor& cursor, std::string_view space);

/// "(.param .u64 a, .reg .b32 b)" behind the opening parenthesis, up to and with the closing one.
Result<std::vector<Declaration>> read_parameters(Cursor& cursor);

} // namespace forewarp::frontend::ptx
