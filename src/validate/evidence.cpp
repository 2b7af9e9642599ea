#include "validate/evidence.h"

#include "gpu/gpu_file.h"

#include <algorithm>
#include <array>
#include <set>

namespace forewarp::validate {
namespace {

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool holds_or_empty(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || holds(names, name);
}

bool applies(const Rule& rule, const gpu::GpuFile& file) {
  const bool everywhere = rule.vendors.empty() && rule.generations.empty() && rule.targets.empty();
  return everywhere || holds(rule.vendors, file.vendor) || holds(rule.generations, file.generation) ||
         holds(rule.targets, file.target);
}

} // namespace

std::string_view to_string(Standing standing) {
  constexpr std::array<std::string_view, 3> names = {"never looked at", "related", "used"};
  return names[static_cast<std::size_t>(standing)];
}

Evidence::Evidence(const gpu::GpuFile& file, const gpu::Provenance& values, const std::vector<Rule>& rules,
                   const std::vector<gpu::MeasuredRows>& board)
    : gpu_(file.name) {
  for (const auto& [key, all] : values)
    for (const gpu::MeasuredRows& rows : all)
      entries_.push_back({key, rows, Affects::times});
  for (const Rule& rule : rules)
    if (applies(rule, file))
      for (const gpu::MeasuredRows& rows : rule.derived_from)
        entries_.push_back({"rule " + rule.name, rows, rule.affects});
  for (const gpu::MeasuredRows& rows : board)
    entries_.push_back({"the suite's board", rows, Affects::times});
}

Standing Evidence::of(const Entry& entry, std::string_view suite, std::string_view kernel) const {
  if (entry.rows.suite != suite)
    return Standing::unseen;
  return holds_or_empty(entry.rows.kernels, kernel) && holds_or_empty(entry.rows.gpus, gpu_)
             ? Standing::used
             : Standing::related;
}

Standing Evidence::worst(std::string_view suite, std::string_view kernel, bool with_intervals) const {
  Standing worst = Standing::unseen;
  for (const Entry& entry : entries_)
    if (entry.affects == Affects::times || (with_intervals && entry.affects == Affects::intervals))
      worst = std::max(worst, of(entry, suite, kernel));
  return worst;
}

Standing Evidence::standing(std::string_view suite, std::string_view kernel) const {
  return worst(suite, kernel, false);
}

Standing Evidence::interval_standing(std::string_view suite, std::string_view kernel) const {
  return worst(suite, kernel, true);
}

std::vector<std::string> Evidence::used_by(std::string_view suite, std::string_view kernel) const {
  std::set<std::string> names;
  for (const Entry& entry : entries_)
    if (entry.affects == Affects::times && of(entry, suite, kernel) == Standing::used)
      names.insert(entry.by);
  return {names.begin(), names.end()};
}

} // namespace forewarp::validate
