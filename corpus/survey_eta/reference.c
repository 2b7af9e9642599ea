void survey_eta(const int* variable, const unsigned char* negated, const float* want_true,
                const float* want_false, const float* eta, float* next, int clauses) {
  for (int clause = 0; clause < clauses; ++clause) {
    float pushed[3];
    for (int l = 0; l < 3; ++l) {
      int at = 3 * clause + l;
      double agreeing = negated[at] ? want_false[variable[at]] : want_true[variable[at]];
      double opposing = negated[at] ? want_true[variable[at]] : want_false[variable[at]];
      agreeing /= 1.0 - eta[at];
      double unsatisfied = (1.0 - opposing) * agreeing, satisfied = (1.0 - agreeing) * opposing;
      pushed[l] = (float)(unsatisfied / (unsatisfied + satisfied + agreeing * opposing));
    }
    next[3 * clause] = pushed[1] * pushed[2];
    next[3 * clause + 1] = pushed[2] * pushed[0];
    next[3 * clause + 2] = pushed[0] * pushed[1];
  }
}

void reference_survey_eta(void** v) {
  survey_eta(v[0], v[1], v[2], v[3], v[4], v[5], *(int*)v[6]);
}
