// Everything that moves or looks at memory, and the commands that only order others. Each is the
// implementation's own command, with the time that it takes over the GPU's link or in its memory.
#include "program/inside/clock/virtual_clock.h"
#include "program/opencl/entries.h"
#include "program/opencl/pending.h"
#include "program/opencl/several/devices.h"
#include "program/opencl/several/placement.h"
#include "program/opencl/timing.h"

#include <array>

namespace forewarp::program {
namespace {

struct Waits {
  cl_uint count = 0;
  const cl_event* list = nullptr;
};

const cl_icd_dispatch& target() {
  return *state().target;
}

Given to_device(cl_command_queue queue, const char* name, double bytes) {
  const DeviceFacts& device = device_of(queue);
  return {CommandKind::to_device, name, 0, device.copy_delay_ns, copy_ns(bytes, device.to_device_gbps), false,
          {{"bytes", bytes}}};
}

Given from_device(cl_command_queue queue, const char* name, double bytes) {
  const DeviceFacts& device = device_of(queue);
  return {
      CommandKind::from_device, name, 0, device.copy_delay_ns, copy_ns(bytes, device.from_device_gbps), false,
      {{"bytes", bytes}}};
}

/// `traffic`: bytes that are read and written in the GPU's memory.
Given on_device(cl_command_queue queue, const char* name, double bytes, double traffic) {
  const DeviceFacts& device = device_of(queue);
  return {
      CommandKind::on_device, name, 0, device.launch_delay_ns, copy_ns(traffic, device.on_device_gbps), false,
      {{"bytes", bytes}}};
}

Given ordering(const char* name, bool barrier) {
  return {CommandKind::marker, name, 0, 0, 0, barrier};
}

/// What of the objects lies on another GPU.
Given moving(cl_command_queue queue, cl_uint count, const cl_mem* objects) {
  Move all;
  for (cl_uint k = 0; objects && k < count; ++k)
    all += move_to(queue, objects[k]);
  return all.bytes > 0 ? as_command(all, queue) : ordering("migrate", false);
}

/// `call(event)` is the implementation's command.
template <class Call>
cl_int timed(cl_command_queue queue, Given given, Waits waits, bool blocking, cl_event* event,
             const Call& call) {
  StillCall still;
  given.called_at = still.entered_at();
  const cl_int status = call(event);
  if (status != CL_SUCCESS)
    return status;
  const Kept kept = keep(queue, given, waits.count, waits.list, event);
  if (blocking)
    still.leave_at(wait_for({kept.command}, still.entered_at()));
  return status;
}

double volume(const size_t* region) {
  return static_cast<double>(region[0]) * static_cast<double>(region[1]) * static_cast<double>(region[2]);
}

double image_bytes(cl_mem image, const size_t* region) {
  size_t element = 0;
  if (target().clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof(element), &element, nullptr) != CL_SUCCESS)
    return 0;
  return volume(region) * static_cast<double>(element);
}

// Buffers.

cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                               size_t size, void* to, cl_uint n, const cl_event* list, cl_event* event) {
  return timed(queue, from_device(queue, "read", static_cast<double>(size)), {n, list}, blocking, event,
               [&](cl_event* out) {
                 run_pending_on(memory);
                 return target().clEnqueueReadBuffer(queue, memory, blocking, offset, size, to, n, list, out);
               });
}

cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                                size_t size, const void* from, cl_uint n, const cl_event* list,
                                cl_event* event) {
  return timed(queue, to_device(queue, "write", static_cast<double>(size)), {n, list}, blocking, event,
               [&](cl_event* out) {
                 run_pending_on(memory);
                 lies_on(memory, queue);
                 return target().clEnqueueWriteBuffer(queue, memory, blocking, offset, size, from, n, list,
                                                      out);
               });
}

cl_int CL_API_CALL read_rectangle(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                                  const size_t* origin, const size_t* host_origin, const size_t* region,
                                  size_t row, size_t slice, size_t host_row, size_t host_slice, void* to,
                                  cl_uint n, const cl_event* list, cl_event* event) {
  return timed(queue, from_device(queue, "read", volume(region)), {n, list}, blocking, event,
               [&](cl_event* out) {
                 run_pending_on(memory);
                 return target().clEnqueueReadBufferRect(queue, memory, blocking, origin, host_origin, region,
                                                         row, slice, host_row, host_slice, to, n, list, out);
               });
}

