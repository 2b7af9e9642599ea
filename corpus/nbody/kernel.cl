// Accelerations of all bodies on all bodies, a tile of GROUP bodies at a time through shared memory.
#define GROUP 256

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void nbody(__global const float4* body, __global float4* acceleration, int n) {
  __local float4 tile[GROUP];
  int i = get_global_id(0);
  float4 me = body[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int first = 0; first < n; first += GROUP) {
    tile[get_local_id(0)] = body[first + get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < GROUP; ++j) {
      float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 1.0e-4f);
      float scale = tile[j].w * inverse * inverse * inverse;
      ax += dx * scale;
      ay += dy * scale;
      az += dz * scale;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  acceleration[i] = (float4)(ax, ay, az, 0.0f);
}
