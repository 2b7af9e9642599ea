#include "pipeline/events.h"

namespace forewarp::pipeline {

const char* to_string(StallCause cause) {
  switch (cause) {
  case StallCause::dependence_arithmetic:
    return "dependence_arithmetic";
  case StallCause::dependence_memory:
    return "dependence_memory";
  case StallCause::subsystem_busy:
    return "subsystem_busy";
  case StallCause::issue_slot:
    return "issue_slot";
  case StallCause::barrier:
    return "barrier";
  case StallCause::memory_queue:
    return "memory_queue";
  }
  return "unknown";
}

} // namespace forewarp::pipeline
