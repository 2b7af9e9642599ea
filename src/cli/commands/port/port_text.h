#pragma once

#include "port/answer.h"

#include <string>

namespace forewarp::cli {

/// The answer of `forewarp port` for people: a table a GPU, then each region's causes and advice.
std::string port_text(const port::PortAnswer& answer);

} // namespace forewarp::cli
