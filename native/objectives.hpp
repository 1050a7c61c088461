// Numbers for trees: the pessimistic number of errors of a leaf.
#pragma once

#include <cmath>
#include <cstdint>

namespace niwaki {

enum class ErrorBound : std::uint8_t { normal = 0, binomial = 1 };

// Regularised incomplete beta function, by its continued fraction.
double incomplete_beta(double a, double b, double x);

// Expected errors of a leaf. For the normal bound `deviate` is the one-sided quantile of
// 1 - confidence; the binomial bound inverts the distribution itself.
class ExpectedErrors {
public:
    ExpectedErrors(double confidence, double deviate, ErrorBound bound)
        : confidence_(confidence), square_(deviate * deviate), bound_(bound) {}

    double operator()(double weight, double errors) const {
        if (weight <= 0)
            return 0.0;
        return bound_ == ErrorBound::binomial ? weight * binomial_rate(weight, errors)
                                              : errors + added(weight, errors);
    }

private:
    double added(double weight, double errors) const {
        if (errors < 1e-6)
            return weight * (1.0 - std::pow(confidence_, 1.0 / weight));
        if (errors < 0.9999) {
            const double none = weight * (1.0 - std::pow(confidence_, 1.0 / weight));
            return none + errors * (added(weight, 1.0) - none);
        }
        if (errors + 0.5 >= weight)
            return 0.67 * (weight - errors);
        const double middle = errors + 0.5;
        const double root = std::sqrt(square_ * (middle * (1.0 - middle / weight) + square_ / 4.0));
        return weight * (middle + square_ / 2.0 + root) / (weight + square_) - errors;
    }

    double binomial_rate(double weight, double errors) const;

    double confidence_;
    double square_;
    ErrorBound bound_;
};

} // namespace niwaki
