// What an instruction of real machine code does to its warp's counters and to the ports of the register file.
#pragma once

#include "pipeline/core/scoreboard.h"

#include <algorithm>
#include <array>

namespace forewarp::pipeline {

using BankCycles = std::array<double, 2>;

/// The instruction issues at `now`. Gives when its result is there, which its queue may put off.
inline double count(Scoreboard& counters, BankCycles& bank_free_cycle, const Instruction& head, double now,
                    double result, Scoreboard::Maker maker) {
  if (head.queue > 0)
    result = counters.in_order(head.queue, result);
  if (head.destination != no_register)
    counters.count(head.destination, result, maker);
  if (head.read_counter != no_read_counter)
    counters.count(head.read_counter, now + head.read_cycles, Scoreboard::Maker::arithmetic);
  for (std::size_t bank = 0; bank < head.bank_reads.size(); ++bank)
    bank_free_cycle[bank] = std::max(bank_free_cycle[bank], now) + head.bank_reads[bank];
  return result;
}

/// One instruction waits for its ports behind the issue stage; the next one before it.
inline double ports_open_cycle(const BankCycles& bank_free_cycle) {
  return std::max(bank_free_cycle[0], bank_free_cycle[1]) - 1;
}

} // namespace forewarp::pipeline
