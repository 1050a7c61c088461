// The skewing chooser: the attribute that gains most often when rows are weighted at random.
#pragma once

#include "greedy.hpp"
#include "packed.hpp"

#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

namespace niwaki {

// The rows of one node under weights that change from trial to trial.
class SkewedRows {
public:
    using Arithmetic = RealArithmetic;
    using Count = double;

    SkewedRows(const Table& table, const std::vector<std::vector<std::uint32_t>>& codes)
        : table_(table), codes_(codes), order_(codes.size()) {}

    void look_at(std::vector<std::uint32_t> rows) {
        rows_ = std::move(rows);
        for (std::size_t a = 0; a < codes_.size(); ++a) {
            order_[a].resize(rows_.size());
            std::iota(order_[a].begin(), order_[a].end(), 0U);
            std::stable_sort(order_[a].begin(), order_[a].end(), [&](auto one, auto other) {
                return codes_[a][rows_[one]] < codes_[a][rows_[other]];
            });
        }
    }
    std::size_t size() const { return rows_.size(); }
    std::uint32_t row(std::size_t at) const { return rows_[at]; }
    std::uint32_t code(std::size_t at, std::size_t attribute) const {
        return codes_[attribute][rows_[at]];
    }
    std::vector<double>& weights() { return weights_; }

    std::vector<double> class_totals() const {
        std::vector<double> totals(static_cast<std::size_t>(table_.n_classes), 0.0);
        for (std::size_t i = 0; i < rows_.size(); ++i)
            totals[static_cast<std::size_t>(table_.classes[rows_[i]])] += weights_[i];
        return totals;
    }

    void group(Range, int attribute, Groups<double>& groups) {
        const auto a = static_cast<std::size_t>(attribute);
        const auto width = static_cast<std::size_t>(table_.n_classes);
        groups.values.clear();
        groups.counts.clear();
        groups.missing.assign(width, 0.0);
        for (const std::uint32_t at : order_[a]) {
            const std::uint32_t value = codes_[a][rows_[at]];
            const auto k = static_cast<std::size_t>(table_.classes[rows_[at]]);
            if (value >= table_.columns[a].n_values) {
                groups.missing[k] += weights_[at];
                continue;
            }
            if (groups.values.empty() || groups.values.back() != value) {
                groups.values.push_back(value);
                groups.counts.resize(groups.counts.size() + width, 0.0);
            }
            groups.counts[groups.counts.size() - width + k] += weights_[at];
        }
        groups.missing_weight = 0.0;
        for (const double count : groups.missing)
            groups.missing_weight += count;
    }

private:
    const Table& table_;
    const std::vector<std::vector<std::uint32_t>>& codes_;
    std::vector<std::vector<std::uint32_t>> order_; // rows of the node by value, per attribute
    std::vector<std::uint32_t> rows_;
    std::vector<double> weights_;
};

template <class Rows> class SkewingChooser {
public:
    using Count = typename Rows::Count;
    using Arithmetic = typename Rows::Arithmetic;

    SkewingChooser(const Table& table, const GrowthOptions& options, const Arithmetic& arithmetic,
                   double total_weight)
        : table_(table), options_(options), greedy_(table, options, arithmetic, total_weight),
          arithmetic_(arithmetic), hashes_(table, Rows::whole), codes_(copied_codes(table)),
          rows_(table_, codes_), admissible_(table_, options_.greedy, real_, total_weight),
          any_options_(without_limits(options.greedy)),
          any_(table_, any_options_, real_, total_weight) {}

    void begin(Rows& rows, Range range, const std::vector<Count>& totals, Count weight,
               std::int32_t remaining) {
        greedy_.begin(rows, range, totals, weight, remaining);
        remaining_ = remaining;
        entropy_ = entropy_of(totals, arithmetic_);
        fingerprint_ = {};
        std::vector<std::uint32_t> numbers(range.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            numbers[i] = rows.row_at(range.begin + i);
            hashes_.add_to(fingerprint_, numbers[i]);
        }
        rows_.look_at(std::move(numbers));
        own_weights_.resize(rows_.size());
        for (std::size_t i = 0; i < own_weights_.size(); ++i)
            own_weights_[i] = table_.weight(rows_.row(i));
        list_candidates();
        trial_ = 0;
    }

    // The last attribute runs the trials, one at a call.
    bool evaluate(Rows& rows, Range range, int attribute) {
        const std::size_t n_attributes = table_.columns.size();
        if (static_cast<std::size_t>(attribute) + 1 < n_attributes || hurried_ ||
            trial_ == n_trials())
            return greedy_.evaluate(rows, range, attribute);
        vote(trial_++);
        return false;
    }

    void hurry() { hurried_ = true; }

    const Candidate* best() {
        std::size_t most = 0;
        const std::vector<std::size_t>* tally = nullptr;
        for (const std::vector<std::size_t>& votes : votes_) {
            const std::size_t sum = std::accumulate(votes.begin(), votes.end(), std::size_t{0});
            if (sum > most) {
                most = sum;
                tally = &votes;
            }
        }
        if (tally && !hurried_) {
            const auto attribute = static_cast<std::size_t>(tally - votes_.data());
            const auto place = static_cast<std::size_t>(
                std::max_element(tally->begin(), tally->end()) - tally->begin());
            return &candidates_[attribute][place];
        }
        const Candidate* greedy = greedy_.best();
        if (!greedy || !options_.skewing.leaf_without_votes)
            return greedy;
        return greedy->value >= options_.skewing.gain_fraction * entropy_ ? greedy : nullptr;
    }

    std::size_t nbytes() const {
        return hashes_.nbytes() + codes_.size() * (codes_.empty() ? 0 : codes_[0].size() * 4);
    }

private:
    static constexpr double units = 0x1.0p30; // of a trial's weights

    static GreedyOptions without_limits(GreedyOptions options) {
        options.min_leaf = 0.0;
        return options;
    }

    static std::vector<std::vector<std::uint32_t>> copied_codes(const Table& table) {
        std::vector<std::vector<std::uint32_t>> codes;
        for (const Column& column : table.columns)
            codes.emplace_back(column.codes, column.codes + table.n_rows);
        return codes;
    }

    template <class Numbers, class Counting>
    static double entropy_of(const std::vector<Numbers>& totals, const Counting& arithmetic) {
        Numbers weight = 0;
        typename Counting::Sum terms = 0;
        for (const Numbers count : totals) {
            weight += count;
            terms += arithmetic.entropy_term(count);
        }
        return weight > 0 ? arithmetic.scaled(arithmetic.entropy_term(weight) - terms) /
                                static_cast<double>(weight)
                          : 0.0;
    }

    std::size_t n_trials() const {
        const auto trials = static_cast<std::size_t>(options_.skewing.trials);
        return options_.skewing.sequential ? trials * table_.columns.size() : trials;
    }

    static double sum(const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0);
    }

