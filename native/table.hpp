// The training rows as the core reads them: borrowed columns of codes, classes and weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace niwaki {

struct Column {
    const std::uint32_t* codes; // nominal code or numeric rank; n_values where missing
    std::uint32_t n_values;
    bool numeric;
    bool has_missing;
    const double* values; // ascending distinct values of a numeric column, else null
};

struct Table {
    std::size_t n_rows = 0;
    int n_classes = 0;
    std::vector<Column> columns;
    const std::int32_t* classes = nullptr;
    const double* weights = nullptr; // null: every weight is 1

    double weight(std::size_t row) const { return weights ? weights[row] : 1.0; }
};

inline double total_weight(const Table& table) {
    double total = 0.0;
    for (std::size_t row = 0; row < table.n_rows; ++row)
        total += table.weight(row);
    return total;
}

} // namespace niwaki
