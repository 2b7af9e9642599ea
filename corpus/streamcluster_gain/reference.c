void reference_streamcluster_gain(void** v) {
  const float *coordinate = v[0], *weight = v[1], *cost = v[3];
  const int *assigned = v[2], *centre_entry = v[4];
  float* change_of = v[5];
  unsigned char* switches = v[6];
  int points = *(int*)v[7], dimensions = *(int*)v[8], candidate = *(int*)v[9], row_length = *(int*)v[10];
  for (int point = 0; point < points; ++point) {
    float distance = 0;
    for (int d = 0; d < dimensions; ++d) {
      float difference = coordinate[d * points + point] - coordinate[d * points + candidate];
      distance += difference * difference;
    }
    float change = distance * weight[point] - cost[point];
    if (change < 0) {
      switches[point] = 1;
      change_of[point * row_length + row_length - 1] = change;
    } else {
      change_of[point * row_length + centre_entry[assigned[point]]] -= change;
    }
  }
}
