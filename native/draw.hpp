// Draws by one uniform number: scanned in order, so that equal weights give equal draws everywhere.
#pragma once

#include <algorithm>
#include <cstddef>

namespace niwaki {

// The place on which the number falls among weights.
template <class WeightOf>
std::size_t place_in_proportion(std::size_t size, double uniform, WeightOf weight_of) {
    double total = 0.0;
    for (std::size_t i = 0; i < size; ++i)
        total += weight_of(i);
    const double target = uniform * total;
    double sum = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
        sum += weight_of(i);
        if (sum > target)
            return i;
    }
    return size - 1;
}

// SID3's draw: questions that separate the classes first, all alike; else in proportion to their
// weights, none of which counts for less than a hundredth of the largest.
template <class IsPure, class WeightOf>
std::size_t drawn_question(std::size_t size, std::size_t n_pure, double most, double uniform,
                           IsPure is_pure, WeightOf weight_of) {
    if (n_pure > 0) {
        auto wanted = static_cast<std::size_t>(uniform * static_cast<double>(n_pure));
        for (std::size_t i = 0; i < size; ++i)
            if (is_pure(i) && wanted-- == 0)
                return i;
    }
    if (!(most > 0))
        return place_in_proportion(size, uniform, [](std::size_t) { return 1.0; });
    const double floor = 0.01 * most;
    return place_in_proportion(size, uniform,
                               [&](std::size_t i) { return std::max(weight_of(i), floor); });
}

} // namespace niwaki
