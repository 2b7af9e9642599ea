// Images: which texels a read or a write goes to (CUDA C++ Programming Guide, "Texture Fetching"; OpenCL
// C 3.0, 6.15.15 and its specification's "Image Addressing and Filtering", which agree). What texels hold is
// unknown.
#include "simt/exec/accesses/memory_access.h"

#include "launch/image.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace forewarp::simt {
namespace {

using SamplerEdge = facts::Sampler::Edge;

constexpr std::int64_t outside = -1;

/// Where an axis of `size` texels keeps number `at`; `outside`: nowhere.
std::int64_t kept_inside(std::int64_t at, std::int64_t size, const facts::Sampler& sampler, bool is_write) {
  if (at >= 0 && at < size)
    return at;
  if (is_write || sampler.edge == SamplerEdge::border)
    return outside;
  if (sampler.normalised && sampler.edge == SamplerEdge::wrap)
    return (at % size + size) % size;
  if (sampler.normalised && sampler.edge == SamplerEdge::mirror) {
    const std::int64_t turn = (at % (2 * size) + 2 * size) % (2 * size);
    return turn < size ? turn : 2 * size - 1 - turn;
  }
  return std::clamp<std::int64_t>(at, 0, size - 1);
}

/// A coordinate as the number of the texel that it lies in, or of the lower of the two that it lies between.
std::int64_t texel_number(std::uint64_t bits, const MemoryOp& op, double size, const facts::Sampler& sampler,
                          bool is_layer) {
  if (!op.real_coordinates)
    return static_cast<std::int32_t>(bits);
  double place = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (is_layer)
    place = std::nearbyint(place);
  else
    place = place * (sampler.normalised ? size : 1) - (sampler.linear ? 0.5 : 0);
  constexpr double most = 1e9;
  return std::isfinite(place) ? static_cast<std::int64_t>(std::floor(std::clamp(place, -most, most))) : 0;
}

} // namespace

std::optional<facts::Sampler> MemoryAccess::sampler_of(const MemoryOp& op,
                                                       const facts::ImageValue& image) const {
  if (op.sampler)
    return op.sampler;
  if (op.sampler_slot == no_slot)
    return image.sampler;
  if ((state_.known(op.sampler_slot) & state_.active) != state_.active)
    return std::nullopt;
  const auto lane = static_cast<unsigned>(std::countr_zero(state_.active));
  return launch::sampler_of_bits(state_.lane_bits(op.sampler_slot, LaneType::quad, lane));
}

bool MemoryAccess::find_texels(const Instruction& instruction, Texels& texels) {
  const MemoryOp& op = state_.program.memory_ops[instruction.detail];
  if (op.coordinates.empty() || instruction.slots.a == no_slot || !addresses_known(instruction))
    return false;
  for (const std::int32_t slot : op.coordinates)
    if ((state_.known(slot) & state_.active) != state_.active)
      return false;
  for (std::uint64_t rest = state_.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Region* region = state_.memory.find(state_.lane_bits(instruction.slots.a, LaneType::quad, lane));
    if (!region || !region->image)
      return false;
    const auto sampler = sampler_of(op, *region->image);
    if (!sampler)
      texels.sampler_unknown = true;
    texels.width_bytes = region->image->texel_bytes;
    if (find_texels_of_lane(op, *region, sampler.value_or(facts::Sampler{}), lane, texels))
      texels.active |= std::uint64_t{1} << lane;
  }
  for (unsigned place = 1; place < texels.places; ++place) // lanes whose own image mixes fewer
    for (std::uint64_t rest = texels.active; rest != 0; rest &= rest - 1)
      if (std::uint64_t& address = texels.address[place][static_cast<unsigned>(std::countr_zero(rest))];
          address == 0)
        address = texels.address[0][static_cast<unsigned>(std::countr_zero(rest))];
  return true;
}

/// Corners that lie outside stand on one that does not: they read nothing more. False: all are outside.
bool MemoryAccess::find_texels_of_lane(const MemoryOp& op, const Region& region,
                                       const facts::Sampler& sampler, unsigned lane, Texels& texels) {
  const facts::ImageValue& image = *region.image;
  const std::int64_t sizes[] = {image.width, image.height, image.depth};
  const bool is_write = op.kind == facts::AccessKind::store;
  const bool mixes = sampler.linear && op.real_coordinates && !is_write;
  std::int64_t low[] = {0, 0, 0};
  std::array<unsigned, 3> mixed_axes = {};
  unsigned mixed = 0;
  for (std::size_t k = 0; k < op.coordinates.size(); ++k) {
    const bool is_layer = op.last_is_layer && k + 1 == op.coordinates.size();
    const std::size_t axis = is_layer ? 2 : k;
    low[axis] = texel_number(state_.lane_bits(op.coordinates[k], LaneType::word, lane), op,
                             static_cast<double>(sizes[axis]), sampler, is_layer);
    if (op.bytes_along_x && axis == 0)
      low[0] /= image.texel_bytes;
    if (is_layer)
      low[2] = std::clamp<std::int64_t>(low[2], 0, sizes[2] - 1);
    else if (mixes)
      mixed_axes[mixed++] = static_cast<unsigned>(axis);
  }
  texels.places = std::max(texels.places, 1U << mixed);
  std::uint64_t inside_address = 0;
  std::uint32_t missing = 0;
  for (unsigned place = 0; place < texels.places; ++place) {
    std::int64_t at[] = {low[0], low[1], low[2]};
    for (unsigned k = 0; k < mixed; ++k)
      at[mixed_axes[k]] += place >> k & 1U;
    bool inside = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      at[axis] = kept_inside(at[axis], sizes[axis], sampler, is_write);
      inside &= at[axis] != outside;
    }
    if (!inside) {
      missing |= 1U << place;
      continue;
    }
    texels.address[place][lane] = inside_address =
        region.info.base + launch::texel_offset(image, static_cast<std::uint64_t>(at[0]),
                                                static_cast<std::uint64_t>(at[1]),
                                                static_cast<std::uint64_t>(at[2]));
  }
  for (unsigned place = 0; place < texels.places; ++place)
    if ((missing >> place & 1U) != 0)
      texels.address[place][lane] = inside_address;
  return inside_address != 0;
}

void MemoryAccess::texture(const Instruction& instruction) {
  const MemoryOp& op = state_.program.memory_ops[instruction.detail];
  Texels texels;
  if (find_texels(instruction, texels)) {
    if (texels.active == 0)
      record_.no_access(op);
    else if (texels.places == 1)
      record_.access(op, texels.active, classify(texels.address[0].data(), texels.active, state_.lanes()),
                     texels.address[0].data(), texels.width_bytes);
    else
      record_.mixed_access(op, texels);
    if (op.kind == facts::AccessKind::load)
      state_.note_once(facts::Note::Severity::assumption, instruction.origin,
                       "what the texels hold is unknown", "");
    if (texels.sampler_unknown)
      state_.note_once(
          facts::Note::Severity::assumption, instruction.origin,
          "the sampler is unknown: coordinates were taken to count texels, of which the nearest is "
          "read",
          "--arg NAME=sampler:linear:normalised:wrap");
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
