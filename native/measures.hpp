// How good a split is, from the class counts of its branches.
#pragma once

#include <cstddef>
#include <cstdint>

namespace niwaki {

enum class Measure : std::uint8_t { gain = 0, gain_ratio = 1, gini = 2, km_distance = 3 };

// Sums over the branches of one split; `add` takes the branches in order.
template <class Arithmetic> class BranchSums {
public:
    using Count = typename Arithmetic::Count;
    using Sum = typename Arithmetic::Sum;
    using Square = typename Arithmetic::Square;

    BranchSums(const Arithmetic& arithmetic, int n_classes)
        : arithmetic_(arithmetic), n_classes_(n_classes) {}

    Count add(const Count* branch) {
        Count weight = 0;
        Sum cells = 0;
        Square squares = 0;
        int classes = 0;
        for (int k = 0; k < n_classes_; ++k) {
            weight += branch[k];
            classes += branch[k] > 0;
            const Sum term = arithmetic_.entropy_term(branch[k]);
            cells += term;
            cell_terms_ += term;
            squares += static_cast<Square>(branch[k]) * branch[k];
        }
        pure_ = pure_ && classes <= 1;
        const Sum term = arithmetic_.entropy_term(weight);
        branch_terms_ += term;
        remainder_ += term - cells;
        if (weight > 0)
            squares_per_branch_ += static_cast<double>(squares) / static_cast<double>(weight);
        return weight;
    }

    // The measure's value for rows with these class totals.
    double value(Measure measure, const Count* totals) const {
        Count weight = 0;
        Sum class_terms = 0;
        Square squares = 0;
        for (int k = 0; k < n_classes_; ++k) {
            weight += totals[k];
            class_terms += arithmetic_.entropy_term(totals[k]);
            squares += static_cast<Square>(totals[k]) * totals[k];
        }
        const double rows = static_cast<double>(weight);
        const Sum all = arithmetic_.entropy_term(weight);
        if (measure == Measure::gini)
            return (squares_per_branch_ - static_cast<double>(squares) / rows) / rows;
        const double gain = arithmetic_.scaled((all - class_terms) - remainder_) / rows;
        if (measure == Measure::gain)
            return gain;
        const Sum other = measure == Measure::gain_ratio ? branch_terms_ : cell_terms_;
        const double divisor = arithmetic_.scaled(all - other) / rows;
        return divisor > 0 ? gain / divisor : 0.0;
    }

    // Whether every branch has one class at most.
    bool pure() const { return pure_; }

    // Information gain times the rows' weight.
    double total_gain(const Count* totals) const {
        Count weight = 0;
        Sum class_terms = 0;
        for (int k = 0; k < n_classes_; ++k) {
            weight += totals[k];
            class_terms += arithmetic_.entropy_term(totals[k]);
        }
        return arithmetic_.scaled((arithmetic_.entropy_term(weight) - class_terms) - remainder_);
    }

    // Entropy of the branch sizes, rows with an unknown value being one more branch.
    double split_info(Count all_rows, Count unknown) const {
        return arithmetic_.scaled(arithmetic_.entropy_term(all_rows) -
                                  (branch_terms_ + arithmetic_.entropy_term(unknown))) /
               static_cast<double>(all_rows);
    }

private:
    const Arithmetic& arithmetic_;
    int n_classes_;
    bool pure_ = true;
    Sum branch_terms_ = 0;
    Sum cell_terms_ = 0;
    Sum remainder_ = 0;
    double squares_per_branch_ = 0.0;
};

} // namespace niwaki
