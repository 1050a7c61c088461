// The rows of the nodes of one growing tree, in two forms: whole rows that travel with the
// partition, and parts of rows that are gathered by number.
#pragma once

#include "counts.hpp"
#include "sorting.hpp"
#include "table.hpp"
#include "tree.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace niwaki {

// The distinct values of one attribute at a node, ascending, with the class counts of each.
template <class Count> struct Groups {
    std::vector<std::uint32_t> values;
    std::vector<Count> counts;  // values.size() times n_classes
    std::vector<Count> missing; // class counts of the rows without a value
    Count missing_weight = 0;
};

struct Question {
    int attribute = -1;
    SplitKind kind = SplitKind::leaf;
    std::uint32_t code = 0; // of `= v`, or the largest rank on the left of a cut
    int missing_branch = -1;
    std::uint64_t members = 0; // codes of `in S`, one bit each

    std::size_t branch(std::uint32_t value, std::uint32_t n_values) const {
        if (kind == SplitKind::multiway)
            return value;
        if (kind == SplitKind::value)
            return value == code ? 0 : 1;
        if (kind == SplitKind::subset)
            return members >> value & 1 ? 0 : 1;
        if (value >= n_values)
            return static_cast<std::size_t>(missing_branch);
        return value <= code ? 0 : 1;
    }
};

struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t size() const { return end - begin; }
};

// What a partition found out about one branch.
struct Branch {
    Range rows;
    double weight = 0.0;
    double share = 0.0;
    std::int32_t only_class = -1; // -1: no rows, -2: several classes
};

// Whole rows of whole weights. Every column of the node's rows is one contiguous range, and the
// ranges of children lie inside their parent's: columns are moved when a node is split.
class WholeRows {
public:
    static constexpr bool whole = true;
    using Arithmetic = IntegerArithmetic;
    using Count = std::int64_t;

    WholeRows(const Table& table, std::span<const std::uint32_t> order);

    std::size_t n_rows() const { return rows_.size(); }
    void class_totals(Range range, std::vector<Count>& totals) const;
    void group(Range range, int attribute, Groups<Count>& groups);

    // Calls each(value, class, count) in ascending order of values, several times for one value
    // if need be. Rows without a value have the value n_values, after all others.
    template <class Each> void each_run_and_missing(Range range, int attribute, Each each);
    // The same without the rows that have no value.
    template <class Each> void each_run(Range range, int attribute, Each each) {
        const std::uint32_t n_values = columns_[static_cast<std::size_t>(attribute)].n_values;
        each_run_and_missing(range, attribute, [&](std::uint32_t value, int k, Count count) {
            if (value < n_values)
                each(value, k, count);
        });
    }
    // Adds the class counts of the rows without a value and returns their weight.
    Count missing_counts(Range range, int attribute, std::vector<Count>& counts) const;

    std::vector<Branch> partition(Range range, const Question& question, std::size_t branches);
    void use(const Table&) {}
    std::uint32_t row_at(std::size_t at) const { return rows_[at]; }
    void save(std::vector<std::uint32_t>& rows, std::vector<double>&) const { rows = rows_; }
    std::size_t nbytes() const;

private:
    struct Codes {
        std::vector<std::uint16_t> narrow;
        std::vector<std::uint32_t> wide;
        std::uint32_t n_values = 0;
        std::uint32_t operator[](std::size_t at) const {
            return narrow.empty() ? wide[at] : narrow[at];
        }
    };
    template <class Visit> static auto with_codes(Codes& codes, Visit visit) {
        return codes.narrow.empty() ? visit(codes.wide) : visit(codes.narrow);
    }
    Count weight(std::size_t at) const { return weights_.empty() ? 1 : weights_[at]; }
    bool dense(Range range, const Codes& codes) const {
        return (std::size_t{codes.n_values} + 1) * static_cast<std::size_t>(n_classes_) <=
               4 * range.size() + 64;
    }
    void tabulate(Range range, Codes& codes);
    void sort(Range range, Codes& codes);
    template <class Value> void move(std::vector<Value>& column, Range range);

    int n_classes_;
    int class_bits_;
    std::vector<Codes> columns_;
    std::vector<std::int32_t> classes_;
    std::vector<Count> weights_; // empty: all 1
    std::vector<std::uint32_t> rows_;

    std::vector<Count> cells_;
    std::vector<std::uint64_t> keys_, key_scratch_;
    std::vector<std::uint32_t> short_keys_, short_scratch_;
    bool keys_are_short_ = false;
    int key_shift_ = 0;
    std::vector<std::uint32_t> destination_;
    std::vector<char> move_scratch_;
};

// Rows or parts of rows with real weights, gathered by number; a row may be in several nodes.
class PartialRows {
public:
    static constexpr bool whole = false;
    using Arithmetic = RealArithmetic;
    using Count = double;

    struct Part {
        std::uint32_t row;
        double weight;
    };

    PartialRows(bool fractions, std::span<const std::uint32_t> rows,
                std::span<const double> weights);

    void use(const Table& table) { table_ = &table; }
    std::uint32_t row_at(std::size_t at) const { return parts_[at].row; }
    void save(std::vector<std::uint32_t>& rows, std::vector<double>& weights) const;
    void class_totals(Range range, std::vector<Count>& totals) const;
    void group(Range range, int attribute, Groups<Count>& groups);
    // Puts the children's rows in the place of the range and of all behind it.
    std::vector<Branch> partition(Range range, const Question& question, std::size_t branches);
    std::size_t nbytes() const { return parts_.capacity() * sizeof(Part); }

private:
    const Table* table_ = nullptr;
    bool fractions_;
    std::vector<Part> parts_;
    std::vector<std::uint64_t> keys_, key_scratch_;
};

template <class Each> void WholeRows::each_run_and_missing(Range range, int attribute, Each each) {
    Codes& codes = columns_[static_cast<std::size_t>(attribute)];
    if (dense(range, codes)) {
        tabulate(range, codes);
        const Count* cell = cells_.data();
        for (std::uint32_t value = 0; value <= codes.n_values; ++value)
            for (int k = 0; k < n_classes_; ++k, ++cell)
                if (*cell)
                    each(value, k, *cell);
        return;
    }
    sort(range, codes);
    auto visit = [&](const auto& keys) {
        const std::uint64_t mask = (std::uint64_t{1} << key_shift_) - 1;
        const bool unit = weights_.empty();
        for (const auto key : keys) {
            const auto value = static_cast<std::uint32_t>(key >> key_shift_);
            const auto rest = static_cast<std::size_t>(key & mask);
            if (unit)
                each(value, static_cast<int>(rest), Count{1});
            else
                each(value, classes_[range.begin + rest], weights_[range.begin + rest]);
        }
    };
    if (keys_are_short_)
        visit(short_keys_);
    else
        visit(keys_);
}

} // namespace niwaki
