#pragma once

#include "port/answer.h"

#include <string>

namespace forewarp::port {

/// The answer of `forewarp port --format json`; keys in docs/guide/port.md.
std::string answer_json(const PortAnswer& answer);

} // namespace forewarp::port
