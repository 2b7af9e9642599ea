#include "simt/exec/special_instructions.h"

#include "simt/exec/small_floats.h"

namespace forewarp::simt {

bool SpecialInstructions::execute(const Instruction& instruction) {
  switch (instruction.special) {
  case Special::load:
    return memory_.load(instruction);
  case Special::store:
    return memory_.store(instruction);
  case Special::look:
    return memory_.look(instruction);
  case Special::atomic:
    return atomics_.atomic(instruction);
  case Special::compare_exchange:
    return atomics_.compare_exchange(instruction);
  case Special::copy_memory:
    return memory_.move_bytes(instruction, true);
  case Special::fill_memory:
    return memory_.move_bytes(instruction, false);
  case Special::barrier:
  case Special::grid_barrier:
    return lanes_.barrier(instruction);
  case Special::meet:
    return meetings_.execute(instruction);
  case Special::engine_copy:
  case Special::engine_more:
    return engine_.execute(instruction);
  case Special::matrix:
    return matrices_.execute(instruction);
  case Special::convert:
    return convert_small_floats(state_, instruction), true;
  case Special::texture:
    return memory_.texture(instruction), true;
  case Special::image_size:
    return memory_.image_size(instruction), true;
  case Special::shuffle:
  case Special::bpermute:
    return lanes_.shuffle(instruction), true;
  case Special::vote:
    return lanes_.vote(instruction), true;
  case Special::ballot:
    return lanes_.ballot(instruction), true;
  case Special::match_any:
  case Special::match_all:
    return lanes_.match(instruction), true;
  case Special::reduce:
    return lanes_.reduce(instruction), true;
  case Special::read_lane:
    return lanes_.read_lane(instruction), true;
  case Special::clock:
    return lanes_.read_clock(instruction), true;
  case Special::watch_division:
    return divisions_.watch(instruction), true;
  case Special::unknown_value:
    return state_.known(instruction.slots.destination) = 0, true;
  case Special::none:
    break;
  }
  return true;
}

} // namespace forewarp::simt
