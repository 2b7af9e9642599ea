#define RATE 0.3f
#define MOMENTUM 0.3f

void backprop_adjust_weights(const float* delta, const float* activation, float* weight, float* last_step, int inputs,
                             int outputs) {
  for (int input = 0; input <= inputs; ++input)
    for (int output = 1; output <= outputs; ++output) {
      int at = input * (outputs + 1) + output;
      float signal = input == 0 ? 1.0f : activation[input];
      last_step[at] = RATE * delta[output] * signal + MOMENTUM * last_step[at];
      weight[at] += last_step[at];
    }
}

void reference_backprop_adjust_weights(void** v) {
  backprop_adjust_weights(v[0], v[1], v[2], v[3], *(int*)v[4], *(int*)v[5]);
}