cl_int CL_API_CALL write_rectangle(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                                   const size_t* origin, const size_t* host_origin, const size_t* region,
                                   size_t row, size_t slice, size_t host_row, size_t host_slice,
                                   const void* from, cl_uint n, const cl_event* list, cl_event* event) {
  return timed(
      queue, to_device(queue, "write", volume(region)), {n, list}, blocking, event, [&](cl_event* out) {
        run_pending_on(memory);
        lies_on(memory, queue);
        return target().clEnqueueWriteBufferRect(queue, memory, blocking, origin, host_origin, region, row,
                                                 slice, host_row, host_slice, from, n, list, out);
      });
}

cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                               size_t to_offset, size_t size, cl_uint n, const cl_event* list,
                               cl_event* event) {
  const auto bytes = static_cast<double>(size);
  return timed(
      queue, on_device(queue, "copy", bytes, 2 * bytes), {n, list}, false, event, [&](cl_event* out) {
        run_pending_on(from);
        run_pending_on(to);
        lies_on(to, queue);
        return target().clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, n, list, out);
      });
}

cl_int CL_API_CALL copy_rectangle(cl_command_queue queue, cl_mem from, cl_mem to, const size_t* from_origin,
                                  const size_t* to_origin, const size_t* region, size_t from_row,
                                  size_t from_slice, size_t to_row, size_t to_slice, cl_uint n,
                                  const cl_event* list, cl_event* event) {
  const double bytes = volume(region);
  return timed(
      queue, on_device(queue, "copy", bytes, 2 * bytes), {n, list}, false, event, [&](cl_event* out) {
        run_pending_on(from);
        run_pending_on(to);
        lies_on(to, queue);
        return target().clEnqueueCopyBufferRect(queue, from, to, from_origin, to_origin, region, from_row,
                                                from_slice, to_row, to_slice, n, list, out);
      });
}

cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem memory, const void* pattern,
                               size_t pattern_size, size_t offset, size_t size, cl_uint n,
                               const cl_event* list, cl_event* event) {
  const auto bytes = static_cast<double>(size);
  return timed(queue, on_device(queue, "fill", bytes, bytes), {n, list}, false, event, [&](cl_event* out) {
    run_pending_on(memory);
    lies_on(memory, queue);
    return target().clEnqueueFillBuffer(queue, memory, pattern, pattern_size, offset, size, n, list, out);
  });
}

cl_int CL_API_CALL migrate(cl_command_queue queue, cl_uint count, const cl_mem* objects,
                           cl_mem_migration_flags flags, cl_uint n, const cl_event* list, cl_event* event) {
  const Given given =
      (flags & CL_MIGRATE_MEM_OBJECT_HOST) != 0 ? ordering("migrate", false) : moving(queue, count, objects);
  return timed(queue, given, {n, list}, false, event, [&](cl_event* out) {
    return target().clEnqueueMigrateMemObjects(queue, count, objects, flags, n, list, out);
  });
}

// Mapped memory: it goes over the link when it is mapped for reading and when it is let go after writing.

struct Mapped {
  double bytes = 0;
  bool written = false;
};

struct MappedMemory {
  std::mutex lock;
  std::map<void*, Mapped> at;
};

MappedMemory& mapped() {
  static auto* only = new MappedMemory;
  return *only;
}

void remember(void* pointer, double bytes, cl_map_flags flags) {
  const std::lock_guard lock(mapped().lock);
  mapped().at[pointer] = {bytes, (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0};
}

Given as_mapped(cl_command_queue queue, double bytes, cl_map_flags flags) {
  return from_device(queue, "map", flags == CL_MAP_WRITE_INVALIDATE_REGION ? 0 : bytes);
}

void* CL_API_CALL map_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags,
                             size_t offset, size_t size, cl_uint n, const cl_event* list, cl_event* event,
                             cl_int* status_out) {
  void* pointer = nullptr;
  const auto bytes = static_cast<double>(size);
  const cl_int status =
      timed(queue, as_mapped(queue, bytes, flags), {n, list}, blocking, event, [&](cl_event* out) {
        run_pending_on(memory);
        cl_int inner = CL_SUCCESS;
        pointer =
            target().clEnqueueMapBuffer(queue, memory, blocking, flags, offset, size, n, list, out, &inner);
        return inner;
      });
  if (pointer)
    remember(pointer, bytes, flags);
  if (status_out)
    *status_out = status;
  return pointer;
}

