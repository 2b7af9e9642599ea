// What the accesses of one site ask of L2 and of what lies behind it.
#pragma once

namespace forewarp::memory {

/// 32-byte sectors by site, of the whole grid's share that the run stands for.
struct SiteSectors {
  double asked = 0;       ///< sectors that reached L2
  double read = 0;        ///< sectors fetched from DRAM
  double waiting = 0;     ///< sectors asked for of lines of which some sector was fetched from DRAM then
  double crossed = 0;     ///< sectors that came through another part of L2 (memory/l2/l2_parts.h)
  double from_l3 = 0;     ///< sectors that missed L2 and were found in the memory-side cache
  double written = 0;     ///< sectors written back before the kernel ends
  double rows_opened = 0; ///< of DRAM
  double extra = 0; ///< sectors that DRAM could have moved beside: rows (memory/dram/dram_rows.h), and dirty
                    ///< sectors that the launch before left in L2
};

} // namespace forewarp::memory
