// The binomial form of the expected error.
#include "objectives.hpp"

#include <limits>

namespace niwaki {
namespace {

// Lentz's method for the continued fraction of the incomplete beta function.
double beta_fraction(double a, double b, double x) {
    constexpr double tiny = 1e-300;
    double c = 1.0;
    double d = 1.0 - (a + b) * x / (a + 1.0);
    d = 1.0 / (std::fabs(d) < tiny ? tiny : d);
    double product = d;
    for (int m = 1; m < 10000; ++m) {
        for (int half = 0; half < 2; ++half) {
            const double term = half == 0
                                    ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                                    : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1.0 + term * d;
            d = 1.0 / (std::fabs(d) < tiny ? tiny : d);
            c = 1.0 + term / c;
            c = std::fabs(c) < tiny ? tiny : c;
            const double factor = c * d;
            product *= factor;
            if (half == 1 && std::fabs(factor - 1.0) < 1e-16)
                return product;
        }
    }
    return product;
}

} // namespace

double incomplete_beta(double a, double b, double x) {
    if (x <= 0.0)
        return 0.0;
    if (x >= 1.0)
        return 1.0;
    const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                  a * std::log(x) + b * std::log1p(-x));
    return x < (a + 1.0) / (a + b + 2.0) ? front * beta_fraction(a, b, x) / a
                                         : 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

// The rate at which so few errors have the probability `confidence`.
double ExpectedErrors::binomial_rate(double weight, double errors) const {
    if (errors >= weight)
        return 1.0;
    double low = 0.0;
    double high = 1.0;
    for (int halving = 0; halving < 200 && high - low > 1e-16; ++halving) {
        const double middle = (low + high) / 2;
        if (incomplete_beta(errors + 1.0, weight - errors, middle) < 1.0 - confidence_)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

} // namespace niwaki
