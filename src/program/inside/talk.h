// What a library inside the user's program says to the `forewarp` process beside it.
#pragma once

#include "program/wire/connection.h"

#include <cstdint>
#include <optional>

namespace forewarp::program {

/// Greets the process that FOREWARP_RUN names. Empty: there is nobody to ask. Else what it says of the first
/// GPU (devices.h).
std::optional<nlohmann::json> greet();
/// Sends what nobody answers. Returns without effect where the other process has gone.
void tell(const nlohmann::json& text);
/// Empty where the other process has gone.
std::optional<Message> ask(const Message& question);

std::string hex(const void* data, std::size_t bytes);
/// Of the calling thread, for the log.
long thread_number();
/// `bytes` over a link of so many 1e9 bytes a second; 0 where the rate is unknown.
std::int64_t copy_ns(double bytes, double gbps);

} // namespace forewarp::program
