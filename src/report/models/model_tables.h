// Writers of the published models' answers: table, occupancy sweep, equations, aspects. Plain data in, text
// out.
#pragma once

#include <string>
#include <vector>

namespace forewarp::report {

/// One model on one GPU.
struct ModelLine {
  std::string kernel, gpu, name, source;
  std::string refusal; ///< why there is no answer; the numbers are then not shown
  double time_ms = 0, cycles = 0, concurrent_warps = 0, cycles_per_run = 0, warps_per_cycle = 0;
  std::string limiter;
  double to_simulator = 0; ///< time / simulator's time - 1
};
struct ModelTable {
  std::vector<ModelLine> lines; ///< in the order shown; lines of one GPU are neighbours
  std::vector<std::string> notes;
};
std::string models_text(const ModelTable& table);
std::string models_json(const ModelTable& table);
std::string models_csv(const ModelTable& table);

/// Warps per cycle of each model over resident warps, on one GPU. NaN: the model refused.
struct ModelSweep {
  std::string kernel, gpu;
  std::vector<double> concurrent_warps;
  struct Series {
    std::string name;
    std::vector<double> warps_per_cycle;
  };
  std::vector<Series> series;
};
std::string sweep_text(const std::vector<ModelSweep>& sweeps);
std::string sweep_json(const std::vector<ModelSweep>& sweeps);
std::string sweep_csv(const std::vector<ModelSweep>& sweeps);
std::string sweep_svg(const ModelSweep& sweep);

struct EquationLine {
  std::string equation, symbol, unit, formula;
  double value = 0;
};
struct Equations {
  std::string kernel, gpu, model, source;
  std::vector<EquationLine> lines;
};
std::string equations_text(const std::vector<Equations>& answers);
std::string equations_json(const std::vector<Equations>& answers);

/// A row a model, a column an aspect.
struct AspectTable {
  std::vector<std::string> aspects;
  struct Row {
    std::string model, source;
    std::vector<bool> taken; ///< as long as `aspects`
  };
  std::vector<Row> rows;
};
std::string aspects_text(const AspectTable& table);
std::string aspects_json(const AspectTable& table);

} // namespace forewarp::report
