#include "simt/exec/accesses/memory_access.h"

#include "simt/exec/faults.h"
#include "simt/exec/gather.h"
#include "simt/outside.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace forewarp::simt {
namespace {

template <class T> void spread(std::uint8_t* slot, unsigned lanes) {
  T* d = reinterpret_cast<T*>(slot);
  for (unsigned l = 1; l < lanes; ++l)
    d[l] = d[0];
}

/// Addresses of a warp that lie inside so many bytes are read as one span.
constexpr std::uint64_t dense_bytes = 1024;

} // namespace

bool MemoryAccess::load(const Instruction& instruction) {
  const MemoryOp& op = state_.program.memory_ops[instruction.detail];
  if (!addresses_known(instruction)) {
    record_.unknown_access(op, state_.active);
    for (const MemoryComponent& c : op.components)
      state_.known(c.slot) = 0;
    return true;
  }
  const std::uint64_t* addresses = addresses_of(instruction);
  if (const std::uint64_t outside = lanes_outside(state_, op, addresses, instruction.origin); outside != 0)
    return without_lanes(state_, record_, op, outside, [&] { return load(instruction); }) &&
           give_outside(state_, op, outside);
  const AddressPattern pattern = pattern_of(op, addresses);
  record_.access(op, state_.active, pattern, addresses);
  if (op.uniform_address)
    return load_uniform(instruction, op);
  if (state_.memory.is_untouched_zeros(pattern.low, pattern.high + op.width_bytes)) {
    for (const MemoryComponent& c : op.components) {
      std::memset(state_.data(c.slot), 0, state_.slot_bytes);
      state_.known(c.slot) = state_.active;
    }
    return true;
  }
  const std::uint64_t reach = pattern.high - pattern.low + op.width_bytes;
  const Span span = state_.memory.read(pattern.low, reach <= dense_bytes ? reach : op.width_bytes);
  const bool together = pattern.low >= span.begin && pattern.high + op.width_bytes <= span.end && span.data;
  if (together && std::ranges::all_of(op.components, is_gathered))
    return load_together(instruction, op, span, pattern);
  return load_by_lane(instruction, op, span);
}

bool MemoryAccess::read_across(std::uint64_t at, unsigned bytes, std::uint64_t& value, bool& is_known) {
  value = 0;
  is_known = true;
  for (unsigned b = 0; b < bytes; ++b) {
    const Span part = state_.memory.read(at + b);
    if (!part.data)
      return false;
    value |= static_cast<std::uint64_t>(part.data[at + b - part.begin]) << (8 * b);
    is_known = is_known && part.known[at + b - part.begin] != 0;
  }
  return true;
}

bool MemoryAccess::load_uniform(const Instruction& instruction, const MemoryOp& op) {
  const std::uint64_t address = addresses_of(instruction)[0];
  const Span span = state_.memory.read(address, op.width_bytes);
  for (const MemoryComponent& c : op.components) {
    const std::uint64_t at = address + c.offset_bytes;
    std::uint64_t value = 0;
    bool is_known = true;
    if (at >= span.begin && at + c.bytes <= span.end) {
      value = read_bytes(span.data + (at - span.begin), c.bytes);
      is_known = all_known(span.known + (at - span.begin), c.bytes);
    } else if (!read_across(at, c.bytes, value, is_known)) {
      return fault_access(state_, op, instruction.origin, address,
                          static_cast<unsigned>(std::countr_zero(state_.active)), op.width_bytes);
    }
    state_.set_lane_bits(c.slot, c.type, 0, value);
    if (c.type == LaneType::bit)
      *reinterpret_cast<std::uint64_t*>(state_.data(c.slot)) = (value & 1) != 0 ? ~std::uint64_t{0} : 0;
    else if (c.type == LaneType::word)
      spread<std::uint32_t>(state_.data(c.slot), state_.lanes());
    else
      spread<std::uint64_t>(state_.data(c.slot), state_.lanes());
    state_.known(c.slot) = is_known ? ~std::uint64_t{0} : 0;
  }
  return true;
}

bool MemoryAccess::load_together(const Instruction& instruction, const MemoryOp& op, const Span& span,
                                 const AddressPattern& pattern) {
  const Gather from{span, addresses_of(instruction), pattern, state_.active, state_.lanes()};
  for (const MemoryComponent& c : op.components)
    state_.known(c.slot) = gather(from, c, state_.data(c.slot));
  return true;
}

bool MemoryAccess::load_by_lane(const Instruction& instruction, const MemoryOp& op, Span span) {
  const std::uint64_t* addresses = addresses_of(instruction);
  for (const MemoryComponent& c : op.components)
    state_.known(c.slot) = 0;
  for (std::uint64_t rest = state_.active; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    for (const MemoryComponent& c : op.components) {
      const std::uint64_t at = addresses[l] + c.offset_bytes;
      if (at < span.begin || at + c.bytes > span.end)
        span = state_.memory.read(at, c.bytes);
      std::uint64_t value = 0;
      bool is_known = true;
      if (span.data && at + c.bytes <= span.end) {
        value = read_bytes(span.data + (at - span.begin), c.bytes);
        is_known = span.all_known || all_known(span.known + (at - span.begin), c.bytes);
      } else if (!span.data || !read_across(at, c.bytes, value, is_known)) {
        return fault_access(state_, op, instruction.origin, addresses[l], l, op.width_bytes);
      }
      state_.set_lane_bits(c.slot, c.type, l, value);
      state_.known(c.slot) |= static_cast<std::uint64_t>(is_known) << l;
    }
  }
  return true;
}

