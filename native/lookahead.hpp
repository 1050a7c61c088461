// The sampling chooser (LSID3): the question under which the smallest sample trees were drawn.
#pragma once

#include "draw.hpp"
#include "sample.hpp"

#include <cmath>
#include <optional>
#include <vector>

namespace niwaki {

template <class Rows, class Objective> class SamplingChooser {
public:
    using Count = typename Rows::Count;
    using Arithmetic = typename Rows::Arithmetic;

    SamplingChooser(const Table& table, const GrowthOptions& options, const Arithmetic& arithmetic,
                    double total_weight)
        : options_(options), packed_(table), node_(packed_),
          sampler_(packed_, options_.greedy, arithmetic, total_weight, options.sampling.bits),
          lister_(packed_.table(), options_.greedy, arithmetic, total_weight),
          objective_(objective_of(options.sampling)),
          n_classes_(static_cast<std::size_t>(table.n_classes)) {}

    void begin(Rows& rows, Range range, const std::vector<Count>& totals, Count weight,
               std::int32_t remaining) {
        remaining_ = remaining;
        class_rows_.assign(n_classes_, 0);
        for (std::size_t i = range.begin; i < range.end; ++i)
            ++class_rows_[class_of(rows.row_at(i))];
        const std::size_t stride = packed_.stride();
        records_.reserve_records(range.size(), stride);
        branches_.reserve_records(range.size(), stride);
        std::vector<std::size_t> next(n_classes_, 0);
        for (std::size_t k = 1; k < n_classes_; ++k)
            next[k] = next[k - 1] + class_rows_[k - 1];
        fingerprint_ = {};
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const std::uint32_t row = rows.row_at(i);
            std::memcpy(records_.at(next[class_of(row)]++, stride), packed_.record(row), stride);
            packed_.hashes().add_to(fingerprint_, row);
        }
        node_.look_at(records_.at(0, stride), class_rows_.data());
        lister_.begin_node(totals, weight);
        weight_ = static_cast<double>(weight);
        best_.reset();
        listed_ = false;
    }

    // Judges one question; true when the attribute has no further one.
    bool evaluate(Rows&, Range range, int attribute) {
        if (hurried_) {
            std::vector<Candidate> found;
            lister_.evaluate(node_, range, attribute, found);
            for (const Candidate& candidate : found)
                if (!best_ || candidate.value > best_->candidate.value + tie)
                    best_ = Trial{candidate, 0, 0, 0.0};
            return true;
        }
        if (!listed_)
            list(range, attribute);
        if (next_ < trials_.size())
            judge(trials_[next_++]);
        if (next_ < trials_.size())
            return false;
        if (drawn_best_)
            offer(*drawn_best_);
        listed_ = false;
        return true;
    }

    void hurry() { hurried_ = true; }

    const Candidate* best() const { return best_ ? &best_->candidate : nullptr; }
    std::uint64_t sampled_rows() const { return sampled_rows_; }
    double best_total() const { return best_->total; }

    // Value of one sample tree over the node's rows.
    double draw_one(std::uint64_t sample) {
        const Stream stream{options_.sampling.seed,
                            static_cast<std::uint64_t>(Purpose::sample),
                            fingerprint_.low,
                            fingerprint_.high,
                            0,
                            depth_name(remaining_),
                            sample};
        sampler_.begin_samples();
        return sampler_.draw(records_.at(0, packed_.stride()), class_rows_.data(), stream,
                             remaining_, infinity, false, objective_);
    }

    std::size_t nbytes() const {
        return packed_.nbytes() + sampler_.nbytes() + records_.data.capacity() +
               branches_.data.capacity();
    }

private:
    struct Trial {
        Candidate candidate;
        int first_sample = 0;
        int samples = 0;
        double total = 0.0;
    };

    static Objective objective_of(const SamplingOptions& options) {
        if constexpr (std::is_same_v<Objective, ErrorObjective>)
            return {ExpectedErrors(options.confidence, options.deviate,
                                   options.binomial ? ErrorBound::binomial : ErrorBound::normal)};
        else
            return {options.count_empty_leaves};
    }

    std::size_t class_of(std::uint32_t row) const {
        return static_cast<std::size_t>(packed_.table().classes[row]);
    }

    void list(Range range, int attribute) {
        listed_ = true;
        next_ = 0;
        trials_.clear();
        drawn_best_.reset();
        const bool numeric = packed_.table().columns[static_cast<std::size_t>(attribute)].numeric;
        const NumericCuts cuts = options_.sampling.numeric_cuts;
        std::vector<Candidate> found;
        if (numeric && cuts == NumericCuts::best)
            lister_.evaluate(node_, range, attribute, found);
        else
            lister_.list(node_, range, attribute, found);
        is_drawn_ = numeric && (cuts == NumericCuts::drawn || cuts == NumericCuts::drawn_rows);
        if (is_drawn_) {
            draw_cuts(attribute, found);
            return;
        }
        for (const Candidate& candidate : found)
            trials_.push_back({candidate, 0, options_.sampling.samples, 0.0});
    }