    // Candidates by attribute and the sides of their median cuts, under the rows' own weights.
    void list_candidates() {
        const std::size_t n_attributes = table_.columns.size();
        rows_.weights() = own_weights_;
        const std::vector<double> totals = rows_.class_totals();
        candidates_.assign(n_attributes, {});
        votes_.assign(n_attributes, {});
        sides_.assign(n_attributes, {});
        for (std::size_t a = 0; a < n_attributes; ++a) {
            admissible_.begin_node(totals, sum(totals));
            admissible_.list(rows_, {}, static_cast<int>(a), candidates_[a]);
            votes_[a].assign(candidates_[a].size(), 0);
            if (table_.columns[a].numeric)
                find_sides(a, totals);
        }
    }

    void find_sides(std::size_t a, const std::vector<double>& totals) {
        std::vector<Candidate> cuts;
        any_.begin_node(totals, sum(totals));
        any_.list(rows_, {}, static_cast<int>(a), cuts);
        if (cuts.empty())
            return;
        const Question* median = nullptr;
        double least = 0.0;
        for (const Candidate& cut : cuts) {
            double difference = 0.0;
            for (std::size_t i = 0; i < rows_.size(); ++i)
                difference += side_of(cut.question, a, i) == 0 ? own_weights_[i] : -own_weights_[i];
            if (!median || std::fabs(difference) < least) {
                median = &cut.question;
                least = std::fabs(difference);
            }
        }
        sides_[a].resize(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i)
            sides_[a][i] = static_cast<std::uint8_t>(side_of(*median, a, i));
    }

    std::size_t side_of(const Question& question, std::size_t a, std::size_t i) const {
        return question.branch(rows_.code(i, a), table_.columns[a].n_values);
    }

