// Texture references and objects, and surfaces. A fetch is a read of an image, by the sampler that the launch gives to
// it; contents are not known. A surface's x counts bytes.
#pragma once
#pragma clang system_header

#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaSurfaceType2DLayered 0xF2

template <class T, int dimension = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
#if defined(FOREWARP_RUN) && !defined(__CUDA_ARCH__)
  __attribute__((host, device)) texture() : textureReference() {
    for (cudaTextureAddressMode& each : addressMode)
      each = cudaAddressModeClamp;
  }
  __attribute__((host, device)) texture(int is_normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address) : textureReference() {
    normalized = is_normalized;
    filterMode = filter;
    for (cudaTextureAddressMode& each : addressMode)
      each = address;
  }
#else
  __attribute__((host, device)) texture() {}
  __attribute__((host, device)) texture(int, cudaTextureFilterMode, cudaTextureAddressMode) {}
#endif
};
template <class T, int dimension = 1> struct __attribute__((device_builtin_surface_type)) surface {};

#ifdef FOREWARP_RUN
extern "C" {
cudaError_t forewarp_bind_texture(const textureReference*, const void*, const cudaChannelFormatDesc*, size_t, size_t, size_t, int);
cudaError_t forewarp_bind_array(const textureReference*, cudaArray_const_t, int);
cudaError_t forewarp_unbind_texture(const textureReference*);
}
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc();
template <class T, int d, cudaTextureReadMode m>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, d, m>& t, const void* at, const cudaChannelFormatDesc& format,
                                   size_t bytes = 0xffffffff) {
  if (offset)
    *offset = 0;
  return forewarp_bind_texture(&t, at, &format, bytes, 1, 0, m == cudaReadModeNormalizedFloat);
}
template <class T, int d, cudaTextureReadMode m>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, d, m>& t, const void* at, size_t bytes = 0xffffffff) {
  return cudaBindTexture(offset, t, at, cudaCreateChannelDesc<T>(), bytes);
}
/// As C has it: the address of the variable.
template <class T, int d, cudaTextureReadMode m>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, d, m>* t, const void* at, const cudaChannelFormatDesc* format,
                                   size_t bytes = 0xffffffff) {
  return cudaBindTexture(offset, *t, at, *format, bytes);
}
template <class T, int d, cudaTextureReadMode m>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, d, m>& t, const void* at, const cudaChannelFormatDesc& format, size_t width,
                                     size_t height, size_t pitch) {
  if (offset)
    *offset = 0;
  return forewarp_bind_texture(&t, at, &format, width, height, pitch, m == cudaReadModeNormalizedFloat);
}
template <class T, int d, cudaTextureReadMode m>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, d, m>& t, const void* at, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, t, at, cudaCreateChannelDesc<T>(), width, height, pitch);
}
template <class T, int d, cudaTextureReadMode m>
inline cudaError_t cudaBindTextureToArray(const texture<T, d, m>& t, cudaArray_const_t array, const cudaChannelFormatDesc&) {
  return forewarp_bind_array(&t, array, m == cudaReadModeNormalizedFloat);
}
template <class T, int d, cudaTextureReadMode m> inline cudaError_t cudaBindTextureToArray(const texture<T, d, m>& t, cudaArray_const_t array) {
  return forewarp_bind_array(&t, array, m == cudaReadModeNormalizedFloat);
}
template <class T, int d, cudaTextureReadMode m> inline cudaError_t cudaUnbindTexture(const texture<T, d, m>& t) {
  return forewarp_unbind_texture(&t);
}
template <class T, int d, cudaTextureReadMode m> inline cudaError_t cudaUnbindTexture(const texture<T, d, m>* t) {
  return forewarp_unbind_texture(t);
}
#else
template <class T, int d, cudaTextureReadMode m>
cudaError_t cudaBindTexture(size_t*, const texture<T, d, m>&, const void*, const cudaChannelFormatDesc&,
                            size_t = 0xffffffff);
template <class T, int d, cudaTextureReadMode m>
cudaError_t cudaBindTexture(size_t*, const texture<T, d, m>&, const void*, size_t = 0xffffffff);
template <class T, int d, cudaTextureReadMode m>
cudaError_t cudaBindTexture2D(size_t*, const texture<T, d, m>&, const void*, const cudaChannelFormatDesc&, size_t,
                              size_t, size_t);
