/* Starts blur.cl; never built here: `forewarp predict blur.cl --host blur_host.c` reads it. */
#include <CL/cl.h>
#include <stdlib.h>

#define WIDTH 2048

int main(int argc, char** argv) {
  int width = WIDTH, height = 1024;
  cl_int error;
  cl_platform_id platform;
  cl_device_id device;
  clGetPlatformIDs(1, &platform, NULL);
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL);
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  if (error != CL_SUCCESS)
    return EXIT_FAILURE;
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  const char* text = "...";
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  clBuildProgram(program, 1, &device, "", NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "blur", &error);
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY, width * height * sizeof(float), NULL, &error);
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, width * height * sizeof(float), NULL, &error);
  size_t local[2] = {32, 8};
  size_t global[2] = {width, height};
  clSetKernelArg(kernel, 0, sizeof(cl_mem), &in);
  clSetKernelArg(kernel, 1, sizeof(cl_mem), &out);
  clSetKernelArg(kernel, 2, sizeof(int), &width);
  clSetKernelArg(kernel, 3, sizeof(int), &height);
  clSetKernelArg(kernel, 4, local[0] * local[1] * sizeof(float), NULL);
  clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
  clFinish(queue);
  return 0;
}
