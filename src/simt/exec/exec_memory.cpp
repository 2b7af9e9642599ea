// Loads, stores, memcpy, memset, textures.
//
// An address that is not known: a load gives unknown values, a store writes nothing (and a note says so), the
// event has the pattern `unknown`. Bytes that were never written, or written with unknown values, load as
// unknown.
#include "simt/exec/gather.h"
#include "simt/exec/group.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
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

facts::MemorySpace GroupRunner::space_at(std::uint64_t address, const MemoryOp& op) {
  const Region* region = memory_.find(address);
  if (region && program_.sites[op.site].space != facts::MemorySpace::texture)
    return region->info.space == facts::MemorySpace::parameter ? program_.sites[op.site].space
                                                               : region->info.space;
  return program_.sites[op.site].space;
}

std::uint64_t GroupRunner::private_event_address(std::uint64_t address, unsigned lane) const {
  return address - lane * (local_region_->size_bytes / lanes());
}

void GroupRunner::record_access(const MemoryOp& op, std::uint64_t active, const AddressPattern& pattern,
                                const std::uint64_t* addresses) {
  if (op.site == no_site || !warp_->recording)
    return;
  facts::WarpTrace& trace = warp_->trace;
  LastOffsets* const last = options_.whole_grid ? nullptr : &warp_->last_offsets;
  const facts::MemorySpace space = space_at(pattern.low, op);
  std::size_t offset_bytes = 0;
  if (space == facts::MemorySpace::local) {
    // The place inside the lane's own frame: how frames are laid out over the lanes is the memory room's
    // part.
    std::uint64_t in_frame[64];
    for (unsigned l = 0; l < lanes(); ++l)
      in_frame[l] = (active >> l & 1) != 0 ? private_event_address(addresses[l], l) : local_window;
    offset_bytes =
        record(trace, op.site, space, active, classify(in_frame, active, lanes()), in_frame, lanes(), last);
  } else {
    offset_bytes = record(trace, op.site, space, active, pattern, addresses, lanes(), last);
  }
  budget_.trace_bytes += sizeof(facts::MemoryEvent) + offset_bytes;
}

void GroupRunner::record_unknown(const MemoryOp& op, std::uint64_t active) {
  if (op.site == no_site || !warp_->recording)
    return;
  facts::MemoryEvent event;
  event.site = op.site;
  event.space = program_.sites[op.site].space;
  event.pattern = facts::MemoryEvent::Pattern::unknown;
  event.active = active;
  warp_->trace.events.push_back(event);
  budget_.trace_bytes += sizeof event;
}

void GroupRunner::set_unknown(const MemoryOp& op, std::uint64_t active) const {
  for (const MemoryComponent& c : op.components)
    known(c.slot) &= ~active;
}

