// Survey propagation on a random satisfiability instance, first step: for each variable the products of 1 - eta over
// the clauses that want it true and over those that want it false.
__kernel void survey_pi(__global const int* literal_begin, __global const int* literal, __global const uchar* negated,
                        __global const float* eta, __global float* want_true, __global float* want_false,
                        int variables) {
  int variable = get_global_id(0);
  if (variable >= variables)
    return;
  float positive = 1.0f, negative = 1.0f;
  for (int i = literal_begin[variable]; i < literal_begin[variable + 1]; ++i) {
    int l = literal[i];
    if (negated[l])
      negative *= 1.0f - eta[l];
    else
      positive *= 1.0f - eta[l];
  }
  want_true[variable] = positive;
  want_false[variable] = negative;
}
