#pragma once

#include "frontend/lowering/mangled_name.h"

namespace forewarp::frontend::lowering {

/// A vendor's device library function by OpenCL's name: __nv_fast_sinf -> native_sin, __ocml_pow_f32 -> pow,
/// __ockl_get_local_id -> get_local_id. Unchanged where there is no such rule.
BuiltinName vendor_alias(BuiltinName name);

} // namespace forewarp::frontend::lowering
