// Buffers and numbers inside of what host code hands over: fields of structs, and pointers in buffers.
#pragma once

#include "facts/launch.h"
#include "frontend/host/host_program.h"

#include <map>
#include <string>

namespace forewarp::engine {

using Arguments = std::map<std::string, facts::ArgumentValue>;

/// Gives the fields of the struct `key` that the host's argument knows ("p.size"); what is said of them, ""
/// where none is.
std::string give_fields(const ir::Parameter& parameter, const std::string& key,
                        const frontend::host::HostArgument& argument, Arguments& arguments);

/// Gives the buffers that pointers in the buffer `key` lead to ("rows[]"), the largest of a field for all;
/// what is said of them, with a comma in front.
std::string give_elements(const ir::Parameter& parameter, const std::string& key,
                          const frontend::host::HostArgument& argument, Arguments& arguments);

} // namespace forewarp::engine
