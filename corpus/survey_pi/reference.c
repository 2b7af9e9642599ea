void survey_pi(const int* literal_begin, const int* literal, const unsigned char* negated, const float* eta,
               float* want_true, float* want_false, int variables) {
  for (int variable = 0; variable < variables; ++variable) {
    float product[2] = {1.0f, 1.0f};
    for (int i = literal_begin[variable]; i < literal_begin[variable + 1]; ++i)
      product[negated[literal[i]] != 0] *= 1.0f - eta[literal[i]];
    want_true[variable] = product[0];
    want_false[variable] = product[1];
  }
}

void reference_survey_pi(void** v) {
  survey_pi(v[0], v[1], v[2], v[3], v[4], v[5], *(int*)v[6]);
}
