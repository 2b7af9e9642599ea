#include "sass/cubin/attributes.h"

#include <algorithm>

namespace forewarp::sass {
namespace {

// Formats and attributes as `cuobjdump -elf` names them (EIFMT_*, EIATTR_*).
enum Format : std::uint8_t { first_format = 1, sized_format = 4 };
enum Attribute : std::uint8_t {
  param_cbank = 0x0a,
  reqntid = 0x10,
  frame_size = 0x11,
  min_stack_size = 0x12,
  kparam_info = 0x17,
  cbank_param_size = 0x19,
  regcount = 0x2f,
  indirect_branch_targets = 0x34,
  num_barriers = 0x4c,
};

struct Entry {
  std::uint8_t attribute = 0;
  std::uint16_t value = 0; ///< of the formats without a size
  Bytes bytes;             ///< of sized_format
};

Result<std::vector<Entry>> read_entries(Bytes bytes, const std::string& where) {
  std::vector<Entry> entries;
  Cursor cursor(bytes);
  while (cursor.left() >= 4) {
    const std::uint8_t format = cursor.u8();
    Entry entry;
    entry.attribute = cursor.u8();
    entry.value = cursor.u16();
    if (format < first_format || format > sized_format)
      return fail(ErrorCode::bad_input, "attribute of unknown format " + std::to_string(format), where,
                  "the file is damaged or newer than this program");
    if (format == sized_format) {
      const auto payload = part_of(bytes, cursor.at(), entry.value);
      if (!payload)
        return fail(ErrorCode::bad_input, "an attribute is longer than its section", where,
                    "the file is damaged");
      entry.bytes = *payload;
      cursor.skip(entry.value);
    }
    entries.push_back(entry);
  }
  return entries;
}

void read_parameter(Bytes bytes, Kernel& kernel) {
  Cursor cursor(bytes);
  cursor.skip(4); // index: always 0
  Parameter parameter;
  parameter.ordinal = cursor.u16();
  parameter.offset = cursor.u16();
  const std::uint32_t packed = cursor.u32();
  parameter.bytes = static_cast<std::uint16_t>(packed >> 18); // below: alignment and space
  if (cursor.good())
    kernel.parameters.push_back(parameter);
}

/// One BRX: its offset, a word of flags, the number of targets, the targets.
void read_indirect(Bytes bytes, Kernel& kernel) {
  Cursor cursor(bytes);
  while (cursor.left() >= 12) {
    const std::uint32_t from = cursor.u32();
    cursor.skip(4);
    const std::uint32_t count = cursor.u32();
    std::vector<std::uint32_t>& targets = kernel.indirect_targets[from];
    for (std::uint32_t i = 0; i < count && cursor.left() >= 4; ++i)
      targets.push_back(cursor.u32());
  }
}

} // namespace

Result<ModuleAttributes> read_module_attributes(Bytes bytes, const std::string& where) {
  auto entries = read_entries(bytes, where);
  FOREWARP_TRY(entries);
  ModuleAttributes attributes;
  for (const Entry& entry : *entries) {
    Cursor cursor(entry.bytes);
    const std::uint32_t symbol = cursor.u32();
    const std::uint32_t value = cursor.u32();
    if (!cursor.good())
      continue;
    if (entry.attribute == regcount)
      attributes.registers[symbol] = value;
    else if (entry.attribute == min_stack_size || entry.attribute == frame_size)
      attributes.stack_bytes[symbol] = std::max(attributes.stack_bytes[symbol], value);
  }
  return attributes;
}

Result<void> read_kernel_attributes(Bytes bytes, const std::string& where, Kernel& kernel) {
  auto entries = read_entries(bytes, where);
  FOREWARP_TRY(entries);
  for (const Entry& entry : *entries) {
    Cursor cursor(entry.bytes);
    switch (entry.attribute) {
    case param_cbank: {
      cursor.skip(4);
      const std::uint32_t packed = cursor.u32();
      kernel.parameter_base = packed & 0xffff;
      kernel.parameter_bytes = packed >> 16;
      break;
    }
    case cbank_param_size:
      kernel.parameter_bytes = entry.value;
      break;
    case kparam_info:
      read_parameter(entry.bytes, kernel);
      break;
    case reqntid:
      for (std::uint32_t& threads : kernel.required_threads)
        threads = cursor.u32();
      break;
    case indirect_branch_targets:
      read_indirect(entry.bytes, kernel);
      break;
    case num_barriers:
      kernel.barriers = entry.value & 0xff;
      break;
    default:
      break;
    }
  }
  std::sort(kernel.parameters.begin(), kernel.parameters.end(),
            [](const Parameter& a, const Parameter& b) { return a.ordinal < b.ordinal; });
  return {};
}

} // namespace forewarp::sass
