// Images: texels' places from coordinates. What a texel holds is not known.
#include "facts/image_layout.h"
#include "simt/exec/memory_access.h"
#include "simt/sampling/recorder.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace forewarp::simt {
namespace {

/// A coordinate as a texel's number along an axis of `size` texels; outside it is below 0 or not below size.
std::int64_t texel_number(std::uint64_t bits, const MemoryOp& op, std::uint64_t size, bool is_layer) {
  if (!op.real_coordinates)
    return static_cast<std::int32_t>(bits);
  const float value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  const double scaled = op.normalised && !is_layer ? static_cast<double>(value) * static_cast<double>(size)
                                                   : static_cast<double>(value);
  constexpr double most = 1e9;
  return std::isfinite(scaled) ? static_cast<std::int64_t>(std::floor(std::clamp(scaled, -most, most))) : 0;
}

/// At the border reads take the nearest texel; false: a write outside, which goes nowhere.
bool keep_inside(std::int64_t& number, std::uint64_t size, bool is_write) {
  const auto end = static_cast<std::int64_t>(size);
  if (is_write && (number < 0 || number >= end))
    return false;
  number = std::clamp<std::int64_t>(number, 0, end - 1);
  return true;
}

} // namespace

bool MemoryAccess::find_texels(const Instruction& instruction, std::uint64_t* addresses,
                               std::uint64_t& active, const facts::ImageValue*& image) {
  const MemoryOp& op = state_.program.memory_ops[instruction.detail];
  if (op.coordinates.empty() || instruction.slots.a == no_slot || !addresses_known(instruction))
    return false;
  for (const std::int32_t slot : op.coordinates)
    if ((state_.known(slot) & state_.active) != state_.active)
      return false;
  active = state_.active;
  const bool is_write = op.kind == facts::AccessKind::store;
  for (std::uint64_t rest = state_.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Region* region = state_.memory.find(state_.lane_bits(instruction.slots.a, LaneType::quad, lane));
    if (!region || !region->image)
      return false;
    image = region->image;
    const std::uint64_t sizes[] = {image->width, image->height, image->depth};
    std::int64_t at[] = {0, 0, 0};
    bool inside = true;
    for (std::size_t k = 0; k < op.coordinates.size(); ++k) {
      const bool is_layer = op.last_is_layer && k + 1 == op.coordinates.size();
      const std::size_t axis = is_layer ? 2 : k;
      at[axis] =
          texel_number(state_.lane_bits(op.coordinates[k], LaneType::word, lane), op, sizes[axis], is_layer);
      if (op.bytes_along_x && axis == 0)
        at[0] /= image->texel_bytes;
      inside &= keep_inside(at[axis], sizes[axis], is_write);
    }
    if (!inside)
      active &= ~(std::uint64_t{1} << lane);
    addresses[lane] = region->info.base + facts::texel_offset(*image, static_cast<std::uint64_t>(at[0]),
                                                              static_cast<std::uint64_t>(at[1]),
                                                              static_cast<std::uint64_t>(at[2]));
  }
  return true;
}

void MemoryAccess::texture(const Instruction& instruction) {
  const MemoryOp& op = state_.program.memory_ops[instruction.detail];
  std::uint64_t addresses[64] = {}, active = 0;
  const facts::ImageValue* image = nullptr;
  if (find_texels(instruction, addresses, active, image)) {
    if (active != 0)
      record_.access(op, active, classify(addresses, active, state_.lanes()), addresses, image->texel_bytes);
    else
      record_.no_access(op);
    if (op.kind == facts::AccessKind::load)
      state_.note_once(facts::Note::Severity::assumption, instruction.origin,
                       "what the texels hold is unknown", "");
  } else {
    record_.unknown_access(op, state_.active);
    state_.note_once(facts::Note::Severity::assumption, instruction.origin,
                     "the texels that are read and their addresses are unknown",
                     "--arg NAME=image:WIDTHxHEIGHT:FORMAT, for example image:4096x4096:rgba8");
  }
  state_.set_unknown(op, ~std::uint64_t{0});
}

void MemoryAccess::image_size(const Instruction& instruction) {
  const std::int32_t to = instruction.slots.destination;
  state_.known(to) = 0;
  if (!addresses_known(instruction) || state_.active == 0)
    return;
  const auto lane = static_cast<unsigned>(std::countr_zero(state_.active));
  const Region* region = state_.memory.find(state_.lane_bits(instruction.slots.a, LaneType::quad, lane));
  const auto what = static_cast<ImageSize>(instruction.detail);
  if (!region || !region->image || what == ImageSize::channel)
    return;
  const facts::ImageValue& image = *region->image;
  const std::uint32_t value = what == ImageSize::width    ? image.width
                              : what == ImageSize::height ? image.height
                                                          : image.depth;
  for (unsigned each = 0; each < state_.lanes(); ++each)
    state_.set_lane_bits(to, LaneType::word, each, value);
  state_.known(to) = ~std::uint64_t{0};
}

} // namespace forewarp::simt
