// Names of the header of that name in NVIDIA's samples.
#pragma once
#pragma clang system_header
#include <algorithm>
#include <cassert>
#include <cmath>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "exception.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
