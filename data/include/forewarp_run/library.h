// Libraries' algorithms in a program that `forewarp run` builds: one work-item goes over the program's own
// memory, for the results. How long the library takes on a GPU is not known; the report names the call with its
// number of items and their size.
#pragma once
#pragma clang system_header

extern "C" {
void forewarp_library_begin(const char* name, size_t items, size_t item_bytes, cudaStream_t stream);
void forewarp_library_end(int host_waits);
void* forewarp_library_room(size_t bytes);
}

#define FW_HOST inline __attribute__((host))
#define FW_CORE inline __attribute__((host, device))

template <class Body> __attribute__((global)) void forewarp_library_item(Body body) {
  body();
}

/// What a work-item found, for the host.
template <class Body, class Result> struct fw_answering {
  Body body;
  Result* out;
  FW_CORE void operator()() { *out = body(); }
};

/// One call of a library. Rooms go with it.
class fw_library_call {
public:
  FW_HOST fw_library_call(const char* name, size_t items, size_t item_bytes, cudaStream_t stream = nullptr) : stream_(stream) {
    forewarp_library_begin(name, items, item_bytes, stream);
  }
  fw_library_call(const fw_library_call&) = delete;
  FW_HOST ~fw_library_call() { forewarp_library_end(waits_ ? 1 : 0); }

  template <class T> FW_HOST T* room(size_t count) {
    return static_cast<T*>(forewarp_library_room((count == 0 ? 1 : count) * sizeof(T)));
  }
  template <class Body> FW_HOST void run(Body body) { forewarp_library_item<<<1, 1, 0, stream_>>>(body); }
  /// The host waits for it.
  template <class Result, class Body> FW_HOST Result answer(Body body) {
    Result* out = room<Result>(1);
    run(fw_answering<Body, Result>{body, out});
    waits_ = true;
    return *out;
  }

private:
  cudaStream_t stream_;
  bool waits_ = false;
};
