// Addresses as pointers. PTX computes addresses as numbers; what comes after the front end goes by pointers
// and their bases.
#pragma once

#include <llvm/IR/Function.h>

namespace forewarp::frontend::ptx {

/// Attribute of an argument that the text declares to be a pointer (.ptr); its value is the memory, ""
/// generic.
inline constexpr const char* declared_pointer = "forewarp.ptr";

/// Arguments of a kernel that are bases of addresses become pointers to the memory that is accessed, those
/// that are declared pointers and only handed on to that memory, arguments that are only read as floats
/// become floats. The function is replaced by one of the same name, which is returned. `function` has no
/// slots on the stack any more for what can be a value (SROA).
llvm::Function* retype_arguments(llvm::Function& function);

/// Every number that is made into a pointer and has a base (a pointer, or what is loaded or given as a
/// number) with offsets added becomes address arithmetic (getelementptr) on that base, through phis and
/// selects.
void recover_pointers(llvm::Function& function);

} // namespace forewarp::frontend::ptx
