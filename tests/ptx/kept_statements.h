// Arithmetic that instruction selection would rewrite, as statements of inline PTX.
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace forewarp::round_trip {

/// Each operation of scalar numbers becomes one statement that LLVM's instruction selection does not look
/// into.
void keep_statements(llvm::Function& function);

} // namespace forewarp::round_trip
