#include "port/advice/transposition.h"

#include "port/warps/lockstep.h"

#include <algorithm>

namespace forewarp::port {
namespace {

constexpr std::uint64_t side = 32, rows_at_a_time = 8;
constexpr std::uint32_t read_block = 0, barrier_block = 1, write_block = 2;
enum Site : std::uint32_t { read_array, fill_tile, read_tile, write_array };

using facts::MachineOp;
using facts::OpClass;

MachineOp operation(OpClass op, std::uint32_t source, std::uint32_t destination) {
  MachineOp out{.op = op, .destination = destination};
  if (source != facts::no_value) {
    out.source_count = 1;
    out.sources[0] = source;
  }
  return out;
}

MachineOp access(OpClass op, Site site, unsigned bytes, std::uint32_t source, std::uint32_t destination) {
  MachineOp out = operation(op, source, destination);
  out.site = site;
  out.width_bytes = static_cast<std::uint16_t>(bytes);
  return out;
}

facts::MachineProgram program_of(const gpu::Machine& machine, unsigned bytes) {
  facts::MachineProgram program;
  program.kernel = "transposition";
  program.target = machine.target;
  program.warp_width = machine.warp_width;
  program.resources.registers_per_thread = 16;
  enum Value : std::uint32_t { from, element, into, moved, count };
  constexpr std::uint32_t none = facts::no_value;
  program.value_count = count;
  facts::MachineBlock read, barrier, write;
  read.ops = {operation(OpClass::int_mul_wide, none, from),
              access(OpClass::load_global, read_array, bytes, from, element),
              access(OpClass::store_shared, fill_tile, bytes, element, none)};
  read.memory_sites = write.memory_sites = 2;
  barrier.ops = {operation(OpClass::barrier, none, none)};
  write.ops = {operation(OpClass::int_mul_wide, none, into),
               access(OpClass::load_shared, read_tile, bytes, none, moved),
               access(OpClass::store_global, write_array, bytes, moved, none)};
  program.blocks = {read, barrier, write};
  return program;
}

std::vector<facts::MemorySite> sites_of(unsigned bytes) {
  std::vector<facts::MemorySite> sites(4);
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    sites[s].block = s < 2 ? read_block : write_block;
    sites[s].index_in_block = s % 2;
    sites[s].kind = s % 2 == 0 ? facts::AccessKind::load : facts::AccessKind::store;
    sites[s].width_bytes = bytes;
  }
  sites[fill_tile].space = sites[read_tile].space = facts::MemorySpace::shared;
  return sites;
}

class Tracer {
public:
  Tracer(unsigned warp_width, std::uint64_t rows, std::uint64_t columns, unsigned bytes)
      : width_(warp_width), rows_(rows), columns_(columns), bytes_(bytes) {}

  facts::GroupTrace group(facts::Dim3 at) const {
    facts::GroupTrace out{.group = at};
    for (std::uint64_t first = 0; first < side * rows_at_a_time; first += width_)
      out.warps.push_back(warp(at, first));
    return out;
  }

private:
  facts::WarpTrace warp(const facts::Dim3& at, std::uint64_t first) const {
    facts::WarpTrace out;
    for (std::uint64_t row = 0; row < side; row += rows_at_a_time)
      step(out, at, first, row, read_block);
    out.steps.push_back(
        {barrier_block, out.steps.back().block, active(), static_cast<std::uint32_t>(out.events.size())});
    for (std::uint64_t row = 0; row < side; row += rows_at_a_time)
      step(out, at, first, row, write_block);
    return out;
  }
  std::uint64_t active() const { return width_ >= 64 ? ~0ULL : (1ULL << width_) - 1; }

  void step(facts::WarpTrace& out, const facts::Dim3& at, std::uint64_t first, std::uint64_t row,
            std::uint32_t block) const {
    std::array<std::uint64_t, 64> array{}, tile{};
    const std::uint64_t written_from = rows_ * columns_ * bytes_;
    for (unsigned lane = 0; lane < width_; ++lane) {
      const std::uint64_t x = (first + lane) % side, y = (first + lane) / side + row;
      const bool reads = block == read_block;
      const std::uint64_t line = (reads ? at.y : at.x) * side + y, place = (reads ? at.x : at.y) * side + x;
      array[lane] = (reads ? 0 : written_from) + (line * (reads ? columns_ : rows_) + place) * bytes_;
      tile[lane] = (reads ? y * (side + 1) + x : x * (side + 1) + y) * bytes_;
    }
    out.steps.push_back({block, out.steps.empty() ? UINT32_MAX : out.steps.back().block, active(),
                         static_cast<std::uint32_t>(out.events.size())});
    out.ir_instructions += 3;
    const auto in_tile = [&](Site site) {
      out.events.push_back(make_event(site, active(), tile, out.offsets));
      out.events.back().space = facts::MemorySpace::shared;
    };
    if (block == read_block) {
      out.events.push_back(make_event(read_array, active(), array, out.offsets));
      in_tile(fill_tile);
    } else {
      in_tile(read_tile);
      out.events.push_back(make_event(write_array, active(), array, out.offsets));
    }
  }

  unsigned width_;
  std::uint64_t rows_, columns_;
  unsigned bytes_;
};

} // namespace

Version transposition_kernel(const gpu::Machine& machine, std::uint64_t rows, std::uint64_t columns,
                             unsigned element_bytes) {
  Version version;
  facts::KernelTrace& trace = version.warps.trace;
  trace.warp_width = machine.warp_width;
  trace.shape.groups = {(columns + side - 1) / side, (rows + side - 1) / side, 1};
  trace.shape.group_size = {side, rows_at_a_time, 1};
  trace.shape.global_items = {trace.shape.groups.x * side, trace.shape.groups.y * rows_at_a_time, 1};
  const std::uint64_t bytes = rows * columns * element_bytes;
  trace.regions = {{"array", facts::MemorySpace::global, 0, bytes},
                   {"transposed", facts::MemorySpace::global, bytes, bytes}};
  const Tracer tracer(machine.warp_width, rows, columns, element_bytes);
  facts::BehaviourClass all;
  all.weight_groups = static_cast<double>(trace.shape.groups.count());
  for (std::uint32_t y = 0; y < std::min<std::uint64_t>(2, trace.shape.groups.y); ++y)
    for (std::uint32_t x = 0; x < std::min<std::uint64_t>(2, trace.shape.groups.x); ++x) {
      all.samples.push_back(static_cast<std::uint32_t>(trace.groups.size()));
      trace.groups.push_back(tracer.group({x, y, 0}));
    }
  trace.classes = {all};
  version.warps.sites = sites_of(element_bytes);
  version.warps.traced_threads = trace.groups.size() * side * rows_at_a_time;
  version.program = program_of(machine, element_bytes);
  version.program.sites = version.warps.sites;
  constexpr double steps = static_cast<double>(side) / rows_at_a_time;
  version.block_runs = {steps, 1, steps};
  version.operations = machine_counts(version.program);
  version.fills_tile = {true, false, false};
  version.shared_bytes = side * (side + 1) * element_bytes;
  version.barriers_per_thread = 1;
  return version;
}

} // namespace forewarp::port
