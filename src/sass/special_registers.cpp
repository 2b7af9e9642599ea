#include "sass/special_registers.h"

#include <array>
#include <utility>

namespace forewarp::sass {

std::string special_register_name(std::uint16_t code) {
  static constexpr std::array<std::pair<std::uint16_t, const char*>, 42> names = {{
      {0, "SR_LANEID"},
      {1, "SR_CLOCK"},
      {2, "SR_VIRTCFG"},
      {3, "SR_VIRTID"},
      {15, "SR_ORDERING_TICKET"},
      {32, "SR_TID"},
      {33, "SR_TID.X"},
      {34, "SR_TID.Y"},
      {35, "SR_TID.Z"},
      {37, "SR_CTAID.X"},
      {38, "SR_CTAID.Y"},
      {39, "SR_CTAID.Z"},
      {40, "SR_NTID"},
      {42, "SR_NLATC"},
      {46, "SR_LWINHI"},
      {47, "SR_SWINHI"},
      {48, "SR_SWINLO"},
      {49, "SR_SWINSZ"},
      {50, "SR_SMEMSZ"},
      {51, "SR_SMEMBANKS"},
      {52, "SR_LWINLO"},
      {53, "SR_LWINSZ"},
      {54, "SR_LMEMLOSZ"},
      {55, "SR_LMEMHIOFF"},
      {56, "SR_EQMASK"},
      {57, "SR_LTMASK"},
      {58, "SR_LEMASK"},
      {59, "SR_GTMASK"},
      {60, "SR_GEMASK"},
      {61, "SR_REGALLOC"},
      {62, "SR_BARRIERALLOC"},
      {64, "SR_GLOBALERRORSTATUS"},
      {66, "SR_WARPERRORSTATUS"},
      {67, "SR_VIRTUALSMID"},
      {68, "SR_VIRTUALENGINEID"},
      {80, "SR_CLOCKLO"},
      {81, "SR_CLOCKHI"},
      {82, "SR_GLOBALTIMERLO"},
      {83, "SR_GLOBALTIMERHI"},
      {96, "SR_HWTASKID"},
      {136, "SR_CgaCtaId"},
      {255, "SRZ"},
  }};
  for (const auto& [number, name] : names)
    if (number == code)
      return name;
  return "SR" + std::to_string(code);
}

} // namespace forewarp::sass
