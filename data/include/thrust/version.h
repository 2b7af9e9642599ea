// Thrust as of CUDA 12.
#pragma once
#define THRUST_VERSION 200200
#define THRUST_MAJOR_VERSION 2
