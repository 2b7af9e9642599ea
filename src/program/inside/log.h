// What is told to the process beside for its log: commands on the device's clock, and waits of the host.
#pragma once

#include "program/inside/talk.h"
#include "program/wire/device_clock.h"

namespace forewarp::program {

/// `detail` has its own keys: a kernel's launch, a copy's bytes.
void tell_command(const Command& command, const char* name, const nlohmann::json& detail);
/// This thread waited for commands.
void tell_wait(const std::vector<std::uint64_t>& commands, std::int64_t entered_at, std::int64_t left_at);
/// This thread waited for all of a queue.
void tell_queue_wait(std::uint64_t queue, std::int64_t entered_at, std::int64_t left_at);

} // namespace forewarp::program
