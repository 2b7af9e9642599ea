// Runs a suite: every chosen row of measured data predicted, stage by stage.
#pragma once

#include "engine/session.h"
#include "gpu/gpu_file.h"
#include "validate/evidence.h"
#include "validate/suite.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::validate {

struct RunOptions {
  std::string sources_directory; ///< holds the suites' `directory`
  std::string data_directory;    ///< holds the suites' data files
  std::vector<std::string> gpus; ///< only these (catalogue names); empty: all
  std::string gpu_directory;     ///< where GPU files extend others
  std::vector<Rule> rules;       ///< of the code, that were derived from measured rows
  std::size_t sample = 0;        ///< rows per (kernel, GPU); 0: all
  std::uint64_t seed = 1;
  engine::Code code = engine::Code::imitated;
  bool ignore_control_words = false;
  unsigned jobs = 0;                                ///< threads; 0: one a core
  std::function<void(const std::string&)> progress; ///< one call at a time, from any thread
};

struct StagePair {
  double measured = 0, predicted = 0;
};

/// What an answer rests on: an interval's width may go by it.
struct Basis {
  double registers = 0, spilled_bytes = 0; ///< of a thread
  double occupancy = 0;                    ///< resident over most warps; 1 where only the grid is too small
  bool amd_board = false;
  std::size_t policies = 0; ///< assumptions that had to be made
  std::size_t assumed = 0;  ///< values of the GPU file
};

/// One predicted row.
struct RowResult {
  std::string kernel, gpu;
  std::size_t row = 0;                                 ///< in its data file, from 0
  std::optional<Standing> standing, interval_standing; ///< none where nobody asked what was derived from what
  double measured_ms = 0, predicted_ms = 0, low_ms = 0, high_ms = 0;
  double resident_warps = 0; ///< of one SM, at most, by the occupancy calculation
  std::string limiter;
  Basis basis;
  std::map<std::string, StagePair> stages;
  std::map<std::string, double> baselines_ms; ///< "plain_roofline", "bandwidth", models::registry()
};

/// Values and rules that were derived from a space's rows.
struct UsedRows {
  std::string kernel, gpu;
  std::vector<std::string> by; ///< as Evidence::used_by
};

/// A row that gave no prediction, with the reason.
struct LeftOutRow {
  std::string kernel, gpu, reason;
  std::size_t row = 0;
};

struct SuiteResult {
  std::string name, title;
  std::vector<RowResult> rows;
  std::vector<LeftOutRow> left_out;
  std::vector<UsedRows> used;        ///< by kernel and GPU
  engine::StageSeconds seconds = {}; ///< processor time of all threads
};

/// Errors: not_found (a source or data file, with the repository that has it; a GPU's name), bad_input
/// (suite, row and column of a wrong expression). A row that cannot be predicted is left out and counted.
Result<SuiteResult> run_suite(const Suite& suite, const gpu::Catalogue& catalogue, const RunOptions& options);

} // namespace forewarp::validate
