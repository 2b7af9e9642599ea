// Sharing of buffers with OpenGL is not there: a program that calls it does not link. Some only include this.
#pragma once
#include <cuda_runtime.h>
