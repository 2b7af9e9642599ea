void state_machine(const unsigned char* text, const unsigned char* table, int* accepted, int texts,
                   int length) {
  for (int i = 0; i < texts; ++i) {
    int state = 0, hits = 0;
    for (int k = 0; k < length; ++k) {
      state = table[state * 256 + text[i * length + k]];
      hits += state == 0;
    }
    accepted[i] = hits;
  }
}

void reference_state_machine(void** v) {
  state_machine(v[0], v[1], v[2], *(int*)v[3], *(int*)v[4]);
}
