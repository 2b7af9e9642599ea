#include "program/report/summary.h"
#include "report/numbers.h"
#include "report/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forewarp::program {
namespace {

std::string ms(double ns) {
  return report::number(ns / 1e6);
}

void add_kernels(const GpuSummary& summary, std::string& out) {
  if (summary.kernels.empty())
    return;
  report::Table table({{"Kernel", report::Align::left},
                       {"Calls"},
                       {"Total ms"},
                       {"Mean ms"},
                       {"Least ms"},
                       {"Most ms"},
                       {"Limited by", report::Align::left}});
  for (const KernelRow& row : summary.kernels) {
    const std::uint64_t timed = row.calls - row.unknown_calls;
    if (timed == 0)
      table.add_row({row.kernel, std::to_string(row.calls), "-", "-", "-", "-",
                     row.impossible   ? "(this GPU cannot launch it)"
                     : row.of_library ? "(library: time unknown)"
                                      : "(time unknown)"});
    else
      table.add_row({row.kernel, std::to_string(row.calls), ms(row.total_ns),
                     ms(row.total_ns / static_cast<double>(timed)), ms(row.least_ns), ms(row.most_ns),
                     std::string(facts::to_string(row.limiter))});
  }
  out += table.to_string();
}

void add_copies(const GpuSummary& summary, std::string& out) {
  if (summary.copies.empty())
    return;
  report::Table table({{"Memory", report::Align::left}, {"Calls"}, {"Bytes"}, {"Total ms"}});
  for (const CopyRow& row : summary.copies)
    table.add_row({row.name, std::to_string(row.calls), report::bytes(row.bytes), ms(row.total_ns)});
  out += "\n" + table.to_string();
}

void add_reasons(const GpuSummary& summary, std::string& out) {
  std::uint64_t of_libraries = 0;
  for (const KernelRow& row : summary.kernels)
    if (row.of_library)
      of_libraries += row.calls;
    else if (row.unknown_calls > 0)
      out += fmt::format("  {}: {} of {} calls have no time: {}\n", row.kernel, row.unknown_calls, row.calls,
                         row.why.empty() ? "forewarp had no answer" : row.why);
  if (of_libraries > 0)
    out += fmt::format(
        "  {} calls of libraries were computed here: how long they take on the GPU is not known, and the "
        "times above are without them\n",
        of_libraries);
}

void add_gpu(const RunLog& log, std::size_t gpu, std::string& out) {
  const GpuSummary summary = summarise(log, gpu);
  out += fmt::format(
      "\n{}: {} ms from the first call to the last end (kernels {} ms, copies {} ms, idle {} ms)\n",
      summary.gpu, ms(summary.span_ns), ms(summary.kernels_ns), ms(summary.copies_ns), ms(summary.idle_ns));
  add_kernels(summary, out);
  add_copies(summary, out);
  add_reasons(summary, out);
  for (const std::string& assumed : log.devices[gpu].assumed)
    out += "  Assumed: " + assumed + "\n";
}

std::string ending(const RunLog& log) {
  if (!log.exit_code)
    return fmt::format("ended by signal {}", log.signal);
  return fmt::format("exit code {}", *log.exit_code);
}

} // namespace

std::string text_report(const RunLog& log) {
  std::string out = fmt::format("{}: {}\n", fmt::join(log.program, " "), ending(log));
  if (log.processes.empty() && log.built)
    return out + "The program called nothing of CUDA's runtime: there is nothing to report.\n";
  if (log.processes.empty())
    return out + "The program did not use OpenCL through its loader: there is nothing to report. (A path in "
                 "OPENCL_LAYERS that cannot be loaded is passed over in silence.)\n";
  std::uint64_t executed = 0;
  for (const ProcessLog& process : log.processes) {
    executed += process.executed;
    for (const auto& [kernel, status] : process.not_executed)
      out += fmt::format("{} could not be executed on this machine (OpenCL status {}): what was read of its "
                         "results is wrong\n",
                         kernel, status);
    for (const auto& [kernel, why] : process.not_compiled)
      out += fmt::format(
          "{} could not be executed on this machine ({}): what was read of its results is wrong\n", kernel,
          why);
    for (const std::string& fault : process.faults)
      out += "Fault: " + fault + "\n";
  }
  if (executed > 0)
    out += fmt::format("{} launches were executed on this machine, {}\n", executed,
                       log.built ? "the others would have changed nothing" : "since their results were read");
  for (std::size_t gpu = 0; gpu < log.devices.size(); ++gpu)
    add_gpu(log, gpu, out);
  if (log.as_devices && log.devices.size() > 1)
    return out + fmt::format("\nThe program saw {} GPUs; each has the launches and copies that went to it.\n",
                             log.devices.size());
  if (log.devices.size() > 1)
    out += fmt::format(
        "\nThe program saw {}. Sizes that it chose by what it saw are the same on the others: run it "
        "again with another GPU first where it does.\n",
        log.devices.front().machine.name);
  std::set<std::string> asked;
  for (const ProcessLog& process : log.processes)
    asked.insert(process.properties.begin(), process.properties.end());
  if (log.devices.size() > 1 && !asked.empty())
    out += fmt::format("It did ask for the GPU's properties: {}.\n", fmt::join(asked, ", "));
  return out;
}

} // namespace forewarp::program
