// Each work-item runs an automaton of `states` states over a text of its own, byte by byte: two dependent loads a
// byte.
__kernel void state_machine(__global const uchar* text, __global const uchar* table, __global int* accepted, int texts,
                            int length) {
  int i = get_global_id(0);
  if (i >= texts)
    return;
  int state = 0, hits = 0;
  for (int k = 0; k < length; ++k) {
    state = table[state * 256 + text[i * length + k]];
    hits += state == 0;
  }
  accepted[i] = hits;
}