template <class T, int d, cudaTextureReadMode m>
cudaError_t cudaBindTexture2D(size_t*, const texture<T, d, m>&, const void*, size_t, size_t, size_t);
template <class T, int d, cudaTextureReadMode m>
cudaError_t cudaBindTextureToArray(const texture<T, d, m>&, cudaArray_const_t, const cudaChannelFormatDesc&);
template <class T, int d, cudaTextureReadMode m>
cudaError_t cudaBindTextureToArray(const texture<T, d, m>&, cudaArray_const_t);
template <class T, int d, cudaTextureReadMode m> cudaError_t cudaUnbindTexture(const texture<T, d, m>&);
#endif

typedef float fw_f32x4 __attribute__((ext_vector_type(4)));
typedef int fw_i32x4 __attribute__((ext_vector_type(4)));
typedef short fw_i16x4 __attribute__((ext_vector_type(4)));
typedef signed char fw_i8x4 __attribute__((ext_vector_type(4)));

// What a texel type is read as.
template <class T> struct fw_texel;
template <class V> struct fw_tag {};
#define FW_TEXEL(type, element, vector)                                                                      \
  template <> struct fw_texel<type> {                                                                        \
    using read = vector;                                                                                     \
    FW_DEVICE type from(vector v) { return static_cast<type>(v.x); }                                         \
    FW_DEVICE vector to(type t) { return {static_cast<decltype(vector().x)>(t)}; }                           \
  };
#define FW_TEXELS(name, element, vector)                                                                     \
  FW_TEXEL(element, element, vector)                                                                         \
  template <> struct fw_texel<name##1> {                                                                     \
    using read = vector;                                                                                     \
    FW_DEVICE name##1 from(vector v) { return {static_cast<element>(v.x)}; }                                 \
    FW_DEVICE vector to(name##1 t) { return {static_cast<decltype(vector().x)>(t.x)}; }                      \
  };                                                                                                         \
  template <> struct fw_texel<name##2> {                                                                     \
    using read = vector;                                                                                     \
    FW_DEVICE name##2 from(vector v) { return {static_cast<element>(v.x), static_cast<element>(v.y)}; }      \
    FW_DEVICE vector to(name##2 t) {                                                                         \
      using lane = decltype(vector().x);                                                                     \
      return {static_cast<lane>(t.x), static_cast<lane>(t.y)};                                               \
    }                                                                                                        \
  };                                                                                                         \
  template <> struct fw_texel<name##4> {                                                                     \
    using read = vector;                                                                                     \
    FW_DEVICE name##4 from(vector v) {                                                                       \
      return {static_cast<element>(v.x), static_cast<element>(v.y), static_cast<element>(v.z),               \
              static_cast<element>(v.w)};                                                                    \
    }                                                                                                        \
    FW_DEVICE vector to(name##4 t) {                                                                         \
      using lane = decltype(vector().x);                                                                     \
      return {static_cast<lane>(t.x), static_cast<lane>(t.y), static_cast<lane>(t.z), static_cast<lane>(t.w)}; \
    }                                                                                                        \
  };
FW_TEXELS(float, float, fw_f32x4)
FW_TEXELS(int, int, fw_i32x4)
FW_TEXELS(uint, unsigned, fw_i32x4)
FW_TEXELS(short, short, fw_i16x4)
FW_TEXELS(ushort, unsigned short, fw_i16x4)
FW_TEXELS(char, signed char, fw_i8x4)
FW_TEXELS(uchar, unsigned char, fw_i8x4)
FW_TEXEL(char, char, fw_i8x4)
#undef FW_TEXELS
#undef FW_TEXEL

// Read as normalised float whatever the texels are.
template <class T, cudaTextureReadMode mode> struct fw_fetched {
  using type = T;
};
template <class T> struct fw_floats {
  using type = float;
};
#define FW_FLOATS(name)                                                                                      \
  template <> struct fw_floats<name##2> {                                                                    \
    using type = float2;                                                                                     \
  };                                                                                                         \
  template <> struct fw_floats<name##4> {                                                                    \
    using type = float4;                                                                                     \
  };
FW_FLOATS(char)
FW_FLOATS(uchar)
FW_FLOATS(short)
FW_FLOATS(ushort)
#undef FW_FLOATS
template <class T> struct fw_fetched<T, cudaReadModeNormalizedFloat> : fw_floats<T> {};

