// The report for people. One GPU: one page. Several: one table, fastest first, then what they share.
#include "report/numbers.h"
#include "report/places.h"
#include "report/report.h"
#include "report/table.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::report {
namespace {

constexpr std::size_t most_causes = 5, most_lines = 8, most_assumed_named = 6;
constexpr double smallest_share = 0.005; // a cause below half a per cent explains nothing

std::string interval(const facts::Prediction& p) {
  return fmt::format("{} .. {}", number(p.interval_ms[0]), number(p.interval_ms[1]));
}

std::string causes(const facts::Prediction& p) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most_causes, p.causes.size()); ++i)
    if (p.causes[i].share >= smallest_share)
      text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", facts::to_string(p.causes[i].cause),
                          percent(p.causes[i].share));
  return text;
}

std::string headline(const facts::Prediction& p) {
  std::string text = fmt::format("{} on {}\n\n", p.kernel, p.gpu);
  text += fmt::format("  time             {} ms  (90 % interval {} ms)\n", number(p.time_ms), interval(p));
  text += fmt::format("  limiter          {}\n", facts::to_string(p.limiter));
  if (const std::string shares = causes(p); !shares.empty())
    text += fmt::format("  causes           {}\n", shares);
  text += fmt::format("  cycles           {:.0f} at {:.0f} MHz\n", p.cycles, p.sm_clock_mhz);
  text += fmt::format("  launch overhead  {} ms, not in the time\n", number(p.launch_overhead_ms));
  text += fmt::format("  launch           {} groups of {} work-items, {} waves\n", dims(p.shape.groups),
                      dims(p.shape.group_size), number(p.waves));
  return text;
}

std::string occupancy(const facts::Prediction& p) {
  const facts::Occupancy& o = p.occupancy;
  std::string text = "\nOccupancy\n";
  text += fmt::format("  {} groups = {} of {} warps per SM ({} %), limited by {}; achieved {} %\n",
                      o.active_groups_per_sm, o.active_warps_per_sm, o.max_warps_per_sm, percent(o.fraction),
                      o.limiter, percent(p.achieved_occupancy));
  if (!o.next_step.empty())
    text += fmt::format("  next step: {}\n", o.next_step);
  text += fmt::format(
      "  {:.0f} registers per thread ({}), {} shared memory per group", p.resources.registers_per_thread,
      p.resources.source,
      bytes(static_cast<double>(p.resources.static_shared_bytes + p.shape.launch_shared_bytes())));
  if (p.resources.spill_bytes_per_thread > 0)
    text += fmt::format(", {} spilled per thread", bytes(p.resources.spill_bytes_per_thread));
  return text + "\n";
}

std::string unit_mix(const facts::Prediction& p) {
  if (p.units.empty())
    return "";
  const auto bound = std::max_element(p.units.begin(), p.units.end(),
                                      [](const auto& a, const auto& b) { return a.bound_ms < b.bound_ms; });
  Table table({{"unit", Align::left}, {"total"}, {"shortest"}, {"longest"}, {"bound ms"}, {"", Align::left}});
  for (const facts::UnitMix& unit : p.units)
    table.add_row({unit.unit, number(unit.instructions_per_warp), number(unit.shortest_warp),
                   number(unit.longest_warp), number(unit.bound_ms), &unit == &*bound ? "<- bound" : ""});
  return fmt::format(
      "\nInstructions per warp, by unit ({} in all; shortest and longest warp; time of the unit alone)\n{}",
      number(p.instructions_per_warp), table.to_string());
}

std::string hit_rate(double requests_below, double rate) {
  return requests_below > 0 ? percent(rate) : "-";
}

/// Access sites that a reader cannot tell apart (an unrolled loop's copies of one access) as one row.
struct MemoryRow {
  facts::MemorySite site;
  facts::SiteProfile sum;
  std::size_t sites = 1;
};

bool same_place(const MemoryRow& row, const facts::MemorySite& site, const facts::SiteProfile& profile) {
  const facts::MemorySite& a = row.site;
  return a.location.file == site.location.file && a.location.line == site.location.line &&
         a.kind == site.kind && a.space == site.space && a.buffer == site.buffer &&
         a.width_bytes == site.width_bytes && row.sum.access == profile.access;
}

double mean(double a, double a_weight, double b, double b_weight) {
  return a_weight + b_weight > 0 ? (a * a_weight + b * b_weight) / (a_weight + b_weight) : 0;
}

