// Loads, stores, memcpy, memset, textures.
//
// An address that is not known: a load gives unknown values, a store writes nothing (and a note says so), the
// event has the pattern `unknown`. Bytes that were never written, or written with unknown values, load as
// unknown.
#pragma once

#include "simt/exec/group_state.h"
#include "simt/exec/warp_record.h"

#include <optional>

namespace forewarp::simt {

/// Of the running warp; false: the state has an error.
class MemoryAccess {
public:
  MemoryAccess(GroupState& state, WarpRecord& record) : state_(state), record_(record) {}

  bool load(const Instruction& instruction);
  bool store(const Instruction& instruction);
  /// An access whose value nobody asks for.
  bool look(const Instruction& instruction);
  bool move_bytes(const Instruction& instruction, bool is_copy);
  void texture(const Instruction& instruction);
  /// A query of an image; unknown where the launch says nothing of it.
  void image_size(const Instruction& instruction);

private:
  /// False: the image or a coordinate is unknown.
  bool find_texels(const Instruction& instruction, Texels& texels);
  bool find_texels_of_lane(const MemoryOp& op, const Region& region, const facts::Sampler& sampler,
                           unsigned lane, Texels& texels);
  /// None: it is not known.
  std::optional<facts::Sampler> sampler_of(const MemoryOp& op, const facts::ImageValue& image) const;
  /// All lanes at one address.
  bool load_uniform(const Instruction& instruction, const MemoryOp& op);
  /// All lanes inside `span`.
  bool load_together(const Instruction& instruction, const MemoryOp& op, const Span& span,
                     const AddressPattern& pattern);
  /// Lane by lane, beginning with what `span` holds.
  bool load_by_lane(const Instruction& instruction, const MemoryOp& op, Span span);
  /// Bytes that may cross the end of a page; false: some of them lie in no region.
  bool read_across(std::uint64_t at, unsigned bytes, std::uint64_t& value, bool& is_known);
  const std::uint64_t* addresses_of(const Instruction& instruction) const {
    return reinterpret_cast<const std::uint64_t*>(state_.data(instruction.slots.a));
  }
  bool addresses_known(const Instruction& instruction) const {
    return (state_.known(instruction.slots.a) & state_.active) == state_.active;
  }
  AddressPattern pattern_of(const MemoryOp& op, const std::uint64_t* addresses) const;
  void note_unknown_store(const Instruction& instruction);

  GroupState& state_;
  WarpRecord& record_;
};

} // namespace forewarp::simt
