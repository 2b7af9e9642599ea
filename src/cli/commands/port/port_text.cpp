#include "cli/commands/port/port_text.h"

#include "report/numbers.h"
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace forewarp::cli {
namespace {

using report::Align;
using report::number;

std::string factor(double value) {
  return value > 0 ? number(value) + "x" : "-";
}
std::string time(double value) {
  return value > 0 ? number(value) : "-";
}
std::string place(const std::string& file, std::uint32_t line) {
  return fmt::format("{}:{}", file, line);
}

std::string table_text(const port::PortAnswer& answer) {
  report::Table table({{"Region", Align::left},
                       {"Line", Align::left},
                       {"GPU", Align::left},
                       {"CPU ms"},
                       {"GPU ms"},
                       {"Copies ms"},
                       {"Speed-up"},
                       {"with copies"},
                       {"Program"},
                       {"Worth it", Align::left}});
  for (const port::RegionAnswer& region : answer.regions)
    table.add_row({region.name, place(region.file, region.line), region.gpu, time(region.cpu_time_ms),
                   number(region.time_ms + region.launch_ms), number(region.copy_ms()),
                   factor(region.speedup), factor(region.speedup_with_copies), factor(region.program_speedup),
                   region.cpu_time_ms <= 0 ? "?"
                   : region.worth          ? "yes"
                                           : "no"});
  return table.to_string(0);
}

std::string causes_text(const port::RegionAnswer& region) {
  std::string text;
  int shown = 0;
  for (const auto& [cause, share] : region.estimate.kernel.causes)
    if (share >= 0.01 && shown++ < 5)
      text += fmt::format("{}{} {} %", text.empty() ? "" : ", ", cause, report::percent(share));
  return text;
}

std::string region_text(const port::RegionAnswer& region, const port::PortAnswer& answer) {
  std::string text =
      fmt::format("\n{} ({}) on {}\n", region.name, place(region.file, region.line), region.gpu);
  text += fmt::format("  kernels {} ms, launches {} ms, copies in {} and out {} ({} ms)\n",
                      number(region.time_ms), number(region.launch_ms), report::bytes(region.copy_in_bytes),
                      report::bytes(region.copy_out_bytes), number(region.copy_ms()));
  if (const std::string causes = causes_text(region); !causes.empty())
    text += "  time goes to: " + causes + "\n";
  for (const port::TracedRegion& traced : answer.traced)
    if (traced.trace.name == region.name && traced.trace.location.line == region.line) {
      for (const std::string& reduction : traced.parallelism.reductions)
        text += "  reduction: " + reduction + ": the kernel needs atomics or a tree, not counted here\n";
      for (const std::string& name : traced.parallelism.privates)
        text += "  each thread needs its own '" + name + "'\n";
      for (const facts::Note& note : traced.trace.notes)
        text += "  note: " + note.text + (note.remedy.empty() ? "" : " (" + note.remedy + ")") + "\n";
    }
  for (const facts::Note& note : region.estimate.notes)
    text += "  note: " + note.text + (note.remedy.empty() ? "" : " (" + note.remedy + ")") + "\n";
  if (!region.reason.empty())
    text += (region.cpu_time_ms > 0 ? "  not worth it: " : "  no speed-up: ") + region.reason + "\n";
  for (const port::Advice& advice : region.estimate.advice)
    text += fmt::format("  advice: {}: {} -> {} ms\n", advice.text, number(region.time_ms),
                        number(advice.time_ms));
  return text;
}

} // namespace

std::string port_text(const port::PortAnswer& answer) {
  std::string text =
      fmt::format("Model {}{}\n", answer.model, answer.sizes.empty() ? "" : ", " + answer.sizes);
  if (answer.program_ms > 0)
    text += fmt::format("Program: {} ms on this CPU, one thread\n", number(answer.program_ms));
  text += answer.cpu_note + "\n\n" + table_text(answer);
  for (const port::TogetherAnswer& together : answer.together)
    if (together.regions > 0 && together.program_speedup > 0)
      text += fmt::format("All worth it on {}: program {}\n", together.gpu, factor(together.program_speedup));
  for (const port::RegionAnswer& region : answer.regions)
    text += region_text(region, answer);
  for (const port::UnansweredRegion& region : answer.unanswered) {
    text +=
        fmt::format("\n{} ({}): {}\n", region.name, place(region.file, region.line), region.problem.message);
    if (!region.problem.hint.empty())
      text += "  way out: " + region.problem.hint + "\n";
    for (const port::WayOut& way : region.ways_out)
      text += fmt::format("  on {}: {}: {} ms ({:.0f} launch{})\n", way.gpu, way.text, number(way.time_ms),
                          way.launches, way.launches == 1 ? "" : "es");
  }
  return text;
}

} // namespace forewarp::cli
