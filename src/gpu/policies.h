// What differs between generations and is a rule, not a number: named in GPU files, never inferred from other
// values. A new generation names one of these, or adds one here and where it is read.
#pragma once

#include <string>
#include <string_view>

namespace forewarp::gpu {

/// What one pass through the L1 pipe serves (memory/coalesce/coalesce.h has the rules). Words of
/// `l1_pass_rule`.
enum class L1PassRule {
  lines, ///< "lines": a distinct block of line requests (Fermi to Pascal; L1s that keep no global loads)
  half_warp_segments, ///< "half_warp_segments": compute capability 1.x
  sector_banks,       ///< "sector_banks": a sectored L1 in the array of shared memory; bank passes (Volta and
                      ///< later)
  line_parts,         ///< "line_parts": parts of lines from banks (RDNA)
  quads               ///< "quads": four lanes, more where their words lie in a row (GCN, CDNA)
};

/// `lines` for words that are none of the above.
inline constexpr L1PassRule l1_pass_rule(std::string_view word) {
  return word == "half_warp_segments" ? L1PassRule::half_warp_segments
         : word == "sector_banks"     ? L1PassRule::sector_banks
         : word == "line_parts"       ? L1PassRule::line_parts
         : word == "quads"            ? L1PassRule::quads
                                      : L1PassRule::lines;
}

/// Operations between halves and floats (CompilerRules::half_conversions). Words of `half_conversions`.
enum class HalfConversions {
  converting, ///< "converting": the converting pipe, both ways (to Pascal)
  add, ///< "add": to float by an addition of halves (HADD2.F32), back by the converting pipe (Volta, Turing)
  packed ///< "packed": the same, back two at a time by the integer pipe (F2FP; Ampere and later)
};

/// `converting` for words that are none of the above.
inline constexpr HalfConversions half_conversions(std::string_view word) {
  return word == "packed" ? HalfConversions::packed
         : word == "add"  ? HalfConversions::add
                          : HalfConversions::converting;
}

/// What a compiler for this GPU does that shows in its code.
struct CompilerRules {
  /// Generations of NVIDIA's compilers, words of `cuda_compiler` and `driver_compiler`: what they do to loops
  /// stands in frontend/passes/compiler_generation.h
  std::string cuda = "turing", driver = "turing";
  bool closed = false;        ///< `opencl_compiler = "closed"`: the vendor's, which nobody can run today
  unsigned llvm_release = 19; ///< AMD: of the LLVM that programs were built with
  /// AMD: what divisions by an unchanged integer need is made before the loop (LLVM 19, not 14 to 16)
  bool hoists_reciprocals = true;
  bool three_input_alu = true; ///< additions and logic of three inputs
  /// `integer_addition = "lighter"`: additions go to the pipe of multiply-adds where that has less to do
  bool adds_on_lighter_pipe = false;
  unsigned shared_loads_in_flight = 16; ///< issued ahead of their use
  HalfConversions half_conversions = HalfConversions::converting;
};

/// Multiply-adds of halves in one tensor_mma, by the word of `tensor_shape` (the shapes of HMMA; PTX ISA,
/// mma). Narrower types have as many more, wider ones less.
inline constexpr unsigned tensor_multiply_adds(std::string_view shape) {
  return shape == "16x16x16" ? 16 * 16 * 16 : shape == "16x8x16" ? 16 * 8 * 16 : 16 * 8 * 8;
}

/// Rates of matrix products over that of halves, by the type of the factors. NVIDIA: of f64 only, else as
/// many times as narrow.
struct MatrixRates {
  double bits_8 = 1, bf16 = 1, xf32 = 0.5, f32 = 0.25, f64 = 0.25;
  double float_sums = 1; ///< NVIDIA: of products of floats that are summed in floats, over those in halves
};

} // namespace forewarp::gpu
