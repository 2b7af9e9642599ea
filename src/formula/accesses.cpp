#include "formula/accesses.h"

#include "formula/formula_source.h"
#include "symbolic/conditions/residues.h"

#include <cmath>

namespace forewarp::formula {
namespace {

using symbolic::Expression;

/// Axes of the work-item that are one number in each warp stand for the warp, not for its lanes.
std::map<std::string, Expression> fixed_in_a_warp(const symbolic::SymbolicLaunch& launch) {
  std::map<std::string, Expression> values;
  for (unsigned axis = 0; axis < 3; ++axis) {
    bool fixed = true;
    for (unsigned w = 0; w < launch.warps_per_group(); ++w) {
      const auto boxes = symbolic::lanes_of(launch.group_size, launch.warp_width, w);
      for (const symbolic::LaneBox& box : boxes)
        fixed = fixed && box.low[axis] == box.high[axis] && box.low[axis] == boxes.front().low[axis];
    }
    if (fixed && launch.group_size[axis] > 1)
      values[symbolic::item_name(axis)] = Expression::symbol("warp." + symbolic::item_name(axis).substr(5));
  }
  return values;
}

} // namespace

std::vector<Access> accesses(const Formula& formula) {
  const FormulaSource& source = *formula.made_of;
  const gpu::Machine& machine = *source.target.machine;
  const symbolic::KernelValues values(source.target.compiled->module, *source.target.compiled->kernel);
  const auto launch = symbolic::launch_values(source.open.launch);
  const auto fixed = fixed_in_a_warp(source.open.launch);
  const auto lanes = symbolic::lanes_of(source.open.launch.group_size, source.open.launch.warp_width, 0);
  const symbolic::BankRules banks{machine.memory.shared_banks, machine.memory.shared_bank_bytes,
                                  machine.memory.shared_lanes_per_pass};
  std::vector<Access> all;
  const std::vector<facts::MemorySite>& sites = source.target.program->sites;
  for (std::uint32_t s = 0; s < sites.size(); ++s) {
    const facts::MemorySite& site = sites[s];
    Access access{.block = site.block,
                  .line = site.location.line,
                  .store = site.kind == facts::AccessKind::store,
                  .shared = site.space == facts::MemorySpace::shared,
                  .width_bytes = site.width_bytes};
    if (!access.shared && site.space != facts::MemorySpace::global)
      continue;
    const symbolic::Address address = values.address(s);
    access.base = address.base;
    access.offset =
        symbolic::simplify(symbolic::substitute(symbolic::substitute(address.offset, launch), fixed),
                           symbolic::launch_ranges(source.open.launch));
    const symbolic::AccessPattern pattern =
        access.shared
            ? symbolic::bank_passes(access.offset, site.width_bytes, lanes, banks)
            : symbolic::segments(access.offset, site.width_bytes, lanes, machine.memory.l1.sector_bytes);
    access.per_request = pattern.mean;
    access.exact = pattern.exact && access.offset.known();
    access.requests = source.runs.blocks[site.block];
    all.push_back(std::move(access));
  }
  return all;
}

Expression sector_traffic(const Formula& formula, const std::vector<Access>& all) {
  Expression bytes;
  constexpr std::int64_t parts = 4096; // means are over powers of two
  for (const Access& access : all) {
    if (access.shared)
      continue;
    if (!access.exact)
      return Expression::beyond("an access whose address is data or beyond the algebra");
    const auto numerator = std::llround(access.per_request * static_cast<double>(parts));
    bytes += access.requests * Expression(symbolic::Rational::ratio(numerator, parts)) *
             Expression(std::int64_t{formula.made_of->target.machine->memory.l1.sector_bytes});
  }
  return symbolic::simplify(bytes, formula.made_of->open.launch.ranges);
}

} // namespace forewarp::formula
