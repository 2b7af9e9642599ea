// PyTorch: forewarp_cuda/torch.h.
#pragma once
#pragma clang system_header
#include <forewarp_cuda/torch.h>