    void vote(std::size_t trial) {
        const std::size_t n_attributes = table_.columns.size();
        Stream stream{options_.skewing.seed,
                      static_cast<std::uint64_t>(Purpose::skewing),
                      fingerprint_.low,
                      fingerprint_.high,
                      0,
                      depth_name(remaining_),
                      trial};
        products_.assign(rows_.size(), 1.0);
        if (options_.skewing.sequential)
            skew(trial % n_attributes, stream);
        else
            for (std::size_t a = 0; a < n_attributes; ++a)
                skew(a, stream);
        const double largest = *std::max_element(products_.begin(), products_.end());
        if (largest == 0.0 || std::isinf(largest))
            return;
        std::vector<double>& weights = rows_.weights();
        for (std::size_t i = 0; i < rows_.size(); ++i)
            weights[i] = std::nearbyint(products_[i] / largest * units) * own_weights_[i];
        const std::vector<double> totals = rows_.class_totals();
        const double least = options_.skewing.gain_fraction * entropy_of(totals, real_);
        for (std::size_t a = 0; a < n_attributes; ++a)
            if (!candidates_[a].empty())
                vote_for(a, totals, least);
    }

    void vote_for(std::size_t a, const std::vector<double>& totals, double least) {
        weighted_.clear();
        any_.begin_node(totals, sum(totals));
        any_.list(rows_, {}, static_cast<int>(a), weighted_);
        std::size_t best = 0;
        double best_gain = 0.0;
        std::size_t next = 0;
        for (std::size_t place = 0; place < candidates_[a].size(); ++place) {
            while (weighted_[next].question.code != candidates_[a][place].question.code)
                ++next;
            const double gain = weighted_[next].value;
            if (place == 0 || gain > best_gain + tie) {
                best = place;
                best_gain = gain;
            }
        }
        if (best_gain > tie && best_gain >= least)
            ++votes_[a][best];
    }

    // Multiplies every row's weight by what comes from skewing one attribute.
    void skew(std::size_t a, Stream& stream) {
        const Column& column = table_.columns[a];
        if (column.numeric) {
            if (!sides_[a].empty())
                favour(stream, [&](std::size_t i) { return sides_[a][i]; });
            return;
        }
        if (column.n_values < 2)
            return;
        if (column.n_values == 2) {
            favour(stream, [&](std::size_t i) { return rows_.code(i, a); });
            return;
        }
        places_.resize(column.n_values);
        std::iota(places_.begin(), places_.end(), 0U);
        for (std::size_t last = column.n_values - 1; last > 0; --last)
            std::swap(places_[last], places_[below(stream, last + 1)]);
        std::vector<double> factors(column.n_values);
        for (std::size_t place = 0; place < places_.size(); ++place)
            factors[places_[place]] = static_cast<double>(place + 1);
        for (std::size_t i = 0; i < rows_.size(); ++i)
            products_[i] *= factors[rows_.code(i, a)];
    }

    template <class Side> void favour(Stream& stream, Side side) {
        const std::size_t favourite = below(stream, 2);
        for (std::size_t i = 0; i < rows_.size(); ++i)
            products_[i] *=
                side(i) == favourite ? options_.skewing.skew : 1.0 - options_.skewing.skew;
    }

    static std::size_t below(Stream& stream, std::size_t limit) {
        return static_cast<std::size_t>(stream.uniform() * static_cast<double>(limit));
    }

    const Table& table_;
    GrowthOptions options_;
    GreedyChooser<Rows> greedy_;
    const Arithmetic& arithmetic_;
    RealArithmetic real_;
    RowHashes hashes_;
    std::vector<std::vector<std::uint32_t>> codes_;
    SkewedRows rows_;
    NodeEvaluator<SkewedRows> admissible_;
    GreedyOptions any_options_;
    NodeEvaluator<SkewedRows> any_;

    std::int32_t remaining_ = unlimited;
    double entropy_ = 0.0;
    Fingerprint fingerprint_;
    std::vector<double> own_weights_, products_;
    std::vector<std::vector<Candidate>> candidates_; // by attribute
    std::vector<std::vector<std::size_t>> votes_;
    std::vector<std::vector<std::uint8_t>> sides_; // of the median cuts
    std::vector<Candidate> weighted_;
    std::vector<std::uint32_t> places_;
    std::size_t trial_ = 0;
    bool hurried_ = false;
};

} // namespace niwaki
