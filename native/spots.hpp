// What may be asked at a node, and its branches, counted from a list of row numbers.
#pragma once

#include "candidates.hpp"
#include "sorting.hpp"
#include "table.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace niwaki {

using RowList = std::span<const std::uint32_t>;

// Bits of information that a question gains in all, added in the defined order.
template <class Arithmetic> class GainSums {
public:
    using Count = typename Arithmetic::Count;
    using Sum = typename Arithmetic::Sum;

    GainSums(const Arithmetic& arithmetic, std::size_t width)
        : arithmetic_(arithmetic), width_(width), totals_(width, Count{0}) {}

    void begin() {
        std::fill(totals_.begin(), totals_.end(), Count{0});
        remainder_ = 0;
        pure_ = true;
    }
    Count add(const Count* branch) {
        Count weight = 0;
        Sum cells = 0;
        int classes = 0;
        for (std::size_t k = 0; k < width_; ++k) {
            totals_[k] += branch[k];
            weight += branch[k];
            cells += arithmetic_.entropy_term(branch[k]);
            classes += branch[k] > 0;
        }
        pure_ = pure_ && classes <= 1;
        remainder_ += arithmetic_.entropy_term(weight) - cells;
        return weight;
    }
    // Puts the total gain, the gain per row and whether every branch is pure.
    void finish(Candidate& candidate) const {
        Count weight = 0;
        Sum cells = 0;
        for (std::size_t k = 0; k < width_; ++k) {
            weight += totals_[k];
            cells += arithmetic_.entropy_term(totals_[k]);
        }
        candidate.total_gain =
            arithmetic_.scaled((arithmetic_.entropy_term(weight) - cells) - remainder_);
        candidate.value = candidate.total_gain / static_cast<double>(weight);
        candidate.pure = pure_;
    }

private:
    const Arithmetic& arithmetic_;
    std::size_t width_;
    std::vector<Count> totals_;
    Sum remainder_ = 0;
    bool pure_ = true;
};

// One branch of a question, or a node that is planned for.
struct Spot {
    std::size_t begin = 0;
    std::size_t end = 0;
    double weight = 0.0;
    double entropy = 0.0; // bits in all
    bool open = false;    // several classes
};

