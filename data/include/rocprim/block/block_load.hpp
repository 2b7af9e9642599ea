#pragma once
#include "rocprim/rocprim.hpp"