    // The best cut first, then cuts in proportion to the rows at their lower end times their gain.
    void draw_cuts(int attribute, const std::vector<Candidate>& cuts) {
        if (cuts.empty())
            return;
        int draws = options_.sampling.samples;
        if (options_.sampling.numeric_cuts == NumericCuts::drawn_rows)
            draws = std::max(
                1, static_cast<int>(std::ceil(options_.sampling.drawn_fraction * weight_)));
        const bool by_gain = options_.greedy.measure == Measure::gain;
        std::size_t best = 0;
        double total = 0.0;
        std::vector<double> weights(cuts.size());
        for (std::size_t i = 0; i < cuts.size(); ++i) {
            if (cuts[i].value > cuts[best].value + tie)
                best = i;
            const double worth = by_gain ? cuts[i].total_gain : cuts[i].value;
            weights[i] = lister_.lower_weights()[i] * std::max(worth, 0.0);
            total += weights[i];
        }
        Stream stream{options_.sampling.seed,
                      static_cast<std::uint64_t>(Purpose::cuts),
                      fingerprint_.low,
                      fingerprint_.high,
                      0,
                      depth_name(remaining_),
                      static_cast<std::uint64_t>(attribute)};
        for (int draw = 0; draw < draws; ++draw) {
            std::size_t cut = best;
            if (draw > 0 && total > 0)
                cut = place_in_proportion(weights.size(), stream.uniform(),
                                          [&](std::size_t i) { return weights[i]; });
            else if (draw > 0)
                cut = static_cast<std::size_t>(stream.uniform() *
                                               static_cast<double>(weights.size()));
            trials_.push_back({cuts[cut], draw, 1, 0.0});
        }
    }

    void judge(Trial& trial) {
        sampled_rows_ += static_cast<std::uint64_t>(trial.samples) * node_.size();
        const double bound = is_drawn_ ? (drawn_best_ ? drawn_best_->total : infinity) : infinity;
        trial.total = total_of(trial, std::min(bound, best_ ? best_->total + tie : infinity));
        if (!is_drawn_)
            offer(trial);
        else if (!drawn_best_ || trial.total < drawn_best_->total - tie)
            drawn_best_ = trial;
    }

    void offer(const Trial& trial) {
        if (!best_ || trial.total < best_->total - tie ||
            (trial.total <= best_->total + tie &&
             trial.candidate.value > best_->candidate.value + tie))
            best_ = trial;
    }

    // Sum over the branches of the smallest sample; infinity once it must be above the limit.
    double total_of(const Trial& trial, double limit) {
        const Question& question = trial.candidate.question;
        const std::size_t stride = packed_.stride();
        const std::int32_t below = remaining_ == unlimited ? unlimited : remaining_ - 1;
        sampler_.divide(records_.at(0, stride), class_rows_.data(), question,
                        branches_.at(0, stride), division_,
                        [](const std::uint32_t*) { return true; });
        const std::size_t branches = division_.begin.size();
        double total = 0.0;
        for (std::size_t b = 0; b < branches; ++b) {
            const std::uint32_t* sizes = division_.class_rows.data() + b * n_classes_;
            const std::uint8_t* first = branches_.at(division_.begin[b], stride);
            if (below == 0 || !has_several_classes(sizes, n_classes_))
                total += sampler_.leaf_counts(first, sizes).value(objective_);
            else
                total += smallest_sample(trial, first, sizes, below);
            const double rest =
                counts_branches(objective_) ? static_cast<double>(branches - b - 1) : 0.0;
            if (options_.sampling.cut_off && total + rest > limit)
                return infinity;
        }
        return total;
    }

    double smallest_sample(const Trial& trial, const std::uint8_t* first,
                           const std::uint32_t* sizes, std::int32_t below) {
        const SamplingOptions& sampling = options_.sampling;
        const bool reuse = sampling.remember_statistics;
        if (reuse || sampling.known_sizes)
            sampler_.evaluate(first, sizes);
        if (counts_branches(objective_) && sampling.known_sizes) {
            const std::size_t size = sampler_.known_size();
            if (size > 0)
                return static_cast<double>(size);
        }
        Fingerprint fingerprint;
        const std::uint8_t* record = first;
        for (std::size_t k = 0; k < n_classes_; ++k)
            for (std::uint32_t i = 0; i < sizes[k]; ++i, record += packed_.stride())
                packed_.hashes().add_to(fingerprint, packed_.row_of(record));
        double smallest = infinity;
        sampler_.begin_samples();
        for (int j = 0; j < trial.samples; ++j) {
            const Stream stream{sampling.seed,
                                static_cast<std::uint64_t>(Purpose::sample),
                                fingerprint.low,
                                fingerprint.high,
                                0,
                                depth_name(below),
                                static_cast<std::uint64_t>(trial.first_sample + j)};
            smallest = std::min(smallest, sampler_.draw(first, sizes, stream, below,
                                                        sampling.cut_off ? smallest : infinity,
                                                        reuse, objective_));
        }
        return smallest;
    }

    static constexpr double infinity = std::numeric_limits<double>::infinity();

    GrowthOptions options_;
    PackedTable<Arithmetic> packed_;
    PackedRows<Arithmetic> node_;
    TreeSampler<Arithmetic> sampler_;
    NodeEvaluator<PackedRows<Arithmetic>> lister_;
    Objective objective_;
    std::size_t n_classes_;

    std::int32_t remaining_ = unlimited;
    double weight_ = 0.0;
    std::vector<std::uint32_t> class_rows_;
    RecordBuffer records_, branches_;
    Fingerprint fingerprint_;
    Division division_;
    std::vector<Trial> trials_;
    std::size_t next_ = 0;
    bool listed_ = false;
    bool hurried_ = false;
    std::uint64_t sampled_rows_ = 0;
    bool is_drawn_ = false;
    std::optional<Trial> drawn_best_, best_;
};

} // namespace niwaki
