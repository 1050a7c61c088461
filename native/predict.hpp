// Where rows stop in a tree.
#pragma once

#include "tree.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace niwaki {

constexpr std::int32_t missing_code = -1;

// A column to be answered from: codes or numbers, `stride` elements apart.
struct Values {
    const std::int32_t* codes = nullptr; // null for numbers
    const double* numbers = nullptr;
    std::ptrdiff_t stride = 1;

    std::int32_t code(std::size_t row) const {
        return codes[static_cast<std::ptrdiff_t>(row) * stride];
    }
    double number(std::size_t row) const {
        return numbers[static_cast<std::ptrdiff_t>(row) * stride];
    }
    bool missing(std::size_t row) const {
        return codes ? code(row) == missing_code : std::isnan(number(row));
    }
};

constexpr std::int32_t no_branch = -1;

// The branch a present value takes, `no_branch` where the question has none for it.
inline std::int32_t branch_of(SplitKind kind, double threshold, std::int32_t value,
                              const std::int32_t* subset, std::size_t subset_size,
                              const Values& values, std::size_t row) {
    if (kind == SplitKind::threshold)
        return values.number(row) <= threshold ? 0 : 1;
    const std::int32_t code = values.code(row);
    if (kind == SplitKind::multiway)
        return code >= 0 ? code : no_branch;
    if (kind == SplitKind::value)
        return code == value ? 0 : 1;
    for (std::size_t i = 0; i < subset_size; ++i)
        if (subset[i] == code)
            return 0;
    return 1;
}

// The node where each whole row stops. With `hold_missing` a row stops wherever it lacks the value.
std::vector<std::int32_t> apply_rows(const TreeView& tree, const std::vector<Values>& columns,
                                     std::size_t n_rows, bool hold_missing);

// The nodes where the parts of each row stop, left to right, rows one after the other.
struct Stops {
    std::vector<std::int64_t> start{0};
    std::vector<std::int32_t> nodes;
    std::vector<double> shares;
};
Stops stops(const TreeView& tree, const std::vector<Values>& columns, std::size_t n_rows);

} // namespace niwaki
