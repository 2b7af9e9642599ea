// What the stages make of one access of one warp, for tests that work it by hand.
#pragma once

#include "predict/traced/streams/streams.h"

namespace forewarp::predict::hybrid::testing {

inline constexpr std::uint64_t all_lanes = 0xffffffff;

struct OneAccess {
  facts::OpClass op = facts::OpClass::load_global;
  facts::MemorySite site = {};
  facts::MemoryEvent event = {};
  facts::AccessOutcome outcome = {};
};

/// The access as the simulator takes it: pipe (`lambda_cycles`), latency, hold and server cycles.
inline pipeline::Instruction instruction_of(const OneAccess& access, const gpu::Machine& machine,
                                            const BandwidthShares& shares = {}) {
  facts::MachineProgram program;
  program.sites.push_back(access.site);
  program.blocks.push_back({.ops = {{.op = access.op, .site = 0}}, .memory_sites = 1});
  const StreamTemplates templates(program, machine, shares, {}, 32);
  pipeline::Instruction out;
  templates.apply(templates.block(0).front(), access.event, access.outcome, out);
  return out;
}

} // namespace forewarp::predict::hybrid::testing
