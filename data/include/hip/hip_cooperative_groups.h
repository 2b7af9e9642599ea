// HIP's name of cooperative_groups.h.
#pragma once
#include "cooperative_groups.h"
