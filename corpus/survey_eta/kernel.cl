// Survey propagation, second step: a work-item takes a clause of three literals. A variable's own part in the
// products is divided out; eta is the chance that both other variables are pushed the wrong way.
#define LITERALS 3

__kernel void survey_eta(__global const int* variable, __global const uchar* negated, __global const float* want_true,
                         __global const float* want_false, __global const float* eta, __global float* next,
                         int clauses) {
  int clause = get_global_id(0);
  if (clause >= clauses)
    return;
  float pushed[LITERALS];
#pragma unroll
  for (int l = 0; l < LITERALS; ++l) {
    int at = clause * LITERALS + l;
    int v = variable[at];
    float agreeing = negated[at] ? want_false[v] : want_true[v];
    float opposing = negated[at] ? want_true[v] : want_false[v];
    agreeing /= 1.0f - eta[at];
    float unsatisfied = (1.0f - opposing) * agreeing;
    float satisfied = (1.0f - agreeing) * opposing;
    pushed[l] = unsatisfied / (unsatisfied + satisfied + agreeing * opposing);
  }
#pragma unroll
  for (int l = 0; l < LITERALS; ++l)
    next[clause * LITERALS + l] = pushed[(l + 1) % LITERALS] * pushed[(l + 2) % LITERALS];
}
