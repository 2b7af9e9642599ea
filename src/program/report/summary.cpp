#include "program/report/summary.h"

#include <algorithm>

namespace forewarp::program {
namespace {

class Summing {
public:
  Summing(const RunLog& log, std::size_t gpu) : log_(log), gpu_(gpu) {}

  void add(const PlacedCommand& placed) {
    const auto ns = static_cast<double>(placed.times.end - placed.times.start);
    if (placed.command->command.kind == CommandKind::kernel)
      add_kernel(*placed.command, ns);
    else if (placed.command->command.kind != CommandKind::marker)
      add_copy(*placed.command, ns);
  }

  std::vector<KernelRow> kernels() const {
    std::vector<KernelRow> rows;
    for (const auto& [name, row] : kernels_)
      rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const KernelRow& a, const KernelRow& b) { return a.total_ns > b.total_ns; });
    return rows;
  }
  std::vector<CopyRow> copies() const {
    std::vector<CopyRow> rows;
    for (const auto& [name, row] : copies_)
      rows.push_back(row);
    return rows;
  }

private:
  void add_kernel(const LoggedCommand& command, double ns) {
    const LaunchKind* kind = log_.kind(command.launch);
    const bool is_library = command.launch == 0 && command.name != "kernel";
    const std::string name = kind ? kind->kernel : is_library ? command.name : "(unknown)";
    KernelRow& row = kernels_[name];
    row.kernel = name;
    ++row.calls;
    const LaunchOnGpu* on = kind ? &kind->on[gpu_] : nullptr;
    if (!on || on->time_ns() <= 0) {
      ++row.unknown_calls;
      if (on && row.why.empty())
        row.why = on->why;
      if (is_library) {
        row.of_library = true;
        row.why = "a library's call, computed here: how long it takes on the GPU is not known";
      }
      row.impossible = row.impossible || (on && on->impossible);
      return;
    }
    const bool first = row.calls - row.unknown_calls == 1;
    row.total_ns += ns;
    row.least_ns = first ? ns : std::min(row.least_ns, ns);
    row.most_ns = std::max(row.most_ns, ns);
    double& total = kind_ns_[command.launch];
    total += ns;
    if (!row.has_limiter || total >= longest_[name]) {
      longest_[name] = total;
      row.limiter = on->prediction->limiter;
      row.has_limiter = true;
    }
  }

  void add_copy(const LoggedCommand& command, double ns) {
    CopyRow& row = copies_[command.name];
    row.name = command.name;
    ++row.calls;
    row.bytes += command.bytes;
    row.total_ns += ns;
  }

  const RunLog& log_;
  std::size_t gpu_;
  std::map<std::string, KernelRow> kernels_;
  std::map<std::string, CopyRow> copies_;
  std::map<std::uint64_t, double> kind_ns_;
  std::map<std::string, double> longest_;
};

} // namespace

GpuSummary summarise(const RunLog& log, std::size_t gpu) {
  GpuSummary out;
  out.gpu = log.devices[gpu].machine.name;
  Summing summing(log, gpu);
  std::uint64_t launches = 0;
  for (const ProcessLog& process : log.processes) {
    const Timeline timeline = timeline_of(log, process, gpu);
    for (const PlacedCommand& placed : timeline.commands) {
      summing.add(placed);
      launches += placed.command->command.kind == CommandKind::kernel;
    }
    out.span_ns += timeline.span_ns();
    out.kernels_ns += timeline.kernels_ns;
    out.copies_ns += timeline.copies_ns;
    out.idle_ns += timeline.idle_ns();
  }
  out.kernels = summing.kernels();
  out.copies = summing.copies();
  out.launch_overhead_ns = static_cast<double>(launches) * log.devices[gpu].launch_delay_ns;
  return out;
}

} // namespace forewarp::program
