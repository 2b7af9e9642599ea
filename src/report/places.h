// Source places and memory rows as every writer names them.
#pragma once

#include "facts/prediction.h"

#include <string>

namespace forewarp::report {

/// "matmul.cl:14"; "14" where there is one file only; "-" where no line is known.
std::string place(const facts::Prediction& prediction, const facts::SourceLocation& location);

/// File name without its folders; empty when unknown.
std::string file_name(const facts::Prediction& prediction, const facts::SourceLocation& location);

/// "load", "store", "atomic".
const char* kind_name(facts::AccessKind kind);
const char* severity_name(facts::Note::Severity severity);

} // namespace forewarp::report