#define FW_SURFACES(vector, suffix)                                                                          \
  __attribute__((device, pure, nothrow)) vector fw_surface_1d_##suffix(const void*, int);                    \
  __attribute__((device, pure, nothrow)) vector fw_surface_2d_##suffix(const void*, int, int);               \
  __attribute__((device, pure, nothrow)) vector fw_surface_3d_##suffix(const void*, int, int, int);          \
  __attribute__((device, nothrow)) void fw_surface_write_1d_##suffix(void*, vector, int);                    \
  __attribute__((device, nothrow)) void fw_surface_write_2d_##suffix(void*, vector, int, int);               \
  __attribute__((device, nothrow)) void fw_surface_write_3d_##suffix(void*, vector, int, int, int);          \
  FW_DEVICE vector fw_surface(fw_tag<vector>, const void* s, int x) { return fw_surface_1d_##suffix(s, x); } \
  FW_DEVICE vector fw_surface(fw_tag<vector>, const void* s, int x, int y) {                                 \
    return fw_surface_2d_##suffix(s, x, y);                                                                  \
  }                                                                                                          \
  FW_DEVICE vector fw_surface(fw_tag<vector>, const void* s, int x, int y, int z) {                          \
    return fw_surface_3d_##suffix(s, x, y, z);                                                               \
  }                                                                                                          \
  FW_DEVICE void fw_surface_write(void* s, vector v, int x) { fw_surface_write_1d_##suffix(s, v, x); }       \
  FW_DEVICE void fw_surface_write(void* s, vector v, int x, int y) {                                         \
    fw_surface_write_2d_##suffix(s, v, x, y);                                                                \
  }                                                                                                          \
  FW_DEVICE void fw_surface_write(void* s, vector v, int x, int y, int z) {                                  \
    fw_surface_write_3d_##suffix(s, v, x, y, z);                                                             \
  }
FW_SURFACES(fw_f32x4, f32)
FW_SURFACES(fw_i32x4, i32)
FW_SURFACES(fw_i16x4, i16)
FW_SURFACES(fw_i8x4, i8)
#undef FW_SURFACES

#define FW_FETCHES(vector, suffix)                                                                           \
  __attribute__((device, pure, nothrow)) vector fw_texture_buffer_##suffix(const void*, int);                \
  __attribute__((device, pure, nothrow)) vector fw_texture_1d_##suffix(const void*, float);                  \
  __attribute__((device, pure, nothrow)) vector fw_texture_2d_##suffix(const void*, float, float);           \
  __attribute__((device, pure, nothrow)) vector fw_texture_3d_##suffix(const void*, float, float, float);    \
  FW_DEVICE vector fw_fetch(fw_tag<vector>, const void* t, int x) { return fw_texture_buffer_##suffix(t, x); } \
  FW_DEVICE vector fw_fetch(fw_tag<vector>, const void* t, float x) { return fw_texture_1d_##suffix(t, x); } \
  FW_DEVICE vector fw_fetch(fw_tag<vector>, const void* t, float x, float y) {                               \
    return fw_texture_2d_##suffix(t, x, y);                                                                  \
  }                                                                                                          \
  FW_DEVICE vector fw_fetch(fw_tag<vector>, const void* t, float x, float y, float z) {                      \
    return fw_texture_3d_##suffix(t, x, y, z);                                                               \
  }
FW_FETCHES(fw_f32x4, f32)
FW_FETCHES(fw_i32x4, i32)
FW_FETCHES(fw_i16x4, i16)
FW_FETCHES(fw_i8x4, i8)
#undef FW_FETCHES

template <class T, class... Coordinates> FW_DEVICE T fw_read_texture(const void* t, Coordinates... at) {
  return fw_texel<T>::from(fw_fetch(fw_tag<typename fw_texel<T>::read>(), t, at...));
}

#define FW_TEXTURE_FUNCTION(name, dimension, parameters, arguments)                                          \
  template <class T, cudaTextureReadMode m>                                                                  \
  FW_DEVICE typename fw_fetched<T, m>::type name(const texture<T, dimension, m>& t, FW_UNPACK parameters) {  \
    return fw_read_texture<typename fw_fetched<T, m>::type>(&t, FW_UNPACK arguments);                        \
  }                                                                                                          \
  template <class T> FW_DEVICE T name(cudaTextureObject_t t, FW_UNPACK parameters) {                         \
    return fw_read_texture<T>(reinterpret_cast<const void*>(t), FW_UNPACK arguments);                        \
  }                                                                                                          \
  template <class T> FW_DEVICE void name(T* to, cudaTextureObject_t t, FW_UNPACK parameters) {               \
    *to = fw_read_texture<T>(reinterpret_cast<const void*>(t), FW_UNPACK arguments);                         \
  }
#define FW_UNPACK(...) __VA_ARGS__
FW_TEXTURE_FUNCTION(tex1Dfetch, 1, (int x), (x))
FW_TEXTURE_FUNCTION(tex1D, 1, (float x), (x))
FW_TEXTURE_FUNCTION(tex2D, 2, (float x, float y), (x, y))
FW_TEXTURE_FUNCTION(tex3D, 3, (float x, float y, float z), (x, y, z))
FW_TEXTURE_FUNCTION(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer),
                    (x, y, static_cast<float>(layer)))
FW_TEXTURE_FUNCTION(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, static_cast<float>(layer)))
// Six faces are six layers; which one the direction meets is not worked out.
FW_TEXTURE_FUNCTION(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z))
FW_TEXTURE_FUNCTION(tex3DLod, 3, (float x, float y, float z, float), (x, y, z))
FW_TEXTURE_FUNCTION(tex1DLod, 1, (float x, float), (x))
FW_TEXTURE_FUNCTION(tex2DLod, 2, (float x, float y, float), (x, y))
#undef FW_TEXTURE_FUNCTION
#undef FW_UNPACK

// The mode at the end (zero, clamp, trap) costs nothing.
#define FW_SURFACE(dimension, axes, parameters, arguments)                                                   \
  template <class T> FW_DEVICE T surf##dimension##read(cudaSurfaceObject_t s, FW_UNPACK parameters, int = 0) { \
    return fw_texel<T>::from(fw_surface(fw_tag<typename fw_texel<T>::read>(), reinterpret_cast<const void*>(s), \
                                        FW_UNPACK arguments));                                               \
  }                                                                                                          \
  template <class T>                                                                                         \
  FW_DEVICE void surf##dimension##read(T* to, cudaSurfaceObject_t s, FW_UNPACK parameters, int = 0) {        \
    *to = surf##dimension##read<T>(s, FW_UNPACK arguments);                                                  \
  }                                                                                                          \
  template <class T>                                                                                         \
  FW_DEVICE void surf##dimension##write(T value, cudaSurfaceObject_t s, FW_UNPACK parameters, int = 0) {     \
    fw_surface_write(reinterpret_cast<void*>(s), fw_texel<T>::to(value), FW_UNPACK arguments);               \
  }                                                                                                          \
  template <class T, class V> FW_DEVICE T surf##dimension##read(const surface<V, axes>& s, FW_UNPACK parameters, \
                                                                int = 0) {                                   \
    return fw_texel<T>::from(fw_surface(fw_tag<typename fw_texel<T>::read>(), &s, FW_UNPACK arguments));     \
  }                                                                                                          \
  template <class T, class V>                                                                                \
  FW_DEVICE void surf##dimension##read(T* to, const surface<V, axes>& s, FW_UNPACK parameters, int = 0) {    \
    *to = surf##dimension##read<T>(s, FW_UNPACK arguments);                                                  \
  }                                                                                                          \
  template <class T, class V>                                                                                \
  FW_DEVICE void surf##dimension##write(T value, const surface<V, axes>& s, FW_UNPACK parameters, int = 0) { \
    fw_surface_write(const_cast<surface<V, axes>*>(&s), fw_texel<T>::to(value), FW_UNPACK arguments);        \
  }
#define FW_UNPACK(...) __VA_ARGS__
FW_SURFACE(1D, 1, (int x), (x))
FW_SURFACE(2D, 2, (int x, int y), (x, y))
FW_SURFACE(3D, 3, (int x, int y, int z), (x, y, z))
FW_SURFACE(2DLayered, cudaSurfaceType2DLayered, (int x, int y, int layer), (x, y, layer))
#undef FW_UNPACK
#undef FW_SURFACE
