// What the parts of the seam share: array types, checks, and the arrays that a learner borrows.
#pragma once

#include "grow.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace niwaki {

namespace nb = nanobind;

template <class Value>
using In = nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class Value> using Strided = nb::ndarray<const Value, nb::ndim<1>, nb::device::cpu>;
template <class Value> using Out = nb::ndarray<nb::numpy, Value, nb::ndim<1>>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

template <class Value> Out<Value> given(std::vector<Value>&& values) {
    auto* kept = new std::vector<Value>(std::move(values));
    nb::capsule owner(kept,
                      [](void* held) noexcept { delete static_cast<std::vector<Value>*>(held); });
    return Out<Value>(kept->data(), {kept->size()}, owner);
}

inline void require(bool condition, const char* message) {
    if (!condition)
        throw nb::value_error(message);
}

// Arrays of Python's that must outlive what reads them.
struct TrainingArrays {
    std::vector<In<std::uint32_t>> codes;
    std::vector<std::optional<In<double>>> distinct;
    In<std::int32_t> classes;
    std::optional<In<double>> weights;

    Table table(const std::vector<std::uint32_t>& n_values, int n_classes) const {
        Table table;
        table.n_rows = classes.size();
        table.n_classes = n_classes;
        table.classes = classes.data();
        table.weights = weights ? weights->data() : nullptr;
        require(n_classes > 0, "there must be a class");
        require(table.n_rows < std::numeric_limits<std::uint32_t>::max(), "too many rows");
        require(n_values.size() == codes.size() && distinct.size() == codes.size(),
                "one number of values and one array of distinct values per column");
        require(!weights || weights->size() == table.n_rows, "weights differ in length");
        for (std::size_t row = 0; row < table.n_rows; ++row)
            require(0 <= table.classes[row] && table.classes[row] < n_classes,
                    "a class code is out of range");
        for (std::size_t a = 0; a < codes.size(); ++a) {
            require(codes[a].size() == table.n_rows, "columns differ in length");
            Column column{codes[a].data(), n_values[a], distinct[a].has_value(), false, nullptr};
            if (column.numeric) {
                require(distinct[a]->size() == n_values[a], "distinct values differ in number");
                column.values = distinct[a]->data();
            }
            for (std::size_t row = 0; row < table.n_rows; ++row) {
                require(column.codes[row] <= column.n_values, "a code is out of range");
                column.has_missing |= column.codes[row] == column.n_values;
            }
            table.columns.push_back(column);
        }
        return table;
    }
};

template <class Enumeration> Enumeration checked(int value, int largest, const char* message) {
    require(0 <= value && value <= largest, message);
    return static_cast<Enumeration>(value);
}

void bind_sampler(nb::module_& module);

} // namespace niwaki
