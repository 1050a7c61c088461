// The admissible questions about one attribute at one node, and how good they are.
#pragma once

#include "grow.hpp"
#include "measures.hpp"
#include "rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace niwaki {

constexpr double tie = 1e-12;      // between questions, under ID3's rules
constexpr double c45_tie = 1e-6;   // between questions, under C4.5's rules
constexpr double c45_slack = 1e-3; // of gains and split informations
constexpr double weight_slack = 1e-6;

struct Candidate {
    Question question;
    std::uint32_t next_rank = 0; // of a cut: smallest rank on the right
    double value = 0.0;          // measure, or gain under C4.5's gain ratio
    double info = 0.0;
    bool in_average = true;
    bool pure = false;       // every branch has one class at most
    double total_gain = 0.0; // information gain times weight
};

// Where a cut between two neighbouring values of a node lies.
inline double cut_threshold(const Table& table, const Candidate& candidate, Threshold style) {
    const Column& column = table.columns[static_cast<std::size_t>(candidate.question.attribute)];
    const double low = column.values[candidate.question.code];
    const double high = column.values[candidate.next_rank];
    if (style == Threshold::value)
        return low;
    double middle = (low + high) / 2;
    if (std::isinf(middle))
        middle = low / 2 + high / 2;
    if (!(middle < high))
        middle = low;
    if (style == Threshold::midpoint)
        return middle;
    return *(std::upper_bound(column.values, column.values + column.n_values, middle) - 1);
}

