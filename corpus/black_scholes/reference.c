#include <math.h>

static double normal_cdf(double d) {
  double k = 1 / (1 + 0.2316419 * fabs(d));
  double tail = 0.39894228 * exp(-0.5 * d * d) *
                (k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
  return d > 0 ? 1 - tail : tail;
}

void black_scholes(const float* price_unit, const float* strike_unit, const float* years_unit, float* call, float* put,
                   int n) {
  for (int i = 0; i < n; ++i) {
    double price = 5 + 25 * price_unit[i], strike = 1 + 99 * strike_unit[i], years = 0.25 + 9.75 * years_unit[i];
    double rate = 0.02, volatility = 0.3, root = sqrt(years);
    double d1 = (log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / (volatility * root);
    double d2 = d1 - volatility * root, discounted = strike * exp(-rate * years);
    call[i] = (float)(price * normal_cdf(d1) - discounted * normal_cdf(d2));
    put[i] = (float)(discounted * (1 - normal_cdf(d2)) - price * (1 - normal_cdf(d1)));
  }
}

void reference_black_scholes(void** v) { black_scholes(v[0], v[1], v[2], v[3], v[4], *(int*)v[5]); }
