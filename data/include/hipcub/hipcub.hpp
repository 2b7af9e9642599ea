// hipCUB: what is here of CUB, under its other name.
#pragma once
#include "cub/cub.cuh"

namespace hipcub = cub;
