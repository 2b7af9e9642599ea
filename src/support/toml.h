// toml++ is one set of inline functions for the whole program, with or without exceptions: rooms that
// disagreed would crash each other. Every file that reads TOML includes this instead of toml++ itself.
#pragma once

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>