/// Of addresses that are known in all active lanes.
AddressPattern MemoryAccess::pattern_of(const MemoryOp& op, const std::uint64_t* addresses) const {
  if (!op.uniform_address)
    return classify(addresses, state_.active, state_.lanes());
  AddressPattern pattern;
  pattern.base = pattern.low = pattern.high = addresses[0];
  return pattern;
}

bool MemoryAccess::store(const Instruction& instruction) {
  const MemoryOp& op = state_.program.memory_ops[instruction.detail];
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(state_.data(instruction.slots.a));
  if ((state_.known(instruction.slots.a) & state_.active) != state_.active) {
    record_.unknown_access(op, state_.active);
    note_unknown_store(instruction);
    return true;
  }
  if (const std::uint64_t outside = lanes_outside(state_, op, addresses, instruction.origin); outside != 0)
    return without_lanes(state_, record_, op, outside, [&] { return store(instruction); });
  const AddressPattern pattern = pattern_of(op, addresses);
  record_.access(op, state_.active, pattern, addresses);
  Span span;
  for (std::uint64_t rest = state_.active; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    for (const MemoryComponent& c : op.components) {
      const std::uint64_t at = addresses[op.uniform_address ? 0 : l] + c.offset_bytes;
      std::uint64_t value = state_.lane_bits(c.slot, c.type, l);
      const bool is_known = (state_.known(c.slot) >> l & 1) != 0;
      if (at < span.begin || at + c.bytes > span.end)
        span = state_.memory.write(at);
      if (!span.data)
        return fault_access(state_, op, instruction.origin, addresses[op.uniform_address ? 0 : l], l,
                            op.width_bytes);
      if (at + c.bytes <= span.end) {
        write_bytes(span.data + (at - span.begin), value, c.bytes);
        write_bytes(span.known + (at - span.begin), is_known ? ~std::uint64_t{0} : 0, c.bytes);
      } else {
        for (unsigned b = 0; b < c.bytes; ++b) {
          const Span part = state_.memory.write(at + b);
          if (!part.data)
            return fault_access(state_, op, instruction.origin, addresses[l], l, op.width_bytes);
          part.data[at + b - part.begin] = static_cast<std::uint8_t>(value >> (8 * b));
          part.known[at + b - part.begin] = is_known ? 0xFF : 0;
        }
      }
    }
  }
  return true;
}

void MemoryAccess::note_unknown_store(const Instruction& instruction) {
  state_.note_unknown(instruction.origin,
                      "the address of a store is unknown: it writes nothing that later loads see",
                      "give the buffers that it rests on");
}

bool MemoryAccess::look(const Instruction& instruction) {
  const MemoryOp& op = state_.program.memory_ops[instruction.detail];
  const bool is_store = op.kind == facts::AccessKind::store;
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(state_.data(instruction.slots.a));
  if ((state_.known(instruction.slots.a) & state_.active) != state_.active) {
    record_.unknown_access(op, state_.active);
    if (is_store)
      note_unknown_store(instruction);
    return true;
  }
  const AddressPattern pattern = pattern_of(op, addresses);
  const Region* region = state_.memory.find(pattern.low);
  const bool in_one = region && pattern.high + op.width_bytes <= region->info.base + region->size_bytes;
  const bool may_overrun = region == state_.local_region && (state_.active & state_.warp->assumed) != 0;
  if (!in_one || may_overrun)
    return is_store ? store(instruction) : load(instruction); // several regions, or a fault
  record_.access(op, state_.active, pattern, addresses);
  return true;
}

bool MemoryAccess::move_bytes(const Instruction& instruction, bool is_copy) {
  const MemoryOp& op = state_.program.memory_ops[instruction.detail];
  const std::uint64_t needed = state_.known(instruction.slots.a) & state_.known(op.length_slot) &
                               (is_copy ? state_.known(instruction.slots.b) : ~std::uint64_t{0});
  if ((needed & state_.active) != state_.active) {
    record_.unknown_access(op, state_.active);
    return true;
  }
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(state_.data(instruction.slots.a));
  if (const std::uint64_t outside = lanes_outside(state_, op, addresses, instruction.origin); outside != 0)
    return without_lanes(state_, record_, op, outside, [&] { return move_bytes(instruction, is_copy); });
  record_.access(op, state_.active, classify(addresses, state_.active, state_.lanes()), addresses);
  std::vector<std::uint8_t> bytes, flags;
  for (std::uint64_t rest = state_.active; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t length = state_.lane_bits(op.length_slot, op.length_type, l);
    if (!state_.charge(1 + length / 16, instruction.origin))
      return false;
    bytes.assign(length, 0);
    flags.assign(length, 0xFF);
    if (is_copy) {
      const std::uint64_t source = state_.lane_bits(instruction.slots.b, LaneType::quad, l);
      for (std::uint64_t b = 0; b < length; ++b) {
        const Span span = state_.memory.read(source + b);
        if (!span.data)
          return fault_access(state_, op, instruction.origin, source + b, l, 1);
        bytes[b] = span.data[source + b - span.begin];
        flags[b] = span.known[source + b - span.begin];
      }
    } else {
      std::fill(bytes.begin(), bytes.end(),
                static_cast<std::uint8_t>(state_.lane_bits(instruction.slots.b, LaneType::word, l)));
      if ((state_.known(instruction.slots.b) >> l & 1) == 0)
        std::fill(flags.begin(), flags.end(), std::uint8_t{0});
    }
    for (std::uint64_t b = 0; b < length; ++b) {
      const Span span = state_.memory.write(addresses[l] + b);
      if (!span.data)
        return fault_access(state_, op, instruction.origin, addresses[l] + b, l, 1);
      span.data[addresses[l] + b - span.begin] = bytes[b];
      span.known[addresses[l] + b - span.begin] = flags[b];
    }
  }
  return true;
}

} // namespace forewarp::simt