void add(MemoryRow& row, const facts::SiteProfile& more) {
  facts::SiteProfile& sum = row.sum;
  // L1's rate is over what asked L1, which the transactions stand for; L2's over what came to it.
  const auto asked = [](const facts::SiteProfile& s) { return s.requests * s.transactions_per_request; };
  sum.l1_hit_rate = mean(sum.l1_hit_rate, asked(sum), more.l1_hit_rate, asked(more));
  sum.l2_hit_rate = mean(sum.l2_hit_rate, sum.bytes_l2, more.l2_hit_rate, more.bytes_l2);
  sum.transactions_per_request =
      mean(sum.transactions_per_request, sum.requests, more.transactions_per_request, more.requests);
  sum.requests += more.requests;
  sum.bytes_asked += more.bytes_asked;
  sum.bytes_l2 += more.bytes_l2;
  sum.bytes_dram += more.bytes_dram;
  ++row.sites;
}

/// By line, in the order of the program within a line.
std::vector<MemoryRow> memory_rows(const facts::Prediction& p) {
  std::vector<MemoryRow> rows;
  for (const facts::SiteProfile& profile : p.memory) {
    if (profile.requests <= 0 || profile.site >= p.sites.size())
      continue;
    const facts::MemorySite& site = p.sites[profile.site];
    const auto same = std::find_if(rows.begin(), rows.end(),
                                   [&](const MemoryRow& row) { return same_place(row, site, profile); });
    if (same != rows.end())
      add(*same, profile);
    else
      rows.push_back({site, profile});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const MemoryRow& a, const MemoryRow& b) {
    return std::pair(a.site.location.file, a.site.location.line) <
           std::pair(b.site.location.file, b.site.location.line);
  });
  return rows;
}

std::string memory_table(const facts::Prediction& p) {
  Table table({{"line"},
               {"access", Align::left},
               {"buffer", Align::left},
               {"class", Align::left},
               {"requests"},
               {"trans/req"},
               {"L1 hit %"},
               {"L2 hit %"},
               {"asked"},
               {"L2"},
               {"DRAM"}});
  for (const auto& [site, row, sites] : memory_rows(p)) {
    const bool cached = site.space != facts::MemorySpace::shared;
    const std::string copies = sites > 1 ? fmt::format(" x{}", sites) : "";
    table.add_row({place(p, site.location),
                   fmt::format("{} {}{}", facts::to_string(site.space), kind_name(site.kind), copies),
                   site.buffer, std::string(facts::to_string(row.access)), number(row.requests),
                   number(row.transactions_per_request),
                   cached ? hit_rate(row.requests, row.l1_hit_rate) : "-",
                   cached ? hit_rate(row.bytes_l2, row.l2_hit_rate) : "-", bytes(row.bytes_asked),
                   cached ? bytes(row.bytes_l2) : "-", cached ? bytes(row.bytes_dram) : "-"});
  }
  return table.empty() ? "" : "\nMemory, by source line\n" + table.to_string();
}

std::string rate(const char* what, double achieved, double peak, const char* unit, const std::string& more) {
  if (peak <= 0)
    return fmt::format("  {:<11}{} {}{}\n", what, number(achieved), unit, more);
  return fmt::format("  {:<11}{} of {} {} ({} %){}\n", what, number(achieved), number(peak), unit,
                     percent(achieved / peak), more);
}

std::string rates(const facts::Prediction& p) {
  std::string text = "\nAchieved against peak\n";
  std::string reachable;
  if (p.dram_achievable_gbps > 0)
    reachable = fmt::format("; {} GB/s can be reached", number(p.dram_achievable_gbps));
  text += rate("DRAM", p.dram_gbps, p.dram_peak_gbps, "GB/s", reachable);
  text += rate("arithmetic", p.gflops, p.peak_gflops, "GFLOP/s", "");
  if (p.tensor_gflops > 0)
    text += rate("tensor", p.tensor_gflops, p.peak_tensor_gflops, "GFLOP/s", "");
  text += fmt::format("  {:<11}{} from DRAM, {} from L2", "moved", bytes(p.dram_bytes), bytes(p.l2_bytes));
  if (p.compulsory_bytes > 0)
    text += fmt::format("; least possible {}", bytes(p.compulsory_bytes));
  return text + "\n";
}

std::string costliest_lines(const facts::Prediction& p) {
  Table table({{"line"}, {"time %"}});
  for (std::size_t i = 0; i < std::min(most_lines, p.lines.size()); ++i)
    table.add_row({place(p, p.lines[i].location), percent(p.lines[i].share)});
  return table.empty() ? "" : "\nCostliest lines\n" + table.to_string();
}

std::string note_line(const facts::Prediction& p, const facts::Note& note) {
  std::string text = "  ";
  if (note.location.line != 0)
    text += fmt::format("line {}: ", place(p, note.location));
  text += note.text;
  if (!note.remedy.empty())
    text += fmt::format(" (settle it with {})", note.remedy);
  return text + "\n";
}

