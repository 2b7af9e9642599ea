// One function a subject: puts the library's own functions into the table that the loader is given.
#pragma once

#include "program/opencl/state.h"

namespace forewarp::program {

void override_devices(cl_icd_dispatch& table);
void override_programs(cl_icd_dispatch& table);
void override_kernels(cl_icd_dispatch& table);
void override_memory(cl_icd_dispatch& table);
void override_images(cl_icd_dispatch& table);
void override_launches(cl_icd_dispatch& table);
void override_copies(cl_icd_dispatch& table);
void override_events(cl_icd_dispatch& table);

} // namespace forewarp::program
