#include "sass/decode/reader.h"

#include <cstdio>

namespace forewarp::sass {
namespace {

constexpr unsigned opcode_count = 512; // bits 0 to 8

using Rows = std::array<std::vector<const Row*>, opcode_count>;

Rows make_rows() {
  Rows rows;
  for (const auto part :
       {float_rows(), half_rows(), integer_rows(), logic_rows(), conversion_rows(), memory_rows(),
        atomic_rows(), control_rows(), warp_rows(), tensor_rows(), asynchronous_rows()})
    for (const Row& row : part)
      rows[row.number].push_back(&row);
  return rows;
}

const Row* find_row_of(std::uint64_t number, unsigned sm) {
  static const Rows rows = make_rows();
  for (const Row* row : rows[number])
    if (sm >= row->from_sm && sm <= row->to_sm)
      return row;
  return nullptr;
}

ControlWord control_of(std::uint64_t high) {
  ControlWord word;
  word.stall = static_cast<std::uint8_t>(high >> 41 & 15);
  word.yield = (high >> 45 & 1) == 0;
  word.write_barrier = static_cast<std::uint8_t>(high >> 46 & 7);
  word.read_barrier = static_cast<std::uint8_t>(high >> 49 & 7);
  word.wait_mask = static_cast<std::uint8_t>(high >> 52 & 63);
  word.reuse = static_cast<std::uint8_t>(high >> 58 & 15);
  return word;
}

tl::unexpected<Error> refused_at(const std::string& what, const std::array<std::uint64_t, 2>& bits,
                                 std::uint32_t offset, unsigned sm) {
  char text[96];
  std::snprintf(text, sizeof text, " at 0x%x of sm_%u (bits 0x%016llx 0x%016llx)", offset, sm,
                static_cast<unsigned long long>(bits[0]), static_cast<unsigned long long>(bits[1]));
  return fail(ErrorCode::unsupported, what + text, "",
              "the decoder does not know it; please report the bits");
}

} // namespace

Result<Instruction> decode(const std::array<std::uint64_t, 2>& bits, std::uint32_t offset, unsigned sm) {
  const std::uint64_t number = bits[0] & (opcode_count - 1);
  const Row* row = find_row_of(number, sm);
  char code[16];
  std::snprintf(code, sizeof code, "0x%03llx", static_cast<unsigned long long>(number));
  if (!row)
    return refused_at(std::string("unknown opcode ") + code, bits, offset, sm);
  Instruction instruction;
  instruction.offset = offset;
  instruction.bits = bits;
  instruction.opcode = row->opcode;
  instruction.form = static_cast<std::uint8_t>(bits[0] >> 9 & 7);
  instruction.control = control_of(bits[1]);
  instruction.guard.kind = OperandKind::predicate;
  instruction.guard.number = static_cast<std::uint16_t>(bits[0] >> 12 & 7);
  instruction.guard.invert = (bits[0] >> 15 & 1) != 0;
  Reader reader(bits, sm, instruction);
  row->read(reader);
  if (reader.error())
    return refused_at(std::string(to_string(row->opcode)) + ": unknown " + *reader.error(), bits, offset, sm);
  return instruction;
}

} // namespace forewarp::sass
