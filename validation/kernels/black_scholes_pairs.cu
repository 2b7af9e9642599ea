// Prices of European calls and puts by Black and Scholes, with the normal distribution by the polynomial of
// Abramowitz and Stegun 26.2.17, two options a thread.
static __device__ __forceinline__ float normal_below(float d) {
  float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
  float tail = 0.39894228f * __expf(-0.5f * d * d) *
               (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0.0f ? 1.0f - tail : tail;
}

static __device__ __forceinline__ void price(float& call, float& put, float spot, float strike, float years, float rate, float volatility) {
  float root = sqrtf(years);
  float d1 = __fdividef(__logf(spot / strike) + (rate + 0.5f * volatility * volatility) * years, volatility * root);
  float d2 = d1 - volatility * root;
  float p1 = normal_below(d1);
  float p2 = normal_below(d2);
  float discounted = strike * __expf(-rate * years);
  call = spot * p1 - discounted * p2;
  put = discounted * (1.0f - p2) - spot * (1.0f - p1);
}

extern "C" __global__ void __launch_bounds__(128)
    black_scholes(float2* call, float2* put, const float2* spot, const float2* strike, const float2* years, float rate, float volatility,
                  int pairs) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= pairs)
    return;
  float2 calls, puts;
  price(calls.x, puts.x, spot[at].x, strike[at].x, years[at].x, rate, volatility);
  price(calls.y, puts.y, spot[at].y, strike[at].y, years[at].y, rate, volatility);
  call[at] = calls;
  put[at] = puts;
}