std::string assumed_values(const facts::Prediction& p) {
  if (p.assumed_gpu_values.empty())
    return "";
  const auto& all = p.assumed_gpu_values;
  const std::vector<std::string> named(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(most_assumed_named, all.size())));
  return fmt::format("  {} values of the GPU file are assumed: {}{}\n", all.size(), fmt::join(named, ", "),
                     all.size() > named.size() ? ", ..." : "");
}

/// What the remarks of a prediction say, one line each, without repetitions.
struct Remarks {
  std::vector<std::string> assumptions, notes, invalid;
};

void add_once(std::vector<std::string>& lines, const std::string& line) {
  if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end())
    lines.push_back(line);
}

Remarks remarks_of(const facts::Prediction& p) {
  using Severity = facts::Note::Severity;
  Remarks remarks;
  for (const facts::Note& note : p.notes)
    add_once(note.severity == Severity::assumption ? remarks.assumptions
             : note.severity == Severity::invalid  ? remarks.invalid
                                                   : remarks.notes,
             note_line(p, note));
  add_once(remarks.assumptions, assumed_values(p));
  return remarks;
}

std::string section(const std::string& heading, const std::vector<std::string>& lines) {
  return lines.empty() ? "" : fmt::format("\n{}\n{}", heading, fmt::join(lines, ""));
}

std::string remarks_text(const facts::Prediction& p) {
  const Remarks remarks = remarks_of(p);
  return section("Assumptions", remarks.assumptions) + section("Notes", remarks.notes) +
         fmt::format("\nValidity: {}\n{}", p.valid ? "valid" : "NOT valid", fmt::join(remarks.invalid, ""));
}

/// Moves the lines that every list has into one of their own.
std::vector<std::string> take_shared(std::vector<std::vector<std::string>*> lists) {
  std::vector<std::string> shared;
  for (const std::string& line : *lists.front())
    if (std::all_of(lists.begin(), lists.end(), [&](const auto* list) {
          return std::find(list->begin(), list->end(), line) != list->end();
        }))
      shared.push_back(line);
  for (auto* list : lists)
    std::erase_if(*list, [&](const std::string& line) {
      return std::find(shared.begin(), shared.end(), line) != shared.end();
    });
  return shared;
}

/// What all GPUs share once, then what is each one's own.
std::string shared_remarks(const Predictions& predictions) {
  std::vector<Remarks> all;
  for (const facts::Prediction& p : predictions)
    all.push_back(remarks_of(p));
  std::vector<std::vector<std::string>*> assumptions, notes, invalid;
  for (Remarks& remarks : all) {
    assumptions.push_back(&remarks.assumptions);
    notes.push_back(&remarks.notes);
    invalid.push_back(&remarks.invalid);
  }
  std::string text = section("Assumptions, all GPUs", take_shared(assumptions)) +
                     section("Notes, all GPUs", take_shared(notes)) +
                     section("NOT valid, all GPUs", take_shared(invalid));
  for (const std::size_t i : fastest_first(predictions)) {
    text += section("Assumptions, " + predictions[i].gpu, all[i].assumptions);
    text += section("Notes, " + predictions[i].gpu, all[i].notes);
    text += section("NOT valid, " + predictions[i].gpu, all[i].invalid);
  }
  return text;
}

std::string one_page(const facts::Prediction& p) {
  return headline(p) + occupancy(p) + unit_mix(p) + memory_table(p) + rates(p) + costliest_lines(p) +
         remarks_text(p);
}

std::string comparison(const Predictions& predictions) {
  Table table({{"GPU", Align::left},
               {"time ms"},
               {"90 % interval ms"},
               {"limiter", Align::left},
               {"occupancy %"},
               {"regs"},
               {"DRAM GB/s"},
               {"of peak %"},
               {"valid", Align::left}});
  for (const std::size_t i : fastest_first(predictions)) {
    const facts::Prediction& p = predictions[i];
    table.add_row({p.gpu, number(p.time_ms), interval(p), std::string(facts::to_string(p.limiter)),
                   percent(p.occupancy.fraction), fmt::format("{:.0f}", p.resources.registers_per_thread),
                   number(p.dram_gbps), p.dram_peak_gbps > 0 ? percent(p.dram_gbps / p.dram_peak_gbps) : "-",
                   p.valid ? "yes" : "NO"});
  }
  const facts::Prediction& first = predictions.front();
  std::string text = fmt::format("{}: {} groups of {} work-items\n\n{}", first.kernel,
                                 dims(first.shape.groups), dims(first.shape.group_size), table.to_string());
  return text + shared_remarks(predictions);
}

} // namespace

std::string write_text(const Predictions& predictions) {
  if (predictions.empty())
    return "";
  return predictions.size() == 1 ? one_page(predictions.front()) : comparison(predictions);
}

} // namespace forewarp::report
