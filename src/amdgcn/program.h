// A kernel of an AMD GPU as the compiler left it: typed instructions, what the loader is asked for (kernel
// descriptor) and its arguments (metadata note). Instructions are read by LLVM's own disassembler; their
// operands are taken from its wording, which is the syntax that AMD's manuals and LLVM's assembler share.
// Sources: "User Guide for AMDGPU Backend" (LLVM), llvm/Support/AMDHSAKernelDescriptor.h.
#pragma once

#include "facts/machine_code/code_object.h"
#include "facts/source_location.h"
#include "support/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace forewarp::amdgcn {

/// Numbers of scalar registers that have names of their own.
inline constexpr unsigned vcc_register = 106, m0_register = 124, exec_register = 126;

enum class OperandKind : std::uint8_t {
  vector,      ///< `number` .. `number + width - 1`: v0 .. v255
  accumulator, ///< a0 .. a255
  scalar,      ///< s0 .. s105, vcc, ttmp, m0, exec by the numbers above
  number,      ///< `value`: an integer, sign-extended, or a literal's bits
  floating,    ///< `floating`: an inline constant such as 0.5
  off,         ///< no register: `off`, `null`
  special,     ///< `word` as it is written: src_scc, src_shared_base, hwreg(...)
};

/// Of a vector register, where the wording names one ("v1.h").
enum class Half : std::uint8_t { none, lower, upper };

struct Operand {
  OperandKind kind = OperandKind::off;
  Half half = Half::none;
  bool negate = false, absolute = false, sign_extend = false;
  std::uint16_t number = 0;
  std::uint8_t width = 1; ///< 32-bit registers
  std::int64_t value = 0;
  double floating = 0;
  std::string word;
};

enum class Encoding : std::uint8_t { plain, sdwa, dpp };

struct Instruction {
  std::uint32_t offset = 0; ///< bytes from the kernel's first instruction
  std::uint32_t bytes = 4;
  facts::SourceLocation location; ///< in the module's files; line 0: not known
  std::string text;               ///< as LLVM words it
  std::string mnemonic;           ///< without the suffix of its encoding: "v_add_f32"
  Encoding encoding = Encoding::plain;
  std::vector<Operand> operands;
  /// "offset:16" as ("offset", "16"), "glc" as ("glc", "").
  std::vector<std::pair<std::string, std::string>> modifiers;
  std::vector<std::int64_t> immediates;     ///< all that the encoding holds, in LLVM's order
  std::string name;                         ///< in LLVM's tables; classify.h reads it
  std::optional<facts::OpClass> op;         ///< empty: takes no unit (waits, hints)
  std::vector<std::uint32_t> reads, writes; ///< register units of LLVM, masks and modes left out

  /// What a dual instruction of gfx11 does beside it: none or one.
  std::vector<Instruction> second;

  bool has(std::string_view modifier) const;
  std::string_view modifier(std::string_view name) const; ///< "": it is not there
  /// As an integer; `otherwise` where it is not there.
  std::int64_t modifier(std::string_view name, std::int64_t otherwise) const;
};

/// An explicit or hidden argument, as the metadata note has it.
struct Argument {
  std::uint32_t offset = 0, bytes = 0;
  std::string kind; ///< "by_value", "global_buffer", "dynamic_shared_pointer", "hidden_..."
  std::string name, type_name;
  bool is_const = false;
  bool is_hidden() const { return kind.starts_with("hidden_"); }
};

/// What is in registers when a wave starts (kernel descriptor).
struct Setup {
  bool private_buffer = false, dispatch_pointer = false, queue_pointer = false, argument_pointer = false,
       dispatch_id = false, flat_scratch = false, private_size = false;
  bool group_x = false, group_y = false, group_z = false, group_info = false;
  bool private_segment = false;
  unsigned item_axes = 0;                                 ///< 0: x; 1: x, y; 2: all
  unsigned user_registers = 0;                            ///< scalar registers before the group's numbers
  unsigned preloaded_words = 0, preload_offset_words = 0; ///< of the arguments
  bool keeps_fp32_denormals = true, keeps_other_denormals = true;
};

struct Kernel {
  facts::CodeObjectKernel resources;
  Setup setup;
  std::vector<Argument> arguments;
  std::vector<Instruction>
      instructions;             ///< empty: the code is not in the file (an object that is not linked)
  std::uint64_t address = 0;    ///< of the first instruction in the image
  std::optional<Error> refused; ///< what cannot be read of it
};

struct Module {
  std::string target; ///< "gfx90a"
  std::vector<Kernel> kernels;
  facts::SourceFiles files;        ///< empty: the file has no line table
  std::vector<std::uint8_t> image; ///< the file's loaded bytes by address, code left out; empty: too large
};

/// Index of the instruction at this offset; empty: none begins there.
std::optional<std::uint32_t> index_of(const Kernel& kernel, std::int64_t offset);

/// Whether the bytes are an AMD code object, or a bundle of Clang's that may hold one.
bool is_code_object(std::span<const std::byte> bytes);

/// Bytes of the code object in a bundle, packed or not: the part for `target`, else (also for "") the first;
/// of several bundles in a host's program the one with this kernel ("": any). A code object itself is taken
/// as it is. Errors: bad_input (cut off, damaged, none), unsupported (another compression).
Result<std::string> code_object_in(std::span<const std::byte> bytes, const std::string& target,
                                   const std::string& kernel, const std::string& path);

/// Errors: bad_input (cut off, no metadata note), unsupported (a target that LLVM does not know).
Result<Module> read_module(std::span<const std::byte> bytes, const std::string& path);

} // namespace forewarp::amdgcn
