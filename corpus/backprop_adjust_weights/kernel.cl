// Gradient step with momentum on the weights between two layers; row 0 is the bias row.
#define TILE 16
#define RATE 0.3f
#define MOMENTUM 0.3f

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void backprop_adjust_weights(__global const float* delta, __global const float* activation, __global float* weight,
                             __global float* last_step, int inputs, int outputs) {
  int output = get_global_id(0) + 1;
  int input = get_global_id(1) + 1;
  if (input > inputs || output > outputs)
    return;
  int at = input * (outputs + 1) + output;
  float step = RATE * delta[output] * activation[input] + MOMENTUM * last_step[at];
  weight[at] += step;
  last_step[at] = step;
  if (input == 1) {
    float bias_step = RATE * delta[output] + MOMENTUM * last_step[output];
    weight[output] += bias_step;
    last_step[output] = bias_step;
  }
}
