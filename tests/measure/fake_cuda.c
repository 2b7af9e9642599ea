/* Stands in for libcuda.so.1 where there is no GPU, so that the CUDA side of forewarp-measure can be tested: device
 * memory is host memory, and what a "kernel" does follows from its name. It says nothing about real drivers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, UNSUPPORTED_PTX = 222, ILLEGAL_ADDRESS = 700 };
enum { MEMORY_LIMIT = 1 << 28, SHARED_OF_SM = 228 * 1024, SHARED_OF_GROUP = 227 * 1024, MOST_GROUPS = 8 };

static int sticky, pending;  /* error of the context; kernel that the next wait meets: 1 hangs, 2 faults */
static double now_ms, launch_ms;
static int max_dynamic = 48 * 1024;

typedef struct { char name[64]; } Kernel;

static int number_of(const char* variable, int usual) { return getenv(variable) ? atoi(getenv(variable)) : usual; }

int cuInit(unsigned flags) { return flags ? INVALID_VALUE : number_of("FAKE_CUDA_INIT", SUCCESS); }
int cuDriverGetVersion(int* version) { return *version = 12040, SUCCESS; }
int cuDeviceGetCount(int* count) { return *count = getenv("FAKE_CUDA_EMPTY") ? 0 : 1, SUCCESS; }
int cuDeviceGet(int* device, int index) { return *device = index, SUCCESS; }
int cuDeviceGetName(char* name, int size, int device) {
  (void)device;
  return snprintf(name, (size_t)size, "Fake GPU"), SUCCESS;
}
int cuDeviceTotalMem_v2(size_t* bytes, int device) { return (void)device, *bytes = MEMORY_LIMIT, SUCCESS; }
int cuDeviceGetPCIBusId(char* id, int size, int device) {
  (void)device;
  return snprintf(id, (size_t)size, "0000:00:00.0"), SUCCESS;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  (void)device;
  switch (attribute) {
  case 16: return *value = 4, SUCCESS; /* multiprocessors */
  case 38: return *value = 1 << 20, SUCCESS; /* L2 */
  case 39: return *value = 2048, SUCCESS; /* threads of an SM */
  case 75: return *value = number_of("FAKE_CUDA_MAJOR", 9), SUCCESS;
  case 76: return *value = 0, SUCCESS;
  case 81: return *value = SHARED_OF_SM, SUCCESS;
  case 82: return *value = 65536, SUCCESS; /* registers of an SM */
  case 106: return *value = 32, SUCCESS; /* groups of an SM */
  case 97: return *value = SHARED_OF_GROUP, SUCCESS;
  default: return *value = 1, SUCCESS;
  }
}
int cuDevicePrimaryCtxRetain(void** context, int device) { return (void)device, *context = &sticky, SUCCESS; }
int cuCtxSetCurrent(void* context) { return context ? SUCCESS : INVALID_VALUE; }
int cuCtxSynchronize(void) { return sticky; }
int cuModuleLoadDataEx(void** module, const void* code, unsigned n, int* options, void** values) {
  (void)n, (void)options, (void)values;
  if (sticky)
    return sticky;
  *module = malloc(1);
  return strstr(code, "newer than the driver") ? UNSUPPORTED_PTX : SUCCESS;
}
int cuModuleUnload(void* module) { return free(module), SUCCESS; }
int cuModuleGetFunction(void** function, void* module, const char* name) {
  (void)module;
  Kernel* kernel = calloc(1, sizeof *kernel);
  snprintf(kernel->name, sizeof kernel->name, "%s", name);
  return *function = kernel, SUCCESS;
}
int cuFuncGetAttribute(int* value, int attribute, void* function) {
  (void)function;
  return *value = attribute == 4 ? 24 : attribute == 0 ? 1024 : 0, SUCCESS;
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
  (void)function;
  if (attribute != 8 || value > SHARED_OF_GROUP)
    return INVALID_VALUE;
  return max_dynamic = value, SUCCESS;
}
int cuMemAlloc_v2(unsigned long long* pointer, size_t bytes) {
  if (sticky)
    return sticky;
  if (bytes > MEMORY_LIMIT)
    return OUT_OF_MEMORY;
  return *pointer = (unsigned long long)malloc(bytes), SUCCESS;
}
int cuMemFree_v2(unsigned long long pointer) { return free((void*)pointer), SUCCESS; }
int cuMemcpyHtoD_v2(unsigned long long to, const void* from, size_t bytes) {
  return memcpy((void*)to, from, bytes), sticky;
}
int cuMemcpyDtoH_v2(void* to, unsigned long long from, size_t bytes) {
  return memcpy(to, (void*)from, bytes), sticky;
}
int cuMemcpyDtoD_v2(unsigned long long to, unsigned long long from, size_t bytes) {
  return memcpy((void*)to, (void*)from, bytes), sticky;
}
int cuMemsetD8_v2(unsigned long long to, unsigned char value, size_t bytes) {
  return memset((void*)to, value, bytes), sticky;
}
/* tests/measure/two_locals as the PTX does it: the local arguments are offsets into the launch's shared memory. */
static int two_locals(void** parameters, unsigned groups, unsigned items, unsigned shared) {
  const float* in = *(float**)parameters[0];
  float* out = *(float**)parameters[1];
  const unsigned long long first_at = *(unsigned long long*)parameters[2], second_at = *(unsigned long long*)parameters[3];
  if (first_at % 4 || second_at % 8 || first_at + 4 * (items + 1) > shared || second_at + 8 * items > shared)
    return INVALID_VALUE;
  char* memory = malloc(shared);
  float* first = (float*)(memory + first_at);
  double* second = (double*)(memory + second_at);
  for (unsigned group = 0; group < groups; ++group, in += items, out += items) {
    first[items] = 1;
    for (unsigned item = 0; item < items; ++item) {
      first[item] = in[item];
      second[items - 1 - item] = 2.0 * in[item];
    }
    for (unsigned item = 0; item < items; ++item)
      out[item] = first[(item + 1) % items] + (float)second[item] + first[items];
  }
  free(memory);
  return SUCCESS;
}
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void* stream, void** parameters, void** extra) {
  const char* name = ((Kernel*)function)->name;
  (void)gy, (void)gz, (void)by, (void)bz, (void)stream, (void)extra;
  if (sticky)
    return sticky;
  if ((int)shared > max_dynamic)
    return INVALID_VALUE;
  if (!strcmp(name, "copy")) { /* (source, destination, count of floats) */
    memcpy(*(void**)parameters[1], *(void**)parameters[0], 4 * (size_t) * (unsigned*)parameters[2]);
  } else if (!strcmp(name, "two_locals") && two_locals(parameters, gx, bx, shared)) {
    return INVALID_VALUE;
  } else if (!strcmp(name, "forewarp_sm_clock")) {
    unsigned long long* out = *(unsigned long long**)parameters[0];
    out[0] = 3000000, out[1] = 2000000; /* 1500 MHz */
  } else if (!strcmp(name, "abort")) {
    abort();
  }
  pending = !strcmp(name, "hang") ? 1 : !strcmp(name, "fault") ? 2 : 0;
  launch_ms = 0.001 * gx * bx / 128 * (1 + shared / 65536.0);
  return now_ms += launch_ms, SUCCESS;
}
int cuEventCreate(void** event, unsigned flags) { return (void)flags, *event = calloc(1, sizeof(double)), SUCCESS; }
int cuEventRecord(void* event, void* stream) { return (void)stream, *(double*)event = now_ms, sticky; }
int cuEventSynchronize(void* event) {
  (void)event;
  while (pending == 1)
    sleep(1);
  if (pending == 2)
    sticky = ILLEGAL_ADDRESS;
  return sticky;
}
int cuEventElapsedTime(float* ms, void* begin, void* end) {
  return *ms = (float)(*(double*)end - *(double*)begin), SUCCESS;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* groups, void* function, int threads, size_t shared) {
  (void)function, (void)threads;
  const int by_shared = (int)(SHARED_OF_SM / (shared + 1024));
  return *groups = by_shared < MOST_GROUPS ? by_shared : MOST_GROUPS, SUCCESS;
}
int cuMemAllocHost_v2(void** memory, size_t bytes) { return *memory = malloc(bytes), SUCCESS; }
int cuMemFreeHost(void* memory) { return free(memory), SUCCESS; }
int cuGetErrorName(int status, const char** name) {
  return *name = status == ILLEGAL_ADDRESS ? "ILLEGAL_ADDRESS" : "SOME_ERROR", SUCCESS;
}
int cuGetErrorString(int status, const char** text) { return (void)status, *text = "an error of the fake", SUCCESS; }