bool GroupRunner::load(const Instruction& instruction) {
  const MemoryOp& op = program_.memory_ops[instruction.detail];
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(data(instruction.slots.a));
  if ((known(instruction.slots.a) & active_) != active_) {
    record_unknown(op, active_);
    for (const MemoryComponent& c : op.components)
      known(c.slot) = 0;
    return true;
  }
  if (op.uniform_address) {
    AddressPattern pattern;
    pattern.base = pattern.low = pattern.high = addresses[0];
    const Span span = memory_.read(addresses[0], op.width_bytes);
    record_access(op, active_, pattern, addresses);
    std::uint8_t wide[512];
    std::uint8_t flags[512];
    for (const MemoryComponent& c : op.components) {
      const std::uint64_t at = addresses[0] + c.offset_bytes;
      const std::uint8_t* from = nullptr;
      const std::uint8_t* from_known = nullptr;
      if (at >= span.begin && at + c.bytes <= span.end) {
        from = span.data + (at - span.begin);
        from_known = span.known + (at - span.begin);
      } else { // behind the end of a page
        for (unsigned b = 0; b < c.bytes; ++b) {
          const Span part = memory_.read(at + b);
          if (!part.data)
            return fault_access(op, instruction.origin, addresses[0],
                                static_cast<unsigned>(std::countr_zero(active_)), op.width_bytes);
          wide[b] = part.data[at + b - part.begin];
          flags[b] = part.known[at + b - part.begin];
        }
        from = wide;
        from_known = flags;
      }
      const std::uint64_t value = read_bytes(from, c.bytes);
      set_lane_bits(c.slot, c.type, 0, value);
      if (c.type == LaneType::bit)
        *reinterpret_cast<std::uint64_t*>(data(c.slot)) = (value & 1) != 0 ? ~std::uint64_t{0} : 0;
      else if (c.type == LaneType::word)
        spread<std::uint32_t>(data(c.slot), lanes());
      else
        spread<std::uint64_t>(data(c.slot), lanes());
      known(c.slot) = all_known(from_known, c.bytes) ? ~std::uint64_t{0} : 0;
    }
    return true;
  }
  const AddressPattern pattern = classify(addresses, active_, lanes());
  record_access(op, active_, pattern, addresses);
  if (memory_.is_untouched_zeros(pattern.low, pattern.high + op.width_bytes)) {
    for (const MemoryComponent& c : op.components) {
      std::memset(data(c.slot), 0, slot_bytes_);
      known(c.slot) = active_;
    }
    return true;
  }
  const std::uint64_t reach = pattern.high - pattern.low + op.width_bytes;
  Span span = memory_.read(pattern.low, reach <= dense_bytes ? reach : op.width_bytes);
  const bool one_span = pattern.low >= span.begin && pattern.high + op.width_bytes <= span.end && span.data;
  if (one_span && std::ranges::all_of(op.components, is_gathered)) {
    const Gather from{span, addresses, pattern, active_, lanes()};
    for (const MemoryComponent& c : op.components)
      known(c.slot) = gather(from, c, data(c.slot));
    return true;
  }
  for (const MemoryComponent& c : op.components)
    known(c.slot) = 0;
  for (std::uint64_t rest = active_; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    for (const MemoryComponent& c : op.components) {
      const std::uint64_t at = addresses[l] + c.offset_bytes;
      if (at < span.begin || at + c.bytes > span.end)
        span = memory_.read(at, c.bytes);
      if (!span.data)
        return fault_access(op, instruction.origin, addresses[l], l, op.width_bytes);
      std::uint64_t value = 0;
      bool is_known = true;
      if (at + c.bytes <= span.end) {
        value = read_bytes(span.data + (at - span.begin), c.bytes);
        is_known = span.all_known || all_known(span.known + (at - span.begin), c.bytes);
      } else {
        for (unsigned b = 0; b < c.bytes; ++b) {
          const Span part = memory_.read(at + b);
          if (!part.data)
            return fault_access(op, instruction.origin, addresses[l], l, op.width_bytes);
          value |= static_cast<std::uint64_t>(part.data[at + b - part.begin]) << (8 * b);
          is_known = is_known && part.known[at + b - part.begin] != 0;
        }
      }
      set_lane_bits(c.slot, c.type, l, value);
      known(c.slot) |= static_cast<std::uint64_t>(is_known) << l;
    }
  }
  return true;
}

/// Of addresses that are known in all active lanes.
AddressPattern GroupRunner::pattern_of(const MemoryOp& op, const std::uint64_t* addresses) const {
  if (!op.uniform_address)
    return classify(addresses, active_, lanes());
  AddressPattern pattern;
  pattern.base = pattern.low = pattern.high = addresses[0];
  return pattern;
}

bool GroupRunner::store(const Instruction& instruction) {
  const MemoryOp& op = program_.memory_ops[instruction.detail];
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(data(instruction.slots.a));
  if ((known(instruction.slots.a) & active_) != active_) {
    record_unknown(op, active_);
    note_unknown_store(instruction);
    return true;
  }
  const AddressPattern pattern = pattern_of(op, addresses);
  record_access(op, active_, pattern, addresses);
  Span span;
  for (std::uint64_t rest = active_; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    for (const MemoryComponent& c : op.components) {
      const std::uint64_t at = addresses[op.uniform_address ? 0 : l] + c.offset_bytes;
      std::uint64_t value = lane_bits(c.slot, c.type, l);
      const bool is_known = (known(c.slot) >> l & 1) != 0;
      if (at < span.begin || at + c.bytes > span.end)
        span = memory_.write(at);
      if (!span.data)
        return fault_access(op, instruction.origin, addresses[op.uniform_address ? 0 : l], l, op.width_bytes);
      if (at + c.bytes <= span.end) {
        write_bytes(span.data + (at - span.begin), value, c.bytes);
        write_bytes(span.known + (at - span.begin), is_known ? ~std::uint64_t{0} : 0, c.bytes);
      } else {
        for (unsigned b = 0; b < c.bytes; ++b) {
          const Span part = memory_.write(at + b);
          if (!part.data)
            return fault_access(op, instruction.origin, addresses[l], l, op.width_bytes);
          part.data[at + b - part.begin] = static_cast<std::uint8_t>(value >> (8 * b));
          part.known[at + b - part.begin] = is_known ? 0xFF : 0;
        }
      }
    }
  }
  return true;
}

