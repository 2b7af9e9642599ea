// forewarp port --method: several predictors beside each other.
#pragma once

#include "port/methods/methods.h"

#include <CLI/CLI.hpp>

namespace forewarp::cli {

struct MethodWords {
  std::string methods; ///< "": the plain answer
  std::vector<std::string> trained;
  std::string profile, cpu;
};

void add_method_options(CLI::App& app, MethodWords& words);

/// Models, profile and CPU by the words; the program, the GPUs and the source tree are the caller's.
/// `format`: text or json. `output`: file; "": standard output.
Result<void> print_methods(const MethodWords& words, port::PortRequest port, port::SourceTree tree,
                           const std::string& format, const std::string& output);

} // namespace forewarp::cli
