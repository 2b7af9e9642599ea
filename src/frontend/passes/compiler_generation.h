// Generations of NVIDIA's compilers, as far as they give loops other code. GPU files say by name which one
// makes a GPU's code (`cuda_compiler`, `driver_compiler`): who builds for a GPU of Kepler's or Maxwell's day
// is taken to do so with the tools of that day.
#pragma once

#include <array>
#include <string_view>

namespace forewarp::frontend {

/// When the assembler copies the compiler's loops again (loops/assembler_unrolling.h).
enum class Repeats {
  never,
  by_accesses, ///< of release 7.5 for Fermi and Kepler: by how often an iteration accesses memory
  four,        ///< of release 7.5 for Maxwell: four of what the compiler has left as it is
  short_loops  ///< since release 9.1
};

struct CompilerGeneration {
  std::string_view name;
  /// LLVM's processor that stands for all of the generation where code asks for none; "": the GPU's own
  const char* stand_in;
  bool unrolls_nests;  ///< LLVM unrolls loops around loops in full
  bool unrolls_rests;  ///< LLVM unrolls the rest of an inner loop
  bool copies_unknown; ///< LLVM copies loops whose number of iterations is known at run time only
  bool copies_powers;  ///< of a known number, powers of two that divide it; else any number that does
  Repeats repeats;
  bool unrolls_powers;  ///< loops that count in other than equal steps (`stride *= 2`) are unrolled, too
  bool unrolls_strides; ///< so are loops whose signed step is known at run time only
  /// Approximations of constants are constants. ptxas 7.5 for sm_52 leaves a loop that ends by one.
  bool folds_approximations;
  bool knows_ids;                     ///< work-items' and groups' numbers lie within their limits
  unsigned most_operations_of_pragma; ///< of all copies of a loop under `#pragma unroll`, in full
};

/// Newest first.
inline constexpr std::array<CompilerGeneration, 7> compiler_generations = {{
    {"blackwell", "", true, true, true, true, Repeats::short_loops, true, true, true, true, 16384},
    {"turing", "sm_75", true, true, true, true, Repeats::short_loops, true, true, true, false, 16384},
    {"pascal", "sm_70", true, true, true, false, Repeats::short_loops, true, true, true, false, 49152},
    {"maxwell", "sm_52", true, false, false, false, Repeats::four, true, false, false, false, 16384},
    {"kepler", "sm_35", false, false, false, false, Repeats::by_accesses, true, false, true, false, 16384},
    {"fermi", "", false, false, false, false, Repeats::by_accesses, true, false, true, false, 16384},
    {"open64", "sm_20", false, false, true, true, Repeats::never, false, false, true, false, 16384},
}};

/// Instead of a generation: no vendor's compiler is imitated. Clang's -O2 and no pass of the target, which is
/// the bitcode whose instructions Wang et al. (DATE 2019) count; work-item ids stay whole until the end. PTX
/// and machine code, which a vendor's compiler has optimised already, stay what they are.
inline constexpr const char* plain_bitcode = "bitcode";

/// Turing's for a name that is none.
inline constexpr const CompilerGeneration& compiler_generation(std::string_view name) {
  for (const CompilerGeneration& each : compiler_generations)
    if (each.name == name)
      return each;
  return compiler_generation("turing");
}

/// A rule that differs between generations; `mark` is an attribute of kernels: it gives a loop of this one
/// other code. Between generations whose rules without a mark differ the code is the same.
struct LoopRule {
  bool (*differs)(const CompilerGeneration& one, const CompilerGeneration& other);
  const char* mark;
};
template <auto member>
constexpr bool differ_in(const CompilerGeneration& one, const CompilerGeneration& other) {
  return one.*member != other.*member;
}
inline constexpr LoopRule
    nests_rule = {differ_in<&CompilerGeneration::unrolls_nests>, "forewarp-loops-differ-by-nests"},
    rests_rule = {differ_in<&CompilerGeneration::unrolls_rests>, "forewarp-loops-differ-by-rests"},
    unknown_rule = {differ_in<&CompilerGeneration::copies_unknown>, "forewarp-loops-differ-by-unknown"},
    known_rule = {differ_in<&CompilerGeneration::copies_powers>, "forewarp-loops-differ-by-known"},
    repeats_rule = {differ_in<&CompilerGeneration::repeats>, "forewarp-loops-differ-by-repeats"},
    powers_rule = {differ_in<&CompilerGeneration::unrolls_powers>, "forewarp-loops-differ-by-powers"},
    strides_rule = {differ_in<&CompilerGeneration::unrolls_strides>, "forewarp-loops-differ-by-strides"},
    approximations_rule = {differ_in<&CompilerGeneration::folds_approximations>,
                           "forewarp-loops-differ-by-approximations"},
    ids_rule = {differ_in<&CompilerGeneration::knows_ids>, "forewarp-loops-differ-by-ids"},
    pragmas_rule = {differ_in<&CompilerGeneration::most_operations_of_pragma>,
                    "forewarp-loops-differ-by-pragmas"};
inline constexpr std::array<LoopRule, 10> loop_rules = {
    nests_rule,  rests_rule,   unknown_rule,        known_rule, repeats_rule,
    powers_rule, strides_rule, approximations_rule, ids_rule,   pragmas_rule};

} // namespace forewarp::frontend