void GroupRunner::note_unknown_store(const Instruction& instruction) {
  note_once(facts::Note::Severity::assumption, instruction.origin,
            "the address of a store is unknown: it writes nothing that later loads see",
            "give the buffers that it rests on");
}

/// An access whose value nobody asks for.
bool GroupRunner::look(const Instruction& instruction) {
  const MemoryOp& op = program_.memory_ops[instruction.detail];
  const bool is_store = op.kind == facts::AccessKind::store;
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(data(instruction.slots.a));
  if ((known(instruction.slots.a) & active_) != active_) {
    record_unknown(op, active_);
    if (is_store)
      note_unknown_store(instruction);
    return true;
  }
  const AddressPattern pattern = pattern_of(op, addresses);
  const Region* region = memory_.find(pattern.low);
  if (region == nullptr || pattern.high + op.width_bytes > region->info.base + region->size_bytes)
    return is_store ? store(instruction) : load(instruction); // several regions, or a fault
  record_access(op, active_, pattern, addresses);
  return true;
}

bool GroupRunner::move_bytes(const Instruction& instruction, bool is_copy) {
  const MemoryOp& op = program_.memory_ops[instruction.detail];
  const std::uint64_t needed = known(instruction.slots.a) & known(op.length_slot) &
                               (is_copy ? known(instruction.slots.b) : ~std::uint64_t{0});
  if ((needed & active_) != active_) {
    record_unknown(op, active_);
    return true;
  }
  const auto* addresses = reinterpret_cast<const std::uint64_t*>(data(instruction.slots.a));
  record_access(op, active_, classify(addresses, active_, lanes()), addresses);
  std::vector<std::uint8_t> bytes, flags;
  for (std::uint64_t rest = active_; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t length = lane_bits(op.length_slot, op.length_type, l);
    if (!charge(1 + length / 16, instruction.origin))
      return false;
    bytes.assign(length, 0);
    flags.assign(length, 0xFF);
    if (is_copy) {
      const std::uint64_t source = lane_bits(instruction.slots.b, LaneType::quad, l);
      for (std::uint64_t b = 0; b < length; ++b) {
        const Span span = memory_.read(source + b);
        if (!span.data)
          return fault_access(op, instruction.origin, source + b, l, 1);
        bytes[b] = span.data[source + b - span.begin];
        flags[b] = span.known[source + b - span.begin];
      }
    } else {
      std::fill(bytes.begin(), bytes.end(),
                static_cast<std::uint8_t>(lane_bits(instruction.slots.b, LaneType::word, l)));
      if ((known(instruction.slots.b) >> l & 1) == 0)
        std::fill(flags.begin(), flags.end(), std::uint8_t{0});
    }
    for (std::uint64_t b = 0; b < length; ++b) {
      const Span span = memory_.write(addresses[l] + b);
      if (!span.data)
        return fault_access(op, instruction.origin, addresses[l] + b, l, 1);
      span.data[addresses[l] + b - span.begin] = bytes[b];
      span.known[addresses[l] + b - span.begin] = flags[b];
    }
  }
  return true;
}

void GroupRunner::texture(const Instruction& instruction) {
  const MemoryOp& op = program_.memory_ops[instruction.detail];
  record_unknown(op, active_);
  set_unknown(op, ~std::uint64_t{0});
  note_once(facts::Note::Severity::assumption, instruction.origin,
            "the texels that are read and their addresses are unknown", "");
}

} // namespace forewarp::simt
