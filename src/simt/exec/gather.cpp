#include "simt/exec/gather.h"
#include "simt/lanes/lane_mask.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace forewarp::simt {
namespace {

bool range_known(const std::uint8_t* flags, std::size_t bytes) {
  std::uint64_t all = ~std::uint64_t{0};
  std::size_t at = 0;
  for (; at + 8 <= bytes; at += 8) {
    std::uint64_t part = 0;
    std::memcpy(&part, flags + at, 8);
    all &= part;
  }
  for (; at < bytes; ++at)
    all &= flags[at] == 0xFF ? ~std::uint64_t{0} : 0;
  return all == ~std::uint64_t{0};
}

template <class Source> Source read(const std::uint8_t* from) {
  Source value;
  std::memcpy(&value, from, sizeof(Source));
  return value;
}

/// Of one component, with `begin` moved so that lanes' addresses are the component's.
struct Row {
  const Span& span;
  const std::uint64_t* addresses;
  std::uint64_t begin;
  std::uint64_t offset(unsigned lane) const { return addresses[lane] - begin; }
};

/// `count` lanes from lane `first` on: contiguous, all the same, or one by one.
template <class Lane, class Source>
std::uint64_t gather_row(Lane* out, const Row& row, std::int64_t stride, unsigned first, unsigned count) {
  const Span& span = row.span;
  const std::uint64_t at = row.offset(first), mask = lane_mask(count) << first;
  if (stride == static_cast<std::int64_t>(sizeof(Source))) {
    if constexpr (sizeof(Lane) == sizeof(Source))
      std::memcpy(out + first, span.data + at, count * sizeof(Source));
    else
      for (unsigned l = 0; l < count; ++l)
        out[first + l] = read<Source>(span.data + at + l * sizeof(Source));
    if (span.all_known || range_known(span.known + at, count * sizeof(Source)))
      return mask;
  } else if (stride == 0) {
    std::fill_n(out + first, count, static_cast<Lane>(read<Source>(span.data + at)));
    return span.all_known || all_known(span.known + at, sizeof(Source)) ? mask : 0;
  } else {
    for (unsigned l = first; l < first + count; ++l)
      out[l] = read<Source>(span.data + row.offset(l));
    if (span.all_known)
      return mask;
  }
  std::uint64_t result = 0;
  for (unsigned l = first; l < first + count; ++l)
    result |= static_cast<std::uint64_t>(all_known(span.known + row.offset(l), sizeof(Source))) << l;
  return result;
}

template <class Lane, class Source>
std::uint64_t gather_all(Lane* out, const Row& row, const AddressPattern& pattern, unsigned lanes) {
  const bool rows = pattern.pattern == facts::MemoryEvent::Pattern::affine2;
  const unsigned row_lanes = rows ? pattern.row_lanes : lanes;
  // An irregular pattern takes the one-by-one way: no stride is -1.
  const std::int64_t stride =
      pattern.pattern == facts::MemoryEvent::Pattern::explicit_offsets ? -1 : pattern.stride;
  std::uint64_t result = 0;
  for (unsigned first = 0; first < lanes; first += row_lanes)
    result |= gather_row<Lane, Source>(out, row, stride, first, std::min(row_lanes, lanes - first));
  return result;
}

template <class Lane, class Source>
std::uint64_t gather_active(Lane* out, const Row& row, std::uint64_t active) {
  std::uint64_t result = 0;
  for (std::uint64_t rest = active; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t at = row.offset(l);
    out[l] = read<Source>(row.span.data + at);
    const bool known = row.span.all_known || all_known(row.span.known + at, sizeof(Source));
    result |= static_cast<std::uint64_t>(known) << l;
  }
  return result;
}

template <class Lane, class Source>
std::uint64_t gather_as(const Gather& from, const MemoryComponent& component, std::uint8_t* slot) {
  auto* out = reinterpret_cast<Lane*>(slot);
  const Row row{from.span, from.addresses, from.span.begin - component.offset_bytes};
  return from.active == lane_mask(from.lanes) ? gather_all<Lane, Source>(out, row, from.pattern, from.lanes)
                                              : gather_active<Lane, Source>(out, row, from.active);
}

} // namespace

std::uint64_t read_bytes(const std::uint8_t* from, unsigned bytes) {
  switch (bytes) {
  case 1:
    return *from;
  case 2:
    return read<std::uint16_t>(from);
  case 4:
    return read<std::uint32_t>(from);
  case 8:
    return read<std::uint64_t>(from);
  default: {
    std::uint64_t value = 0;
    std::memcpy(&value, from, bytes);
    return value;
  }
  }
}

void write_bytes(std::uint8_t* to, std::uint64_t value, unsigned bytes) {
  switch (bytes) {
  case 1:
    *to = static_cast<std::uint8_t>(value);
    return;
  case 2:
    std::memcpy(to, &value, 2);
    return;
  case 4:
    std::memcpy(to, &value, 4);
    return;
  case 8:
    std::memcpy(to, &value, 8);
    return;
  default:
    std::memcpy(to, &value, bytes);
  }
}

bool all_known(const std::uint8_t* flags, unsigned bytes) {
  return read_bytes(flags, bytes) == (bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1);
}

bool is_gathered(const MemoryComponent& component) {
  const unsigned bytes = component.bytes;
  return component.type == LaneType::word   ? bytes == 1 || bytes == 2 || bytes == 4
         : component.type == LaneType::quad ? bytes == 8
                                            : false;
}

std::uint64_t gather(const Gather& from, const MemoryComponent& component, std::uint8_t* slot) {
  switch (component.bytes) {
  case 1:
    return gather_as<std::uint32_t, std::uint8_t>(from, component, slot);
  case 2:
    return gather_as<std::uint32_t, std::uint16_t>(from, component, slot);
  case 4:
    return gather_as<std::uint32_t, std::uint32_t>(from, component, slot);
  default:
    return gather_as<std::uint64_t, std::uint64_t>(from, component, slot);
  }
}

} // namespace forewarp::simt
