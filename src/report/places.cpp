#include "report/places.h"

#include <fmt/format.h>

namespace forewarp::report {

std::string file_name(const facts::Prediction& prediction, const facts::SourceLocation& location) {
  if (location.file >= prediction.files.size())
    return "";
  const std::string& path = prediction.files[location.file];
  return path.substr(path.find_last_of('/') + 1);
}

std::string place(const facts::Prediction& prediction, const facts::SourceLocation& location) {
  if (location.line == 0)
    return "-";
  if (prediction.files.size() <= 1)
    return fmt::format("{}", location.line);
  return fmt::format("{}:{}", file_name(prediction, location), location.line);
}

const char* kind_name(facts::AccessKind kind) {
  switch (kind) {
  case facts::AccessKind::load:
    return "load";
  case facts::AccessKind::store:
    return "store";
  case facts::AccessKind::atomic:
    return "atomic";
  }
  return "load";
}

const char* severity_name(facts::Note::Severity severity) {
  switch (severity) {
  case facts::Note::Severity::info:
    return "info";
  case facts::Note::Severity::assumption:
    return "assumption";
  case facts::Note::Severity::invalid:
    return "invalid";
  }
  return "info";
}

} // namespace forewarp::report
