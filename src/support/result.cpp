#include "support/result.h"

namespace forewarp {

int exit_code(ErrorCode code) {
  switch (code) {
  case ErrorCode::usage:
    return 2;
  case ErrorCode::not_found:
    return 3;
  case ErrorCode::bad_input:
    return 4;
  case ErrorCode::compile:
    return 5;
  case ErrorCode::launch:
    return 6;
  case ErrorCode::unsupported:
    return 7;
  case ErrorCode::kernel_fault:
    return 8;
  case ErrorCode::budget:
    return 9;
  case ErrorCode::internal:
    return 70;
  }
  return 70;
}

const char* to_string(ErrorCode code) {
  switch (code) {
  case ErrorCode::usage:
    return "usage";
  case ErrorCode::not_found:
    return "not_found";
  case ErrorCode::bad_input:
    return "bad_input";
  case ErrorCode::compile:
    return "compile";
  case ErrorCode::launch:
    return "launch";
  case ErrorCode::unsupported:
    return "unsupported";
  case ErrorCode::kernel_fault:
    return "kernel_fault";
  case ErrorCode::budget:
    return "budget";
  case ErrorCode::internal:
    return "internal";
  }
  return "internal";
}

std::string to_string(const Error& error) {
  std::string text;
  if (!error.where.empty())
    text += error.where + ": ";
  text += error.message;
  if (!error.hint.empty())
    text += "\nhint: " + error.hint;
  return text;
}

} // namespace forewarp
