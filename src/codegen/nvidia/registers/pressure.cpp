#include "codegen/nvidia/registers/pressure.h"

#include <algorithm>

namespace forewarp::codegen {

using facts::no_value;

namespace {

void walk_back(const facts::MachineBlock& block, llvm::BitVector& live) {
  for (auto op = block.ops.rbegin(); op != block.ops.rend(); ++op) {
    if (op->destination != no_value)
      live.reset(op->destination);
    for (unsigned s = 0; s < op->source_count; ++s)
      live.set(op->sources[s]);
  }
}

} // namespace

Liveness liveness(const facts::MachineProgram& program, const Flow& flow) {
  const std::size_t count = program.blocks.size();
  Liveness live;
  live.in.assign(count, llvm::BitVector(program.value_count));
  live.out.assign(count, llvm::BitVector(program.value_count));
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t b = count; b-- > 0;) {
      llvm::BitVector out(program.value_count);
      for (std::uint32_t next : flow.successors[b]) {
        llvm::BitVector entering = live.in[next];
        for (const facts::PhiAlias& phi : program.blocks[next].phis)
          entering.reset(phi.destination);
        out |= entering;
        for (const facts::PhiAlias& phi : program.blocks[next].phis)
          if (phi.previous_block == b && phi.source != no_value)
            out.set(phi.source);
      }
      llvm::BitVector in = out;
      walk_back(program.blocks[b], in);
      if (in != live.in[b] || out != live.out[b]) {
        live.in[b] = std::move(in);
        live.out[b] = std::move(out);
        changed = true;
      }
    }
  }
  return live;
}

unsigned peak_pressure(const facts::MachineProgram& program, const Liveness& live, std::uint32_t block,
                       const std::vector<std::uint8_t>& sizes) {
  llvm::BitVector now = live.out[block];
  int current = 0;
  for (unsigned value : now.set_bits())
    current += sizes[value];
  int peak = current;
  const auto& ops = program.blocks[block].ops;
  for (auto op = ops.rbegin(); op != ops.rend(); ++op) {
    if (op->destination != no_value) {
      if (now.test(op->destination)) {
        now.reset(op->destination);
        current -= sizes[op->destination];
      } else {
        peak = std::max(peak, current + sizes[op->destination]);
      }
    }
    for (unsigned s = 0; s < op->source_count; ++s)
      if (!now.test(op->sources[s])) {
        now.set(op->sources[s]);
        current += sizes[op->sources[s]];
      }
    peak = std::max(peak, current);
  }
  return static_cast<unsigned>(peak);
}

unsigned peak_pressure(const facts::MachineProgram& program, const Liveness& live,
                       const std::vector<std::uint8_t>& sizes, std::uint32_t* block) {
  unsigned peak = 0;
  for (std::uint32_t b = 0; b < program.blocks.size(); ++b) {
    const unsigned here = peak_pressure(program, live, b, sizes);
    if (here > peak) {
      peak = here;
      if (block)
        *block = b;
    }
  }
  return peak;
}

} // namespace forewarp::codegen
