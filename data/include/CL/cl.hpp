// The older name of opencl.hpp.
#pragma once
#include <CL/opencl.hpp>