void* CL_API_CALL map_image(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                            const size_t* origin, const size_t* region, size_t* row, size_t* slice, cl_uint n,
                            const cl_event* list, cl_event* event, cl_int* status_out) {
  void* pointer = nullptr;
  const double bytes = image_bytes(image, region);
  const cl_int status =
      timed(queue, as_mapped(queue, bytes, flags), {n, list}, blocking, event, [&](cl_event* out) {
        run_pending();
        cl_int inner = CL_SUCCESS;
        pointer = target().clEnqueueMapImage(queue, image, blocking, flags, origin, region, row, slice, n,
                                             list, out, &inner);
        return inner;
      });
  if (pointer)
    remember(pointer, bytes, flags);
  if (status_out)
    *status_out = status;
  return pointer;
}

cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem memory, void* pointer, cl_uint n,
                         const cl_event* list, cl_event* event) {
  Mapped was;
  {
    const std::lock_guard lock(mapped().lock);
    if (const auto found = mapped().at.find(pointer); found != mapped().at.end()) {
      was = found->second;
      mapped().at.erase(found);
    }
  }
  return timed(
      queue, to_device(queue, "unmap", was.written ? was.bytes : 0), {n, list}, false, event,
      [&](cl_event* out) { return target().clEnqueueUnmapMemObject(queue, memory, pointer, n, list, out); });
}

// Images.

cl_int CL_API_CALL read_image(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t* origin,
                              const size_t* region, size_t row, size_t slice, void* to, cl_uint n,
                              const cl_event* list, cl_event* event) {
  return timed(queue, from_device(queue, "read", image_bytes(image, region)), {n, list}, blocking, event,
               [&](cl_event* out) {
                 run_pending();
                 return target().clEnqueueReadImage(queue, image, blocking, origin, region, row, slice, to, n,
                                                    list, out);
               });
}

cl_int CL_API_CALL write_image(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t* origin,
                               const size_t* region, size_t row, size_t slice, const void* from, cl_uint n,
                               const cl_event* list, cl_event* event) {
  return timed(queue, to_device(queue, "write", image_bytes(image, region)), {n, list}, blocking, event,
               [&](cl_event* out) {
                 run_pending();
                 return target().clEnqueueWriteImage(queue, image, blocking, origin, region, row, slice, from,
                                                     n, list, out);
               });
}

cl_int CL_API_CALL copy_image(cl_command_queue queue, cl_mem from, cl_mem to, const size_t* from_origin,
                              const size_t* to_origin, const size_t* region, cl_uint n, const cl_event* list,
                              cl_event* event) {
  const double bytes = image_bytes(from, region);
  return timed(
      queue, on_device(queue, "copy", bytes, 2 * bytes), {n, list}, false, event, [&](cl_event* out) {
        run_pending();
        return target().clEnqueueCopyImage(queue, from, to, from_origin, to_origin, region, n, list, out);
      });
}

cl_int CL_API_CALL image_to_buffer(cl_command_queue queue, cl_mem from, cl_mem to, const size_t* origin,
                                   const size_t* region, size_t offset, cl_uint n, const cl_event* list,
                                   cl_event* event) {
  const double bytes = image_bytes(from, region);
  return timed(
      queue, on_device(queue, "copy", bytes, 2 * bytes), {n, list}, false, event, [&](cl_event* out) {
        run_pending();
        return target().clEnqueueCopyImageToBuffer(queue, from, to, origin, region, offset, n, list, out);
      });
}

cl_int CL_API_CALL buffer_to_image(cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,
                                   const size_t* origin, const size_t* region, cl_uint n,
                                   const cl_event* list, cl_event* event) {
  const double bytes = image_bytes(to, region);
  return timed(
      queue, on_device(queue, "copy", bytes, 2 * bytes), {n, list}, false, event, [&](cl_event* out) {
        run_pending();
        return target().clEnqueueCopyBufferToImage(queue, from, to, offset, origin, region, n, list, out);
      });
}

cl_int CL_API_CALL fill_image(cl_command_queue queue, cl_mem image, const void* color, const size_t* origin,
                              const size_t* region, cl_uint n, const cl_event* list, cl_event* event) {
  const double bytes = image_bytes(image, region);
  return timed(queue, on_device(queue, "fill", bytes, bytes), {n, list}, false, event, [&](cl_event* out) {
    run_pending();
    return target().clEnqueueFillImage(queue, image, color, origin, region, n, list, out);
  });
}

// Shared virtual memory.

