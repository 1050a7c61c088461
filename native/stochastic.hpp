// The stochastic chooser (SID3): a question drawn in proportion to its gain.
#pragma once

#include "draw.hpp"
#include "greedy.hpp"
#include "packed.hpp"

#include <optional>

namespace niwaki {

template <class Rows> class StochasticChooser {
public:
    using Count = typename Rows::Count;

    StochasticChooser(const Table& table, const GrowthOptions& options,
                      const typename Rows::Arithmetic& arithmetic, double total_weight)
        : options_(options), evaluator_(table, options_.greedy, arithmetic, total_weight),
          hashes_(table, Rows::whole), n_rows_(table.n_rows) {}

    // Goes on after so many questions, each of which took one number.
    void skip(std::size_t questions) { skipped_ = questions; }

    void begin(Rows&, Range, const std::vector<Count>& totals, Count weight, std::int32_t) {
        if (!stream_)
            begin_stream();
        evaluator_.begin_node(totals, weight);
        candidates_.clear();
        chosen_ = nullptr;
    }

    bool evaluate(Rows& rows, Range range, int attribute) {
        evaluator_.evaluate(rows, range, attribute, candidates_);
        return true;
    }

    const Candidate* best() {
        if (!chosen_ && !candidates_.empty())
            chosen_ = &candidates_[drawn()];
        return chosen_;
    }

    void hurry() {}
    std::size_t nbytes() const { return hashes_.nbytes(); }

private:
    // The stream of the sample tree over all rows of the table.
    void begin_stream() {
        Fingerprint fingerprint;
        for (std::size_t row = 0; row < n_rows_; ++row)
            hashes_.add_to(fingerprint, static_cast<std::uint32_t>(row));
        stream_.emplace(std::initializer_list<std::uint64_t>{
            options_.stochastic.seed, static_cast<std::uint64_t>(Purpose::sample), fingerprint.low,
            fingerprint.high, 0, depth_name(options_.greedy.max_depth),
            options_.stochastic.sample});
        for (std::size_t i = 0; i < skipped_; ++i)
            stream_->next();
    }

    std::size_t drawn() {
        const bool by_gain = options_.greedy.measure == Measure::gain;
        auto weight_of = [&](std::size_t i) {
            return by_gain ? candidates_[i].total_gain : candidates_[i].value;
        };
        std::size_t n_pure = 0;
        double most = 0.0;
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            n_pure += candidates_[i].pure;
            most = std::max(most, weight_of(i));
        }
        return drawn_question(
            candidates_.size(), n_pure, most, stream_->uniform(),
            [&](std::size_t i) { return candidates_[i].pure; }, weight_of);
    }

    GrowthOptions options_;
    NodeEvaluator<Rows> evaluator_;
    RowHashes hashes_;
    std::size_t n_rows_;
    std::optional<Stream> stream_;
    std::size_t skipped_ = 0;
    std::vector<Candidate> candidates_;
    const Candidate* chosen_ = nullptr;
};

} // namespace niwaki
