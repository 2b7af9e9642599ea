// Survey propagation, second step: a thread takes a clause of three literals. A variable's own part in the
// products is divided out; eta is the chance that both other variables are pushed the wrong way.
#define LITERALS 3

__global__ void survey_eta(const int* variable, const unsigned char* negated, const float* want_true,
                           const float* want_false, const float* eta, float* next, int clauses) {
  int clause = blockIdx.x * blockDim.x + threadIdx.x;
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
