enum { TILE = 16 };

void backprop_layer_forward(const float* input, const float* weight, float* signal, float* partial, int inputs,
                            int outputs) {
  for (int first = 0; first < inputs; first += TILE)
    for (int output = 0; output < outputs; ++output) {
      double sum = 0;
      for (int i = first + 1; i <= first + TILE; ++i) {
        int at = i * (outputs + 1) + output + 1;
        signal[at] = weight[at] * input[i];
        sum += signal[at];
      }
      partial[first / TILE * outputs + output] = (float)sum;
    }
}

void reference_backprop_layer_forward(void** v) {
  backprop_layer_forward(v[0], v[1], v[2], v[3], *(int*)v[4], *(int*)v[5]);
}
