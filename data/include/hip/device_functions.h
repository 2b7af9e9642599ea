// Everything that this header declares stands in forewarp_cuda.h, which is included before every file.
#pragma once
