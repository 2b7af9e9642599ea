// SQLite's exceptions as errors of this program.
#pragma once

#include "support/result.h"

#include <SQLiteCpp/SQLiteCpp.h>

namespace forewarp::explore {

template <class Function> auto guarded(const std::string& path, Function&& function) -> decltype(function()) {
  try {
    return function();
  } catch (const SQLite::Exception& error) {
    return fail(
        ErrorCode::not_found, std::string("the store cannot be used: ") + error.what(),
        path.empty() ? "temporary file" : path,
        "check that the file may be written, that no other sweep uses it, and that the disk is not full");
  }
}

} // namespace forewarp::explore
