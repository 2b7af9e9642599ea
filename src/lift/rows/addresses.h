// Addresses of memory instructions.
#pragma once

#include "lift/lifter.h"

namespace forewarp::lift {

/// Null where the instruction has none.
const Operand* address_operand(const Lifter& l);
/// In 64 bits (global memory), in 32 (shared, local and constant memory).
Value* wide_address(Lifter& l, const sass::Address& address);
Value* narrow_address(Lifter& l, const sass::Address& address);
/// Of the instruction at hand.
Value* global_pointer(Lifter& l);
Value* generic_pointer(Lifter& l);
Value* shared_pointer(Lifter& l);
Value* shared_pointer(Lifter& l, const sass::Address& address);
Value* shared_pointer(Lifter& l, Value* address);
/// The same where the address may be of another group of the cluster.
Value* cluster_pointer(Lifter& l, Value* address);
Value* local_pointer(Lifter& l);
/// Upper word of generic addresses of shared memory.
Value* shared_window(Lifter& l);

} // namespace forewarp::lift
