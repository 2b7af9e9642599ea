// A suite: which measured rows stand for which launch of which kernel of a foreign source
// (docs/develop/validation.md).
#pragma once

#include "gpu/provenance.h"
#include "support/expression.h"
#include "support/result.h"
#include "support/template.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::validate {

/// One kernel of a suite and the rows that are its.
struct SuiteKernel {
  std::string name;                         ///< in the result tables
  std::vector<std::string> data;            ///< only rows of these entries of the suite's GPUs; none: all
  std::map<std::string, std::string> where; ///< text column = text
  std::optional<Expression> condition;      ///< row is taken where it is not 0
  std::vector<std::string> sources;         ///< several are compiled as one, in this order
  std::string language;                     ///< "cuda", "opencl"; "": by the first source's ending
  std::string before, after;                ///< source text in front of the sources and behind them
  std::vector<std::string> without;         ///< lines of the sources that hold one of these are left out
  Template kernel;
  std::string standard;
  std::vector<std::string> include_directories, options;
  std::map<std::string, Template> defines;
  std::vector<Expression> grid, block; ///< one to three
  std::optional<Expression> dynamic_shared;
  std::map<std::string, Template> arguments;
  std::vector<std::pair<std::string, Expression>>
      derived;                              ///< names computed before everything else, in order
  std::map<std::string, Expression> stages; ///< stage -> expression of measured columns
  std::map<std::uint32_t, std::uint64_t> trip_counts;
  bool warm_cache = false;
  std::optional<Expression> time_ms; ///< instead of the suite's
};

struct SuiteGpu {
  std::string name;          ///< in the catalogue
  double sm_clock_mhz = 0;   ///< > 0: the clock that the measurement ran at
  std::string cuda_compiler; ///< not empty: generation of the compiler that the measured code was built with
  double host_ms = 0;        ///< part of each measured time that is the host's launch and wait
  std::vector<gpu::MeasuredRows> derived_from; ///< rows that clock or host_ms were taken from
};

struct Suite {
  std::string name, title, repository, directory, commit;
  std::vector<std::string> data_files;            ///< below --data
  std::vector<std::string> number_columns;        ///< not empty: the files are printed text (number_table.h)
  std::string gpu_column;                         ///< or
  std::map<std::string, std::string> gpu_of_file; ///< data file -> data's GPU name
  std::map<std::string, SuiteGpu> gpus;           ///< data's GPU name -> ours
  std::string packed_column;                      ///< holds "NAME=VALUE;...", each name as a column
  Expression time_ms;
  std::vector<SuiteKernel> kernels;
};

/// Errors name file, key and, in expressions, the column.
Result<Suite> read_suite(const std::string& path);

/// Stages that a suite may hold against the prediction; value of each is documented in
/// docs/develop/validation.md.
const std::vector<std::string>& stage_names();

} // namespace forewarp::validate
