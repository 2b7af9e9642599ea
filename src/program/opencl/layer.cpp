// The door that the OpenCL loader knocks at (OPENCL_LAYERS). Without `forewarp run` around it the library
// changes nothing.
#include "program/opencl/entries.h"

#include <CL/cl_layer.h>

#include <cstring>

#define FOREWARP_EXPORT __attribute__((visibility("default")))

namespace forewarp::program {
namespace {

constexpr cl_uint entries_of_table = sizeof(cl_icd_dispatch) / sizeof(void*);

/// False: there is nobody to ask.
bool connect() {
  const auto greeted = greet();
  if (!greeted)
    return false;
  State& s = state();
  const nlohmann::json& facts = *greeted;
  s.device = facts.at("device");
  const std::string execute = facts.value("execute", "needed");
  s.execute = execute == "all" ? Execute::all : execute == "none" ? Execute::none : Execute::needed;
  s.launch_delay_ns = facts.value("launch_delay_ns", std::int64_t{0});
  s.launch_call_ns = facts.value("launch_call_ns", std::int64_t{0});
  s.copy_delay_ns = facts.value("copy_delay_ns", std::int64_t{0});
  s.to_device_gbps = facts.value("to_device_gbps", 0.0);
  s.from_device_gbps = facts.value("from_device_gbps", 0.0);
  s.on_device_gbps = facts.value("on_device_gbps", 0.0);
  s.look_again = facts.value("look_again", 0U);
  return true;
}

} // namespace
} // namespace forewarp::program

extern "C" FOREWARP_EXPORT cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size, void* value,
                                                             size_t* size_out) {
  static constexpr char layer_name[] = "Forewarp";
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const void* data = name == CL_LAYER_NAME ? static_cast<const void*>(layer_name) : &version;
  const size_t length = name == CL_LAYER_NAME ? sizeof(layer_name) : sizeof(version);
  if (name != CL_LAYER_NAME && name != CL_LAYER_API_VERSION)
    return CL_INVALID_VALUE;
  if (value && size < length)
    return CL_INVALID_VALUE;
  if (value)
    std::memcpy(value, data, length);
  if (size_out)
    *size_out = length;
  return CL_SUCCESS;
}

extern "C" FOREWARP_EXPORT cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* target,
                                                          cl_uint* entries_out,
                                                          const cl_icd_dispatch** table_out) {
  using namespace forewarp::program;
  if (!target || !entries_out || !table_out || entries < entries_of_table)
    return CL_INVALID_VALUE;
  static cl_icd_dispatch table;
  table = *target;
  if (!state().target) {
    state().target = target;
    if (connect()) {
      override_devices(table);
      override_programs(table);
      override_kernels(table);
      override_memory(table);
      override_launches(table);
      override_copies(table);
      override_events(table);
    }
  }
  *entries_out = entries_of_table;
  *table_out = &table;
  return CL_SUCCESS;
}
