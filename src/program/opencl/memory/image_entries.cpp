// Sizes and formats of images, and what samplers do: the prediction finds texels by them.
#include "program/opencl/entries.h"
#include "program/opencl/state.h"

#include <algorithm>

namespace forewarp::program {
namespace {

const char* channels_of(cl_channel_order order) {
  switch (order) {
  case CL_RG:
  case CL_RGx:
  case CL_RA:
    return "rg";
  case CL_RGB:
  case CL_RGBx:
  case CL_sRGB:
    return "rgb";
  case CL_RGBA:
  case CL_sRGBA:
  case CL_sRGBx:
  case CL_ARGB:
  case CL_ABGR:
    return "rgba";
  case CL_BGRA:
  case CL_sBGRA:
    return "bgra";
  default:
    return "r";
  }
}

const char* channel_bits(cl_channel_type type) {
  switch (type) {
  case CL_SNORM_INT8:
    return "8sn";
  case CL_SIGNED_INT8:
    return "8i";
  case CL_UNSIGNED_INT8:
    return "8ui";
  case CL_UNORM_INT16:
    return "16";
  case CL_SNORM_INT16:
    return "16sn";
  case CL_SIGNED_INT16:
    return "16i";
  case CL_UNSIGNED_INT16:
    return "16ui";
  case CL_HALF_FLOAT:
    return "16f";
  case CL_SIGNED_INT32:
    return "32i";
  case CL_UNSIGNED_INT32:
    return "32ui";
  case CL_FLOAT:
    return "32f";
  default:
    return "8";
  }
}

std::string format_of(const cl_image_format& format) {
  switch (format.image_channel_data_type) { // all channels in one word
  case CL_UNORM_SHORT_565:
  case CL_UNORM_SHORT_555:
    return "r16";
  case CL_UNORM_INT_101010:
  case CL_UNORM_INT_101010_2:
    return "r32";
  default:
    return std::string(channels_of(format.image_channel_order)) +
           channel_bits(format.image_channel_data_type);
  }
}

ImageFacts facts_of(const cl_image_format& format, const cl_image_desc& size) {
  ImageFacts facts;
  facts.format = format_of(format);
  facts.width = size.image_width;
  const cl_mem_object_type type = size.image_type;
  if (type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE3D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
    facts.height = std::max<std::size_t>(size.image_height, 1);
  if (type == CL_MEM_OBJECT_IMAGE3D)
    facts.depth = std::max<std::size_t>(size.image_depth, 1);
  if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
    facts.depth = std::max<std::size_t>(size.image_array_size, 1);
  facts.in_rows = facts.height == 1 || size.mem_object != nullptr; // of a buffer
  return facts;
}

void remember(cl_mem image, cl_mem_flags flags, const cl_image_format& format, const cl_image_desc& size) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  MemoryFacts facts;
  facts.read_only = (flags & CL_MEM_READ_ONLY) != 0;
  facts.parent = size.mem_object;
  facts.image = facts_of(format, size);
  s.memory[image] = std::move(facts);
}

cl_mem CL_API_CALL image(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                         const cl_image_desc* size, void* host, cl_int* status) {
  const cl_mem made = state().target->clCreateImage(context, flags, format, size, host, status);
  if (made)
    remember(made, flags, *format, *size);
  return made;
}

cl_mem CL_API_CALL image_with_properties(cl_context context, const cl_mem_properties* properties,
                                         cl_mem_flags flags, const cl_image_format* format,
                                         const cl_image_desc* size, void* host, cl_int* status) {
  const cl_mem made =
      state().target->clCreateImageWithProperties(context, properties, flags, format, size, host, status);
  if (made)
    remember(made, flags, *format, *size);
  return made;
}

cl_mem CL_API_CALL image_2d(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                            size_t width, size_t height, size_t row, void* host, cl_int* status) {
  const cl_mem made =
      state().target->clCreateImage2D(context, flags, format, width, height, row, host, status);
  cl_image_desc size = {};
  size.image_type = CL_MEM_OBJECT_IMAGE2D;
  size.image_width = width;
  size.image_height = height;
  if (made)
    remember(made, flags, *format, size);
  return made;
}

cl_mem CL_API_CALL image_3d(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                            size_t width, size_t height, size_t depth, size_t row, size_t slice, void* host,
                            cl_int* status) {
  const cl_mem made =
      state().target->clCreateImage3D(context, flags, format, width, height, depth, row, slice, host, status);
  cl_image_desc size = {};
  size.image_type = CL_MEM_OBJECT_IMAGE3D;
  size.image_width = width;
  size.image_height = height;
  size.image_depth = depth;
  if (made)
    remember(made, flags, *format, size);
  return made;
}

// Samplers.

std::string words_of(cl_bool normalised, cl_addressing_mode edge, cl_filter_mode filter) {
  std::string words = filter == CL_FILTER_LINEAR ? "linear" : "nearest";
  words += normalised != CL_FALSE ? ":normalised" : "";
  words += edge == CL_ADDRESS_CLAMP             ? ":border"
           : edge == CL_ADDRESS_REPEAT          ? ":wrap"
           : edge == CL_ADDRESS_MIRRORED_REPEAT ? ":mirror"
                                                : ":clamp";
  return words;
}

void remember(cl_sampler sampler, std::string words) {
  State& s = state();
  const std::lock_guard lock(s.lock);
  s.samplers[sampler] = std::move(words);
}

cl_sampler CL_API_CALL sampler(cl_context context, cl_bool normalised, cl_addressing_mode edge,
                               cl_filter_mode filter, cl_int* status) {
  const cl_sampler made = state().target->clCreateSampler(context, normalised, edge, filter, status);
  if (made)
    remember(made, words_of(normalised, edge, filter));
  return made;
}

cl_sampler CL_API_CALL sampler_with_properties(cl_context context, const cl_sampler_properties* properties,
                                               cl_int* status) {
  const cl_sampler made = state().target->clCreateSamplerWithProperties(context, properties, status);
  cl_sampler_properties normalised = CL_TRUE, edge = CL_ADDRESS_CLAMP, filter = CL_FILTER_NEAREST;
  for (const cl_sampler_properties* each = properties; made && each && *each != 0; each += 2) {
    normalised = each[0] == CL_SAMPLER_NORMALIZED_COORDS ? each[1] : normalised;
    edge = each[0] == CL_SAMPLER_ADDRESSING_MODE ? each[1] : edge;
    filter = each[0] == CL_SAMPLER_FILTER_MODE ? each[1] : filter;
  }
  if (made)
    remember(made, words_of(static_cast<cl_bool>(normalised), static_cast<cl_addressing_mode>(edge),
                            static_cast<cl_filter_mode>(filter)));
  return made;
}

} // namespace

void override_images(cl_icd_dispatch& table) {
  table.clCreateImage = image;
  table.clCreateImageWithProperties = image_with_properties;
  table.clCreateImage2D = image_2d;
  table.clCreateImage3D = image_3d;
  table.clCreateSampler = sampler;
  table.clCreateSamplerWithProperties = sampler_with_properties;
}

} // namespace forewarp::program