cl_int CL_API_CALL svm_copy(cl_command_queue queue, cl_bool blocking, void* to, const void* from, size_t size,
                            cl_uint n, const cl_event* list, cl_event* event) {
  const auto bytes = static_cast<double>(size);
  return timed(queue, on_device(queue, "copy", bytes, 2 * bytes), {n, list}, blocking, event,
               [&](cl_event* out) {
                 run_pending();
                 return target().clEnqueueSVMMemcpy(queue, blocking, to, from, size, n, list, out);
               });
}

cl_int CL_API_CALL svm_fill(cl_command_queue queue, void* to, const void* pattern, size_t pattern_size,
                            size_t size, cl_uint n, const cl_event* list, cl_event* event) {
  const auto bytes = static_cast<double>(size);
  return timed(queue, on_device(queue, "fill", bytes, bytes), {n, list}, false, event, [&](cl_event* out) {
    run_pending();
    return target().clEnqueueSVMMemFill(queue, to, pattern, pattern_size, size, n, list, out);
  });
}

cl_int CL_API_CALL svm_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void* pointer,
                           size_t size, cl_uint n, const cl_event* list, cl_event* event) {
  remember(pointer, static_cast<double>(size), flags);
  return timed(queue, as_mapped(queue, static_cast<double>(size), flags), {n, list}, blocking, event,
               [&](cl_event* out) {
                 run_pending();
                 return target().clEnqueueSVMMap(queue, blocking, flags, pointer, size, n, list, out);
               });
}

cl_int CL_API_CALL svm_unmap(cl_command_queue queue, void* pointer, cl_uint n, const cl_event* list,
                             cl_event* event) {
  return timed(queue, ordering("unmap", false), {n, list}, false, event,
               [&](cl_event* out) { return target().clEnqueueSVMUnmap(queue, pointer, n, list, out); });
}

// Commands that order others.

cl_int CL_API_CALL marker(cl_command_queue queue, cl_uint n, const cl_event* list, cl_event* event) {
  return timed(queue, ordering("marker", false), {n, list}, false, event,
               [&](cl_event* out) { return target().clEnqueueMarkerWithWaitList(queue, n, list, out); });
}

cl_int CL_API_CALL barrier(cl_command_queue queue, cl_uint n, const cl_event* list, cl_event* event) {
  return timed(queue, ordering("barrier", true), {n, list}, false, event,
               [&](cl_event* out) { return target().clEnqueueBarrierWithWaitList(queue, n, list, out); });
}

cl_int CL_API_CALL old_marker(cl_command_queue queue, cl_event* event) {
  return marker(queue, 0, nullptr, event);
}

cl_int CL_API_CALL old_barrier(cl_command_queue queue) {
  return barrier(queue, 0, nullptr, nullptr);
}

cl_int CL_API_CALL old_wait(cl_command_queue queue, cl_uint n, const cl_event* list) {
  return barrier(queue, n, list, nullptr);
}

} // namespace

void override_copies(cl_icd_dispatch& table) {
  table.clEnqueueReadBuffer = read_buffer;
  table.clEnqueueWriteBuffer = write_buffer;
  table.clEnqueueReadBufferRect = read_rectangle;
  table.clEnqueueWriteBufferRect = write_rectangle;
  table.clEnqueueCopyBuffer = copy_buffer;
  table.clEnqueueCopyBufferRect = copy_rectangle;
  table.clEnqueueFillBuffer = fill_buffer;
  table.clEnqueueMigrateMemObjects = migrate;
  table.clEnqueueMapBuffer = map_buffer;
  table.clEnqueueMapImage = map_image;
  table.clEnqueueUnmapMemObject = unmap;
  table.clEnqueueReadImage = read_image;
  table.clEnqueueWriteImage = write_image;
  table.clEnqueueCopyImage = copy_image;
  table.clEnqueueCopyImageToBuffer = image_to_buffer;
  table.clEnqueueCopyBufferToImage = buffer_to_image;
  table.clEnqueueFillImage = fill_image;
  table.clEnqueueSVMMemcpy = svm_copy;
  table.clEnqueueSVMMemFill = svm_fill;
  table.clEnqueueSVMMap = svm_map;
  table.clEnqueueSVMUnmap = svm_unmap;
  table.clEnqueueMarkerWithWaitList = marker;
  table.clEnqueueBarrierWithWaitList = barrier;
  table.clEnqueueMarker = old_marker;
  table.clEnqueueBarrier = old_barrier;
  table.clEnqueueWaitForEvents = old_wait;
}

} // namespace forewarp::program
