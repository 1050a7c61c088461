// From raw columns to ranks, and the canonical order of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace niwaki {

struct Ranks {
    std::vector<double> distinct;     // ascending
    std::vector<std::uint32_t> ranks; // distinct.size() where the value is missing
};
Ranks rank_values(const double* values, std::ptrdiff_t stride, std::size_t size);

struct CanonicalRows {
    std::vector<std::int64_t> order;
    std::vector<std::int64_t> starts; // where in `order` each distinct (row, class) begins
};
CanonicalRows canonical_rows(const std::vector<const std::uint32_t*>& codes,
                             const std::int32_t* classes, const double* weights, std::size_t size);

} // namespace niwaki
