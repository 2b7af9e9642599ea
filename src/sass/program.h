// A kernel as the vendor's assembler left it: typed instructions with their control words, constant banks,
// resource use and lines. Made by `read_cubin` from the bits; nothing here knows LLVM or a tool. Encoding and
// control word: machine code of sm_75 to sm_121 (128 bits an instruction). Sources: Jia et al., arXiv
// 1804.06826 and 1903.07486; CuAssembler; Mesa's NAK (`sm70_encode.rs`); docs/models/machine_code/sass.md.
#pragma once

#include "facts/source_location.h"
#include "sass/opcode.h"
#include "sass/operand.h"
#include "support/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace forewarp::sass {

inline constexpr std::uint8_t no_barrier = 7;
inline constexpr std::uint32_t instruction_bytes = 16;

/// What the assembler tells the issue stage (bits 105 to 125).
struct ControlWord {
  std::uint8_t stall = 0;                  ///< cycles until the warp's next instruction may issue, 0 .. 15
  bool yield = false;                      ///< bit 109 is 0
  std::uint8_t write_barrier = no_barrier; ///< 0 .. 5: counted down when the result is written
  std::uint8_t read_barrier = no_barrier;  ///< 0 .. 5: counted down when the sources were read
  std::uint8_t wait_mask = 0;              ///< bit i: waits until counter i is 0
  std::uint8_t reuse = 0; ///< bit 0, 1, 2: operand position A, B, C stays in the register cache
  bool operator==(const ControlWord&) const = default;
};

/// `operands` are in the order of the vendor's listing, the first `destinations` of them are written. Every
/// opcode has its slots always, also those that the listing leaves out (`Operand::shown`).
struct Instruction {
  std::uint32_t offset = 0; ///< bytes from the kernel's first instruction
  Opcode opcode = Opcode::nop;
  std::uint8_t form = 0; ///< bits 9 to 11: which operand is immediate, constant or uniform
  Operand guard;         ///< predicate (or uniform predicate); PT: always
  ControlWord control;
  std::uint8_t destinations = 0;
  std::vector<Modifier> modifiers; ///< in the order of the listing
  std::vector<Operand> operands;
  std::array<std::uint64_t, 2> bits = {}; ///< as encoded, low word first

  bool has(Modifier modifier) const;
  std::span<const Operand> written() const { return std::span(operands).first(destinations); }
  std::span<const Operand> sources() const { return std::span(operands).subspan(destinations); }
};

/// One parameter of a kernel in constant bank 0 (EIATTR_KPARAM_INFO).
struct Parameter {
  std::uint16_t ordinal = 0;
  std::uint16_t offset = 0; ///< bytes from `Kernel::parameter_base`
  std::uint16_t bytes = 0;
};

struct LineEntry {
  std::uint32_t offset = 0; ///< from this instruction on
  facts::SourceLocation location = {};
};

/// A named place in a kernel's code (a subroutine such as the slow path of a division).
struct CodeSymbol {
  std::string name;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// A place that the loader fills with a symbol's address.
struct Relocation {
  std::string section; ///< which is changed, e.g. ".text.k", ".nv.constant4"
  std::uint32_t offset = 0;
  std::uint32_t type = 0; ///< R_CUDA_*
  std::string symbol;
  std::int64_t addend = 0;
};

/// A variable of the module: `__device__` (global memory) or `__constant__` (bank 3).
struct Variable {
  std::string name;
  std::string section; ///< ".nv.global", ".nv.global.init", ".nv.constant3", ".nv.shared.k"
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

using ConstantBanks = std::map<unsigned, std::vector<std::byte>>; ///< by bank number

struct Kernel {
  std::string name;
  std::optional<Error>
      refused; ///< an instruction of it is not known: `instructions` is empty, the rest is there
  std::vector<Instruction> instructions; ///< without the padding behind the last one that is no NOP
  std::vector<CodeSymbol> symbols;
  unsigned registers = 0;           ///< of a thread, as allocated by the assembler
  unsigned barriers = 0;            ///< named barriers of a group
  std::uint32_t shared_bytes = 0;   ///< static (size of .nv.shared.NAME)
  std::uint32_t local_bytes = 0;    ///< stack and spills of a thread
  std::uint32_t parameter_base = 0; ///< in bank 0; from the file
  std::uint32_t parameter_bytes = 0;
  std::vector<Parameter> parameters;                  ///< by ordinal
  std::array<std::uint32_t, 3> required_threads = {}; ///< REQNTID; zeros: none
  ConstantBanks banks;                                ///< of this kernel: 0 (image), 2 (jump tables)
  std::map<std::uint32_t, std::vector<std::uint32_t>>
      indirect_targets;         ///< BRX's offset: offsets it may reach
  std::vector<LineEntry> lines; ///< ascending offsets; empty: the file has no line table
};

struct Module {
  unsigned sm = 0; ///< e.g. 86
  std::vector<Kernel> kernels;
  ConstantBanks banks; ///< of the whole module: 3 (`__constant__`), 4
  std::vector<Variable> variables;
  std::vector<std::byte> global_data; ///< initial contents of .nv.global.init
  std::vector<Relocation> relocations;
  facts::SourceFiles files;
  std::vector<std::string> tools; ///< what the file says of its making (.note.nv.tkinfo)
};

/// The index of the instruction at a byte offset; none: no instruction starts there.
std::optional<std::size_t> index_of(const Kernel& kernel, std::uint32_t offset);

/// The location of the instruction at `offset`; line 0: the file does not say.
facts::SourceLocation location_of(const Kernel& kernel, std::uint32_t offset);

/// One instruction from its 128 bits (low word first). Refused by name: an opcode, form or modifier value
/// that is not known; the error says offset and bits.
Result<Instruction> decode(const std::array<std::uint64_t, 2>& bits, std::uint32_t offset, unsigned sm);

/// A cubin (ELF with machine code of one target). `name` stands in errors. Refused: cut off, no cubin, older
/// than sm_75. A kernel with an unknown instruction is there, with `Kernel::refused`.
Result<Module> read_cubin(std::span<const std::byte> bytes, const std::string& name);

/// The instruction as the vendor's listing words it, without address, braces and semicolon.
std::string text_of(const Instruction& instruction);

} // namespace forewarp::sass
