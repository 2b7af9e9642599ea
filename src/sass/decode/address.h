// Addresses of memory instructions.
#pragma once

#include "sass/decode/reader.h"

namespace forewarp::sass {

/// Where an opcode has the parts of a global address.
struct GlobalPlaces {
  unsigned uniform_at;                 ///< uniform register: added to the base, or descriptor of the memory
  unsigned descriptor_at;              ///< bit: it is the descriptor
  int pair_at;                         ///< bit: the base is a pair; -1: always is
  unsigned always_descriptor_from = 0; ///< target from which on it always is the descriptor; 0: none
};
inline constexpr GlobalPlaces load_places = {32, 76, 90};
inline constexpr GlobalPlaces store_places = {64, 76, 90};
inline constexpr GlobalPlaces reduction_places = {64, 71, 90, 100};
inline constexpr GlobalPlaces atomic_places = {64, 71, 70, 100};
inline constexpr GlobalPlaces copy_places = {64, 76, -1};

/// [R], [R.64 + UR + imm] with or without descriptor.
void global_address(Reader& reader, GlobalPlaces places);

/// [R.X4 + UR + imm] of shared and local memory.
void window_address(Reader& reader, unsigned uniform_at, bool scaled);

/// Order and scope on sm_75, in two fields; from sm_80 on one field holds both.
void turing_order(Reader& reader);

/// A source predicate whose number is stored as 7 - number, so that zero bits mean PT; shown if it is not PT.
void complement_predicate(Reader& reader, unsigned at);

} // namespace forewarp::sass
