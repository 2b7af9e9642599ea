// European options by the Black-Scholes formula; price in [5, 30), strike in [1, 100), years in [0.25, 10).
float normal_cdf(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float tail = 0.39894228f * exp(-0.5f * d * d) *
               (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0.0f ? 1.0f - tail : tail;
}

__kernel void black_scholes(__global const float* price_unit, __global const float* strike_unit,
                            __global const float* years_unit, __global float* call, __global float* put, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float price = 5.0f + 25.0f * price_unit[i], strike = 1.0f + 99.0f * strike_unit[i];
  float years = 0.25f + 9.75f * years_unit[i];
  float rate = 0.02f, volatility = 0.3f;
  float root = sqrt(years);
  float d1 = (log(price / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
  float d2 = d1 - volatility * root;
  float discounted = strike * exp(-rate * years);
  call[i] = price * normal_cdf(d1) - discounted * normal_cdf(d2);
  put[i] = discounted * (1.0f - normal_cdf(d2)) - price * (1.0f - normal_cdf(d1));
}