// Evaluates the attributes of one node.
template <class Rows> class NodeEvaluator {
public:
    using Arithmetic = typename Rows::Arithmetic;
    using Count = typename Rows::Count;
    using Sum = typename Arithmetic::Sum;

    NodeEvaluator(const Table& table, const GreedyOptions& options, const Arithmetic& arithmetic,
                  double total_weight)
        : table_(table), options_(options), arithmetic_(arithmetic), total_weight_(total_weight),
          width_(static_cast<std::size_t>(table.n_classes)), branch_(width_), left_(width_),
          right_(width_) {
        bool all_large = true;
        for (const Column& column : table.columns)
            all_large &= !column.numeric && is_large(column);
        large_count_ = all_large;
    }

    void begin_node(const std::vector<Count>& totals, Count weight) {
        totals_ = totals;
        weight_ = weight;
        present_.clear();
        class_terms_ = 0;
        for (std::size_t k = 0; k < width_; ++k)
            if (totals[k] > 0) {
                present_.push_back(k);
                class_terms_ += arithmetic_.entropy_term(totals[k]);
            }
    }

    void evaluate(Rows& rows, Range range, int attribute, std::vector<Candidate>& found) {
        const Column& column = table_.columns[static_cast<std::size_t>(attribute)];
        if (column.numeric) {
            scan_cuts(rows, range, attribute, found);
            return;
        }
        rows.group(range, attribute, groups_);
        if (groups_.values.size() < 2)
            return;
        known_totals();
        if (asks_multiway())
            multiway(attribute, found);
        if (asks_value(column))
            one_value(attribute, found);
        if (options_.nominal_splits == NominalSplits::subset)
            best_of_subsets(attribute, found);
    }

    // Every question about an attribute, not only the best of each kind.
    void list(Rows& rows, Range range, int attribute, std::vector<Candidate>& found) {
        const Column& column = table_.columns[static_cast<std::size_t>(attribute)];
        if (column.numeric) {
            list_cuts(rows, range, attribute, found);
            return;
        }
        rows.group(range, attribute, groups_);
        if (groups_.values.size() < 2)
            return;
        known_totals();
        if (asks_multiway())
            multiway(attribute, found);
        if (asks_value(column))
            each_value(attribute, [&](const Candidate& candidate) { found.push_back(candidate); });
        if (options_.nominal_splits == NominalSplits::subset)
            each_subset(attribute, [&](const Candidate& candidate) { found.push_back(candidate); });
    }

    // Weight of the rows that have the value at the lower end of each cut listed last.
    const std::vector<double>& lower_weights() const { return lower_weights_; }

private:
    bool c45() const { return options_.rules == Rules::c45; }
    bool by_gain() const {
        return options_.measure == Measure::gain ||
               (c45() && options_.measure == Measure::gain_ratio);
    }
    Measure cut_measure() const { return by_gain() ? Measure::gain : options_.measure; }
    bool asks_multiway() const {
        return options_.nominal_splits == NominalSplits::multiway ||
               options_.nominal_splits == NominalSplits::automatic;
    }
    // With two values, one branch per value and one against the rest are the same question.
    bool asks_value(const Column& column) const {
        return options_.nominal_splits == NominalSplits::value ||
               (options_.nominal_splits == NominalSplits::automatic && column.n_values > 2);
    }
    bool is_large(const Column& column) const { return column.n_values >= 0.3 * total_weight_; }
    double known_share(Count known) const {
        return static_cast<double>(known) / static_cast<double>(weight_);
    }
    double score(const Candidate& candidate) const {
        if (!c45() || options_.measure != Measure::gain_ratio)
            return candidate.value;
        return candidate.info > c45_slack ? candidate.value / candidate.info : 0.0;
    }
    bool reaches(Count weight) const {
        return static_cast<double>(weight) >= options_.min_leaf - weight_slack;
    }

    void known_totals() {
        known_.assign(width_, 0);
        const std::size_t cells = groups_.counts.size();
        for (std::size_t cell = 0; cell < cells; cell += width_)
            for (std::size_t k = 0; k < width_; ++k)
                known_[k] += groups_.counts[cell + k];
        known_weight_ = 0;
        for (const Count count : known_)
            known_weight_ += count;
    }

    void finish(Candidate& candidate, const BranchSums<Arithmetic>& sums) {
        candidate.value =
            sums.value(c45() && options_.measure == Measure::gain_ratio ? Measure::gain
                                                                        : options_.measure,
                       known_.data()) *
            known_share(known_weight_);
        candidate.info = sums.split_info(weight_, groups_.missing_weight);
        candidate.pure = sums.pure();
        candidate.total_gain = sums.total_gain(known_.data());
    }

    void multiway(int attribute, std::vector<Candidate>& found) {
        BranchSums<Arithmetic> sums(arithmetic_, table_.n_classes);
        std::size_t reached = 0;
        for (std::size_t g = 0; g < groups_.values.size(); ++g)
            reached += reaches(sums.add(&groups_.counts[g * width_]));
        if (c45() ? reached < 2 : reached < groups_.values.size())
            return;
        Candidate candidate;
        candidate.question = {attribute, SplitKind::multiway, 0, -1, 0};
        finish(candidate, sums);
        candidate.in_average =
            large_count_ || !is_large(table_.columns[static_cast<std::size_t>(attribute)]);
        found.push_back(candidate);
    }

    void one_value(int attribute, std::vector<Candidate>& found) {
        keep_best(found, [&](auto take) { each_value(attribute, take); });
    }

    void best_of_subsets(int attribute, std::vector<Candidate>& found) {
        keep_best(found, [&](auto take) { each_subset(attribute, take); });
    }

    template <class Enumerate> void keep_best(std::vector<Candidate>& found, Enumerate enumerate) {
        bool any = false;
        Candidate best;
        enumerate([&](const Candidate& candidate) {
            if (!any || score(candidate) > score(best) + margin())
                best = candidate;
            any = true;
        });
        if (any)
            found.push_back(best);
    }

    template <class Take> void each_value(int attribute, Take take) {
        fill_rest();
        for (std::size_t g = 0; g < groups_.values.size(); ++g) {
            BranchSums<Arithmetic> sums(arithmetic_, table_.n_classes);
            const Count inside = sums.add(&groups_.counts[g * width_]);
            const Count outside = sums.add(&rest_[g * width_]);
            if (!reaches(inside) || !reaches(outside))
                continue;
            Candidate candidate;
            candidate.question = {attribute, SplitKind::value, groups_.values[g], -1, 0};
            finish(candidate, sums);
            take(candidate);
        }
    }

    // Every division of the values in two; the first value is always among the members.
    template <class Take> void each_subset(int attribute, Take take) {
        const std::size_t n_groups = groups_.values.size();
        const std::uint64_t all = (std::uint64_t{1} << (n_groups - 1)) - 1;
        for (std::uint64_t others = 0; others < all; ++others) {
            const std::uint64_t inside = others << 1 | 1;
            Candidate candidate;
            candidate.question = {attribute, SplitKind::subset, 0, -1, 0};
            std::fill(left_.begin(), left_.end(), Count{0});
            std::fill(right_.begin(), right_.end(), Count{0});
            for (std::size_t g = 0; g < n_groups; ++g) {
                const bool member = inside >> g & 1;
                if (member)
                    candidate.question.members |= std::uint64_t{1} << groups_.values[g];
                for (std::size_t k = 0; k < width_; ++k)
                    (member ? left_ : right_)[k] += groups_.counts[g * width_ + k];
            }
            BranchSums<Arithmetic> sums(arithmetic_, table_.n_classes);
            const Count members = sums.add(left_.data());
            const Count rest = sums.add(right_.data());
            if (!reaches(members) || !reaches(rest))
                continue;
            finish(candidate, sums);
            take(candidate);
        }
    }

    // Class counts of all values but one, by sums alone: before it plus after it.
    void fill_rest() {
        const std::size_t cells = groups_.counts.size();
        rest_.assign(cells, 0);
        std::fill(left_.begin(), left_.end(), Count{0});
        std::fill(right_.begin(), right_.end(), Count{0});
        for (std::size_t cell = 0; cell < cells; cell += width_)
            for (std::size_t k = 0; k < width_; ++k) {
                rest_[cell + k] = left_[k];
                left_[k] += groups_.counts[cell + k];
            }
        for (std::size_t cell = cells; cell > 0; cell -= width_)
            for (std::size_t k = 0; k < width_; ++k) {
                rest_[cell - width_ + k] += right_[k];
                right_[k] += groups_.counts[cell - width_ + k];
            }
    }

    // ---- cuts ----------------------------------------------------------------------------------

    struct CutSearch {
        Candidate best;
        bool any = false;
        double best_value = 0.0;
        Sum best_gain = 0; // of whole counts: gains below it need no division
        double min_side = 0.0;
        int tries = 0;
    };

    // False if the rows are too few for any cut.
    bool begin_cuts(CutSearch& search, Count weight) const {
        if (c45()) {
            if (static_cast<double>(weight) + weight_slack < 2 * options_.min_leaf)
                return false;
            const double share = 0.1 * static_cast<double>(weight) / table_.n_classes;
            search.min_side = share <= options_.min_leaf + weight_slack ? options_.min_leaf
                                                                        : std::min(share, 25.0);
            return true;
        }
        search.min_side = options_.min_leaf;
        search.best_value = -std::numeric_limits<double>::infinity();
        search.best_gain = std::numeric_limits<Sum>::lowest();
        return true;
    }

    bool separates(const CutSearch& search, const double* values, std::uint32_t low,
                   std::uint32_t high, Count left, Count right) const {
        if (c45() && !(values[low] + 1e-5 < values[high]))
            return false;
        return static_cast<double>(left) >= search.min_side - weight_slack &&
               static_cast<double>(right) >= search.min_side - weight_slack;
    }

    void take(CutSearch& search, int attribute, std::uint32_t low, std::uint32_t high, double value,
              int missing_branch) const {
        search.any = true;
        search.best_value = value;
        search.best.question = {attribute, SplitKind::threshold, low, missing_branch, 0};
        search.best.next_rank = high;
    }

    double margin() const { return c45() ? c45_tie : tie; }

    void finish_cuts(CutSearch& search, std::vector<Candidate>& found) const {
        if (!search.any)
            return;
        search.best.value = search.best_value;
        if (c45()) {
            if (options_.mdl_correction && by_gain())
                search.best.value -=
                    std::log2(static_cast<double>(search.tries)) / static_cast<double>(weight_);
            if (!(search.best.value > c45_tie))
                return;
        }
        found.push_back(search.best);
    }

    void scan_cuts(Rows& rows, Range range, int attribute, std::vector<Candidate>& found) {
        CutSearch search;
        if constexpr (std::is_same_v<Count, std::int64_t>)
            scan_whole(rows, range, attribute, search);
        else
            scan_partial(rows, range, attribute, search);
        finish_cuts(search, found);
    }

    // Whole counts: both sides are updated run by run.
    void scan_whole(Rows& rows, Range range, int attribute, CutSearch& search) {
        const Column& column = table_.columns[static_cast<std::size_t>(attribute)];
        if (!begin_cuts(search, weight_))
            return;
        Count missing = 0;
        if (column.has_missing) {
            missing_.assign(width_, 0);
            missing = rows.missing_counts(range, attribute, missing_);
        }
        Sum left_terms = 0;
        Sum right_terms = 0;
        for (const std::size_t k : present_) {
            left_[k] = 0;
            right_[k] = totals_[k];
        }
        if (missing == 0) {
            right_terms = class_terms_;
        } else {
            for (const std::size_t k : present_) {
                right_[k] -= missing_[k];
                right_terms += arithmetic_.entropy_term(right_[k]);
            }
        }
        Count left = 0;
        Count right = weight_ - missing;
        const Sum class_remainder = arithmetic_.entropy_term(weight_) - class_terms_;
        const double rows_weight = static_cast<double>(weight_);
        const bool quick = by_gain() && missing == 0;
        if (const Sum* terms = arithmetic_.table_up_to(weight_);
            quick && terms && !c45() && !(search.min_side > 0)) {
            scan_gain(rows, range, attribute, terms, class_remainder, search);
            return;
        }
        bool first = true;
        std::uint32_t previous = 0;
        auto consider = [&](std::uint32_t value) {
            const int side = left >= right ? 0 : 1;
            const Count left_filled = side == 0 ? left + missing : left;
            const Count right_filled = side == 0 ? right : right + missing;
            if (!separates(search, column.values, previous, value, left_filled, right_filled))
                return;
            ++search.tries;
            double worth = 0.0;
            Sum gain = 0;
            if (quick) {
                gain = class_remainder - ((arithmetic_.entropy_term(left) - left_terms) +
                                          (arithmetic_.entropy_term(right) - right_terms));
                if (gain <= search.best_gain)
                    return;
                worth = arithmetic_.scaled(gain) / rows_weight;
                if (!(worth > search.best_value + margin()))
                    return;
                search.best.pure = gain == class_remainder;
                search.best.total_gain = arithmetic_.scaled(gain);
            } else {
                const BranchSums<Arithmetic> sums = filled_sums(side, missing > 0);
                worth = sums.value(cut_measure(), totals_.data());
                if (!(worth > search.best_value + margin()))
                    return;
                search.best.pure = sums.pure();
                search.best.total_gain = sums.total_gain(totals_.data());
            }
            search.best_gain = gain;
            take(search, attribute, previous, value, worth, side);
            search.best.info = arithmetic_.scaled(arithmetic_.entropy_term(weight_) -
                                                  arithmetic_.entropy_term(left_filled) -
                                                  arithmetic_.entropy_term(right_filled)) /
                               rows_weight;
        };
        rows.each_run(range, attribute, [&](std::uint32_t value, int k, Count count) {
            if (value != previous && !first)
                consider(value);
            first = false;
            previous = value;
            auto& l = left_[static_cast<std::size_t>(k)];
            auto& r = right_[static_cast<std::size_t>(k)];
            left_terms -= arithmetic_.entropy_term(l);
            right_terms -= arithmetic_.entropy_term(r);
            l += count;
            r -= count;
            left_terms += arithmetic_.entropy_term(l);
            right_terms += arithmetic_.entropy_term(r);
            left += count;
            right -= count;
        });
    }

    // Every cut is allowed, and information gain decides: the inner loop of most searches.
    void scan_gain(Rows& rows, Range range, int attribute, const Sum* terms, Sum class_remainder,
                   CutSearch& search) {
        Sum left_terms = 0;
        Sum right_terms = class_terms_;
        Count left = 0;
        std::uint32_t previous = 0;
        const double rows_weight = static_cast<double>(weight_);
        Count* const of_left = left_.data();
        Count* const of_right = right_.data();
        auto take_better = [&](std::uint32_t value, Sum gain) {
            const double worth = arithmetic_.scaled(gain) / rows_weight;
            if (!(worth > search.best_value + tie))
                return;
            search.best_gain = gain;
            search.best.pure = gain == class_remainder;
            search.best.total_gain = arithmetic_.scaled(gain);
            take(search, attribute, previous, value, worth, left >= weight_ - left ? 0 : 1);
        };
        rows.each_run(range, attribute, [&](std::uint32_t value, int k, Count count) {
            if (value != previous) {
                if (left > 0) {
                    const Sum gain = class_remainder - (terms[left] - left_terms) -
                                     (terms[weight_ - left] - right_terms);
                    if (gain > search.best_gain)
                        take_better(value, gain);
                }
                previous = value;
            }
            Count& l = of_left[k];
            Count& r = of_right[k];
            left_terms += terms[l + count] - terms[l];
            right_terms += terms[r - count] - terms[r];
            l += count;
            r -= count;
            left += count;
        });
    }

    // The present cut with the missing rows, if any, on one side.
    BranchSums<Arithmetic> filled_sums(int side, bool any_missing) {
        BranchSums<Arithmetic> sums(arithmetic_, table_.n_classes);
        for (int b = 0; b < 2; ++b) {
            const std::vector<Count>& known = b == 0 ? left_ : right_;
            std::fill(branch_.begin(), branch_.end(), Count{0});
            for (const std::size_t k : present_)
                branch_[k] = known[k] + (any_missing && side == b ? missing_[k] : Count{0});
            sums.add(branch_.data());
        }
        return sums;
    }

    // Every cut, each as a search of its own.
    void list_cuts(Rows& rows, Range range, int attribute, std::vector<Candidate>& found) {
        lower_weights_.clear();
        each_cut(rows, range, attribute, [&](const Column& column, std::size_t g, int side) {
            CutSearch search;
            begin_cuts(search, weight_);
            consider_partial(search, attribute, column, g, side);
            if (!search.any)
                return;
            finish_cuts(search, found);
            Count lower = 0;
            for (std::size_t k = 0; k < width_; ++k)
                lower += groups_.counts[g * width_ + k];
            lower_weights_.push_back(static_cast<double>(lower));
        });
    }

    void scan_partial(Rows& rows, Range range, int attribute, CutSearch& search) {
        bool begun = false;
        each_cut(rows, range, attribute, [&](const Column& column, std::size_t g, int side) {
            if (!begun && !begin_cuts(search, known_at_cuts_))
                return;
            begun = true;
            consider_partial(search, attribute, column, g, side);
        });
    }

    // Visits the cuts with both sides' counts: sums from their own end, nothing is subtracted.
    template <class Visit> void each_cut(Rows& rows, Range range, int attribute, Visit visit) {
        const Column& column = table_.columns[static_cast<std::size_t>(attribute)];
        rows.group(range, attribute, groups_);
        const std::size_t n_groups = groups_.values.size();
        if (n_groups < 2)
            return;
        suffix_.assign(groups_.counts.begin(), groups_.counts.end());
        for (std::size_t cell = groups_.counts.size() - width_; cell > 0; --cell)
            suffix_[cell - 1] += suffix_[cell - 1 + width_];
        std::fill(left_.begin(), left_.end(), Count{0});
        known_at_cuts_ = 0;
        for (std::size_t k = 0; k < width_; ++k)
            known_at_cuts_ += suffix_[k] + (options_.fractions ? Count{0} : groups_.missing[k]);
        for (std::size_t g = 0; g + 1 < n_groups; ++g) {
            Count left = 0;
            Count right = 0;
            for (std::size_t k = 0; k < width_; ++k) {
                left_[k] += groups_.counts[g * width_ + k];
                right_[k] = suffix_[(g + 1) * width_ + k];
                left += left_[k];
                right += right_[k];
            }
            visit(column, g, left >= right ? 0 : 1);
        }
    }

    void consider_partial(CutSearch& search, int attribute, const Column& column, std::size_t g,
                          int side) {
        const bool whole = !options_.fractions;
        BranchSums<Arithmetic> sums(arithmetic_, table_.n_classes);
        known_.assign(width_, 0);
        Count sides[2] = {0, 0};
        for (int b = 0; b < 2; ++b) {
            const std::vector<Count>& known = b == 0 ? left_ : right_;
            for (std::size_t k = 0; k < width_; ++k) {
                branch_[k] = known[k] + (whole && side == b ? groups_.missing[k] : Count{0});
                known_[k] += branch_[k];
            }
            sides[b] = sums.add(branch_.data());
        }
        Count weight = 0;
        for (const Count count : known_)
            weight += count;
        const std::uint32_t low = groups_.values[g];
        const std::uint32_t high = groups_.values[g + 1];
        if (!separates(search, column.values, low, high, sides[0], sides[1]))
            return;
        ++search.tries;
        const double share = whole ? 1.0 : known_share(weight);
        const double worth = sums.value(cut_measure(), known_.data()) * share;
        if (!(worth > search.best_value + margin()))
            return;
        const Count unknown = whole ? Count{0} : groups_.missing_weight;
        take(search, attribute, low, high, worth, whole ? side : -1);
        search.best.info = sums.split_info(weight_, unknown);
        search.best.pure = sums.pure();
        search.best.total_gain = sums.total_gain(known_.data());
    }

    const Table& table_;
    const GreedyOptions& options_;
    const Arithmetic& arithmetic_;
    double total_weight_;
    bool large_count_ = false;
    std::size_t width_;
    std::vector<Count> totals_, known_, branch_, left_, right_, rest_, suffix_;
    std::vector<Count> missing_;
    std::vector<std::size_t> present_; // classes at the node
    Sum class_terms_ = 0;
    Count weight_ = 0;
    Count known_weight_ = 0;
    Count known_at_cuts_ = 0;
    std::vector<double> lower_weights_;
    Groups<Count> groups_;
};

} // namespace niwaki
