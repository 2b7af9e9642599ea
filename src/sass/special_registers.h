// Special registers that S2R, S2UR and CS2R read, by their code in the instruction.
#pragma once

#include <cstdint>
#include <string>

namespace forewarp::sass {

enum class SpecialRegister : std::uint16_t {
  lane = 0,
  clock = 1,
  virtual_id = 3,
  tid = 32, ///< x, y and z packed
  tid_x = 33,
  tid_y = 34,
  tid_z = 35,
  ctaid_x = 37,
  ctaid_y = 38,
  ctaid_z = 39,
  equal_mask = 56,
  less_mask = 57,
  less_equal_mask = 58,
  greater_mask = 59,
  greater_equal_mask = 60,
  clock_low = 80,
  clock_high = 81,
  global_timer_low = 82,
  global_timer_high = 83,
  cta_in_cluster = 136, ///< SR_CgaCtaId
  zero = 255,
};

/// As the listing writes it: "SR_TID.X"; "SR<code>" for one without a name.
std::string special_register_name(std::uint16_t code);

} // namespace forewarp::sass
