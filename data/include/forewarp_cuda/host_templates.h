// Functions of the runtime API that take a kernel, a symbol or a typed pointer, for host code that is
// compiled to be run
// (`forewarp run`): they hand the address to the library that stands for the runtime.
#pragma once
#pragma clang system_header

// Samples' headers ask by these whether the runtime's are included.
#define __DRIVER_TYPES_H__ 1
#define __CUDA_RUNTIME_H__ 1

extern "C" {
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t cudaMallocManaged(void**, size_t, unsigned = cudaMemAttachGlobal);
unsigned __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*);
cudaError_t forewarp_copy_to_symbol(const void*, const void*, size_t, size_t, cudaMemcpyKind, cudaStream_t,
                                    int);
cudaError_t forewarp_copy_from_symbol(void*, const void*, size_t, size_t, cudaMemcpyKind, cudaStream_t, int);
cudaError_t forewarp_symbol_address(void**, const void*);
cudaError_t forewarp_symbol_size(size_t*, const void*);
cudaError_t forewarp_func_set_attribute(const void*, cudaFuncAttribute, int);
cudaError_t forewarp_func_get_attributes(cudaFuncAttributes*, const void*);
cudaError_t forewarp_occupancy_blocks(int*, const void*, int, size_t);
cudaError_t forewarp_occupancy_size(int*, int*, const void*, size_t, int);
cudaError_t forewarp_host_device_pointer(void**, void*);
}

#define FW_HOST inline __attribute__((host))
template <class T> FW_HOST void** fw_out(T** pointer) {
  return reinterpret_cast<void**>(pointer);
}
template <class T> FW_HOST const void* fw_shadow(const T& symbol) {
  return reinterpret_cast<const void*>(&reinterpret_cast<const char&>(symbol));
}
template <class T> FW_HOST const void* fw_stub(T kernel) {
  return reinterpret_cast<const void*>(kernel);
}

template <class T> FW_HOST cudaError_t cudaMalloc(T** out, size_t bytes) {
  return cudaMalloc(fw_out(out), bytes);
}
template <class T> FW_HOST cudaError_t cudaMallocHost(T** out, size_t bytes, unsigned) {
  return cudaMallocHost(fw_out(out), bytes);
}
template <class T> FW_HOST cudaError_t cudaHostAlloc(T** out, size_t bytes, unsigned) {
  return cudaMallocHost(fw_out(out), bytes);
}
template <class T> FW_HOST cudaError_t cudaHostGetDevicePointer(T** out, void* at, unsigned) {
  return forewarp_host_device_pointer(fw_out(out), at);
}
template <class T> FW_HOST cudaError_t cudaMallocManaged(T** out, size_t bytes, unsigned flags) {
  return cudaMallocManaged(fw_out(out), bytes, flags);
}
template <class T> FW_HOST cudaError_t cudaMallocPitch(T** out, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch(fw_out(out), pitch, width, height);
}
template <class T> FW_HOST cudaError_t cudaMallocAsync(T** out, size_t bytes, cudaStream_t) {
  return cudaMalloc(fw_out(out), bytes);
}
template <class T>
FW_HOST cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset,
                                       cudaMemcpyKind kind) {
  return forewarp_copy_to_symbol(fw_shadow(symbol), from, bytes, offset, kind, nullptr, 1);
}
template <class T>
FW_HOST cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset,
                                         cudaMemcpyKind kind) {
  return forewarp_copy_from_symbol(to, fw_shadow(symbol), bytes, offset, kind, nullptr, 1);
}
template <class T>
FW_HOST cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset,
                                            cudaMemcpyKind kind, cudaStream_t stream) {
  return forewarp_copy_to_symbol(fw_shadow(symbol), from, bytes, offset, kind, stream, 0);
}
template <class T>
FW_HOST cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset,
                                              cudaMemcpyKind kind, cudaStream_t stream) {
  return forewarp_copy_from_symbol(to, fw_shadow(symbol), bytes, offset, kind, stream, 0);
}
template <class T> FW_HOST cudaError_t cudaGetSymbolAddress(void** out, const T& symbol) {
  return forewarp_symbol_address(out, fw_shadow(symbol));
}
template <class T> FW_HOST cudaError_t cudaGetSymbolSize(size_t* out, const T& symbol) {
  return forewarp_symbol_size(out, fw_shadow(symbol));
}
template <class T> FW_HOST cudaError_t cudaFuncSetCacheConfig(T*, cudaFuncCache) {
  return cudaSuccess;
}
template <class T> FW_HOST cudaError_t cudaFuncSetSharedMemConfig(T*, cudaSharedMemConfig) {
  return cudaSuccess;
}
template <class T>
FW_HOST cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return forewarp_func_set_attribute(fw_stub(kernel), attribute, value);
}
template <class T> FW_HOST cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, T* kernel) {
  return forewarp_func_get_attributes(out, fw_stub(kernel));
}
template <class T>
FW_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* out, T kernel, int size,
                                                                  size_t shared) {
  return forewarp_occupancy_blocks(out, fw_stub(kernel), size, shared);
}
template <class T>
FW_HOST cudaError_t cudaOccupancyMaxPotentialBlockSize(int* groups, int* size, T kernel, size_t shared,
                                                       int most) {
  return forewarp_occupancy_size(groups, size, fw_stub(kernel), shared, most);
}
template <class T>
FW_HOST cudaError_t cudaLaunchKernel(T* kernel, dim3 groups, dim3 size, void** arguments, size_t shared,
                                     cudaStream_t stream) {
  return cudaLaunchKernel(fw_stub(kernel), groups, size, arguments, shared, stream);
}
template <class T>
FW_HOST cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 groups, dim3 size, void** arguments,
                                                size_t shared, cudaStream_t stream) {
  return cudaLaunchCooperativeKernel(fw_stub(kernel), groups, size, arguments, shared, stream);
}
FW_HOST cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph, cudaGraphNode_t*, char*,
                                         size_t) {
  return cudaGraphInstantiate(out, graph, 0ull);
}
/// Of a vector: its elements.
template <class T, class = void> struct fw_channels {
  typedef T element;
};
template <class T> struct fw_channels<T, decltype(void(T().x))> {
  typedef decltype(T().x) element;
};
template <class T> FW_HOST cudaChannelFormatDesc cudaCreateChannelDesc() {
  typedef typename fw_channels<T>::element element;
  constexpr int bits = 8 * sizeof(element), count = sizeof(T) / sizeof(element);
  return cudaCreateChannelDesc(bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
                               static_cast<element>(0.5) != 0                            ? cudaChannelFormatKindFloat
                               : static_cast<element>(-1) < static_cast<element>(0) ? cudaChannelFormatKindSigned
                                                                                     : cudaChannelFormatKindUnsigned);
}
#undef FW_HOST
