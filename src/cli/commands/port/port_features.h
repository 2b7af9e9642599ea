// forewarp port --features: what the learned predictors see of a loop.
#pragma once

#include "port/features/text/static_features.h"
#include "port/trace_program.h"

#include <CLI/CLI.hpp>

namespace forewarp::cli {

struct FeatureWords {
  std::string kind;             ///< "": no features are asked for
  std::string compile_commands; ///< -p
  double trip_count = 0, branch = -1;
  bool as_published = false, full = false, warps = false, counted = false;
};

/// The files and how they are compiled, and what the words assume of them.
port::SourceTree source_tree(const FeatureWords& words, const port::ProgramRequest& program);

/// As the kernel calls it; "this machine" where it does not tell.
std::string name_of_cpu();

void add_feature_options(CLI::App& app, FeatureWords& words);

/// `format`: text, json or csv. `output`: file; "": standard output.
Result<void> print_features(const FeatureWords& words, const port::ProgramRequest& program,
                            const std::string& format, const std::string& output);

} // namespace forewarp::cli