// The items with the largest values, in their order: the best is taken away, then the best of the
// rest, and so on; the first of those that tie. The values are used up.
inline std::vector<std::size_t> few_best(std::vector<double>& values, std::size_t most) {
    std::vector<std::size_t> chosen;
    if (values.size() <= most) {
        for (std::size_t i = 0; i < values.size(); ++i)
            chosen.push_back(i);
        return chosen;
    }
    constexpr double taken = -std::numeric_limits<double>::infinity();
    while (chosen.size() < most) {
        std::size_t best = 0;
        while (values[best] == taken)
            ++best;
        double enough = values[best] + tie;
        for (std::size_t i = best + 1; i < values.size(); ++i)
            if (values[i] > enough) {
                best = i;
                enough = values[i] + tie;
            }
        chosen.push_back(best);
        values[best] = taken;
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

// Counts rows of a table for nodes that are given as lists of row numbers.
template <class Arithmetic> class SpotCounter {
public:
    using Count = typename Arithmetic::Count;

    SpotCounter(const Table& table, const GreedyOptions& options, std::size_t max_cuts,
                const Arithmetic& arithmetic)
        : table_(table), min_leaf_(options.min_leaf), max_cuts_(max_cuts), arithmetic_(arithmetic),
          width_(static_cast<std::size_t>(table.n_classes)), sums_(arithmetic, width_),
          sides_(2 * width_) {
        if (table.weights) {
            weights_.resize(table.n_rows);
            for (std::size_t row = 0; row < table.n_rows; ++row)
                weights_[row] = static_cast<Count>(table.weights[row]);
        }
    }

    // Appends the admissible questions about an attribute; of cuts, only the best. False if all
    // rows have one value.
    bool ask_about(RowList rows, int attribute, std::vector<Candidate>& found) {
        const Column& column = table_.columns[static_cast<std::size_t>(attribute)];
        group(rows, column);
        if (groups_.values.size() < 2)
            return false;
        if (column.numeric)
            cuts(attribute, found);
        else
            multiway(attribute, found);
        return true;
    }

    // Class weights of some rows.
    void totals(RowList rows, std::vector<Count>& totals) const {
        totals.assign(width_, Count{0});
        for (const std::uint32_t row : rows)
            totals[class_of(row)] += weight(row);
    }

    // Weight and entropy of a node from its class weights.
    Spot described(const Count* totals) const {
        Spot spot;
        Count weight = 0;
        typename Arithmetic::Sum cells = 0;
        int classes = 0;
        for (std::size_t k = 0; k < width_; ++k) {
            weight += totals[k];
            cells += arithmetic_.entropy_term(totals[k]);
            classes += totals[k] > 0;
        }
        spot.weight = static_cast<double>(weight);
        spot.entropy = arithmetic_.scaled(arithmetic_.entropy_term(weight) - cells);
        spot.open = classes > 1;
        return spot;
    }

    // Divides rows into the branches of a question. Every branch gets its range in `moved`, where
    // rows keep their order, and its class weights in `cells`.
    template <class Moved>
    void divide(RowList rows, const Question& question, std::size_t n_branches, Moved& moved,
                std::vector<Spot>& spots, std::vector<Count>& cells) {
        const Column& column = table_.columns[static_cast<std::size_t>(question.attribute)];
        cells.assign(n_branches * width_, Count{0});
        places_.assign(n_branches + 1, 0);
        for (const std::uint32_t row : rows) {
            const std::size_t branch = question.branch(column.codes[row], column.n_values);
            cells[branch * width_ + class_of(row)] += weight(row);
            ++places_[branch + 1];
        }
        spots.resize(n_branches);
        for (std::size_t branch = 0; branch < n_branches; ++branch) {
            places_[branch + 1] += places_[branch];
            spots[branch] = described(&cells[branch * width_]);
            spots[branch].begin = places_[branch];
            spots[branch].end = places_[branch + 1];
        }
        moved.resize(rows.size());
        for (const std::uint32_t row : rows)
            moved[places_[question.branch(column.codes[row], column.n_values)]++] = row;
    }

    std::size_t width() const { return width_; }
    std::size_t nbytes() const {
        return (weights_.capacity() + cells_.capacity() + suffix_.capacity()) * sizeof(Count) +
               (keys_.capacity() + key_scratch_.capacity()) * sizeof(std::uint64_t);
    }

private:
    Count weight(std::uint32_t row) const { return weights_.empty() ? Count{1} : weights_[row]; }
    std::size_t class_of(std::uint32_t row) const {
        return static_cast<std::size_t>(table_.classes[row]);
    }
    bool reaches(Count weight) const {
        return static_cast<double>(weight) >= min_leaf_ - weight_slack;
    }

    // Class counts of every value that occurs, ascending, each added in the order of the rows.
    void group(RowList rows, const Column& column) {
        groups_.values.clear();
        groups_.counts.clear();
        groups_.missing.assign(width_, Count{0});
        const std::size_t n_values = column.n_values;
        if ((n_values + 1) * width_ > 4 * rows.size() + 64) {
            group_sparse(rows, column);
            return;
        }
        cells_.assign((n_values + 1) * width_, Count{0});
        if (weights_.empty()) {
            for (const std::uint32_t row : rows)
                cells_[column.codes[row] * width_ + class_of(row)] += Count{1};
        } else {
            for (const std::uint32_t row : rows)
                cells_[column.codes[row] * width_ + class_of(row)] += weights_[row];
        }
        for (std::size_t value = 0; value < n_values; ++value) {
            const Count* first = &cells_[value * width_];
            bool any = false;
            for (std::size_t k = 0; k < width_; ++k)
                any |= first[k] > 0;
            if (!any)
                continue;
            groups_.values.push_back(static_cast<std::uint32_t>(value));
            groups_.counts.insert(groups_.counts.end(), first, first + width_);
        }
        for (std::size_t k = 0; k < width_; ++k)
            groups_.missing[k] = cells_[n_values * width_ + k];
    }

    void group_sparse(RowList rows, const Column& column) {
        // Values first, places second: rows of one value stay in their order.
        keys_.resize(rows.size());
        for (std::size_t i = 0; i < keys_.size(); ++i)
            keys_[i] = (std::uint64_t{column.codes[rows[i]]} << 32) | i;
        sort_keys(keys_, key_scratch_, 32, 32 + bit_width(column.n_values));
        for (const std::uint64_t key : keys_) {
            const auto value = static_cast<std::uint32_t>(key >> 32);
            const std::uint32_t row = rows[key & 0xffffffffU];
            if (value >= column.n_values) {
                groups_.missing[class_of(row)] += weight(row);
                continue;
            }
            if (groups_.values.empty() || groups_.values.back() != value) {
                groups_.values.push_back(value);
                groups_.counts.resize(groups_.counts.size() + width_, Count{0});
            }
            groups_.counts[groups_.counts.size() - width_ + class_of(row)] += weight(row);
        }
    }

    void multiway(int attribute, std::vector<Candidate>& found) {
        sums_.begin();
        for (std::size_t g = 0; g < groups_.values.size(); ++g)
            if (!reaches(sums_.add(&groups_.counts[g * width_])))
                return;
        Candidate candidate;
        candidate.question = {attribute, SplitKind::multiway, 0, -1, 0};
        sums_.finish(candidate);
        found.push_back(candidate);
    }

    void cuts(int attribute, std::vector<Candidate>& found) {
        cuts_.clear();
        values_.clear();
        if constexpr (std::is_same_v<Count, std::int64_t>) {
            bool any_missing = false;
            for (const Count count : groups_.missing)
                any_missing |= count > 0;
            if (any_missing)
                each_cut();
            else
                each_cut_of_whole_counts();
        } else {
            each_cut();
        }
        for (const std::size_t kept : few_best(values_, max_cuts_)) {
            const Cut& cut = cuts_[kept];
            Candidate candidate;
            candidate.question = {attribute, SplitKind::threshold, groups_.values[cut.group],
                                  cut.fill_left ? 0 : 1, 0};
            candidate.next_rank = groups_.values[cut.group + 1];
            candidate.value = cut.value;
            candidate.total_gain = cut.total_gain;
            candidate.pure = cut.pure;
            found.push_back(candidate);
        }
    }

    struct Cut {
        double value;
        double total_gain;
        std::uint32_t group; // the last on the left
        bool pure;
        bool fill_left;
    };

    void put(const Cut& cut) {
        cuts_.push_back(cut);
        values_.push_back(cut.value);
    }

    // Exact counts without missing values: both sides are updated value by value.
    void each_cut_of_whole_counts() {
        left_.assign(width_, Count{0});
        right_.assign(width_, Count{0});
        for (std::size_t cell = 0; cell < groups_.counts.size(); cell += width_)
            for (std::size_t k = 0; k < width_; ++k)
                right_[k] += groups_.counts[cell + k];
        Count left = 0;
        Count right = 0;
        typename Arithmetic::Sum left_terms = 0;
        typename Arithmetic::Sum right_terms = 0;
        for (std::size_t k = 0; k < width_; ++k) {
            right += right_[k];
            right_terms += arithmetic_.entropy_term(right_[k]);
        }
        const auto before = arithmetic_.entropy_term(right) - right_terms;
        const double weight = static_cast<double>(right);
        for (std::size_t g = 0; g + 1 < groups_.values.size(); ++g) {
            const Count* counts = &groups_.counts[g * width_];
            for (std::size_t k = 0; k < width_; ++k) {
                if (counts[k] == 0)
                    continue;
                left_terms -= arithmetic_.entropy_term(left_[k]);
                right_terms -= arithmetic_.entropy_term(right_[k]);
                left_[k] += counts[k];
                right_[k] -= counts[k];
                left_terms += arithmetic_.entropy_term(left_[k]);
                right_terms += arithmetic_.entropy_term(right_[k]);
                left += counts[k];
                right -= counts[k];
            }
            if (!reaches(left) || !reaches(right))
                continue;
            // A side has no entropy exactly where it has one class.
            const auto left_entropy = arithmetic_.entropy_term(left) - left_terms;
            const auto right_entropy = arithmetic_.entropy_term(right) - right_terms;
            const double gain = arithmetic_.scaled(before - (left_entropy + right_entropy));
            put({gain / weight, gain, static_cast<std::uint32_t>(g),
                 left_entropy == 0 && right_entropy == 0, left >= right});
        }
    }

    // Cuts with both sides' counts: sums from their own end, nothing is subtracted.
    void each_cut() {
        const std::size_t n_groups = groups_.values.size();
        suffix_.assign(groups_.counts.begin(), groups_.counts.end());
        for (std::size_t cell = groups_.counts.size() - width_; cell > 0; --cell)
            suffix_[cell - 1] += suffix_[cell - 1 + width_];
        left_.assign(width_, Count{0});
        for (std::size_t g = 0; g + 1 < n_groups; ++g) {
            Count left = 0;
            Count right = 0;
            for (std::size_t k = 0; k < width_; ++k) {
                left_[k] += groups_.counts[g * width_ + k];
                left += left_[k];
                right += suffix_[(g + 1) * width_ + k];
            }
            const bool fill_left = left >= right;
            for (std::size_t k = 0; k < width_; ++k) {
                sides_[k] = left_[k];
                sides_[width_ + k] = suffix_[(g + 1) * width_ + k];
                sides_[(fill_left ? 0 : width_) + k] += groups_.missing[k];
            }
            sums_.begin();
            const Count below = sums_.add(sides_.data());
            const Count above = sums_.add(sides_.data() + width_);
            if (!reaches(below) || !reaches(above))
                continue;
            Candidate candidate;
            sums_.finish(candidate);
            put({candidate.value, candidate.total_gain, static_cast<std::uint32_t>(g),
                 candidate.pure, fill_left});
        }
    }

    const Table& table_;
    double min_leaf_;
    std::size_t max_cuts_;
    const Arithmetic& arithmetic_;
    std::size_t width_;
    GainSums<Arithmetic> sums_;
    std::vector<Count> weights_; // of all rows; empty: all 1
    std::vector<Count> cells_, suffix_, left_, right_, sides_;
    std::vector<Cut> cuts_;
    std::vector<double> values_; // of the cuts
    std::vector<std::size_t> places_;
    std::vector<std::uint64_t> keys_, key_scratch_;
    Groups<Count> groups_;
};

} // namespace niwaki
