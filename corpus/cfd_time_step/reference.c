void reference_cfd_time_step(void** v) {
  const float *old_variable = v[0], *step_factor = v[1], *flux = v[2];
  float* variable = v[3];
  int stage = *(int*)v[4], elements = *(int*)v[5];
  for (int at = 0; at < 5 * elements; ++at)
    variable[at] = old_variable[at] + step_factor[at % elements] / (float)(3 - stage) * flux[at];
}
