// The stochastic chooser (SID3): a question drawn in proportion to its gain.
#pragma once

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
        const double uniform = stream_->uniform();
        std::size_t pure = 0;
        for (const Candidate& candidate : candidates_)
            pure += candidate.pure;
        if (pure > 0) {
            auto wanted = static_cast<std::size_t>(uniform * static_cast<double>(pure));
            for (std::size_t i = 0; i < candidates_.size(); ++i)
                if (candidates_[i].pure && wanted-- == 0)
                    return i;
        }
        const bool by_gain = options_.greedy.measure == Measure::gain;
        weights_.clear();
        for (const Candidate& candidate : candidates_)
            weights_.push_back(by_gain ? candidate.total_gain : candidate.value);
        return drawn_in_proportion(weights_, uniform);
    }

    GrowthOptions options_;
    NodeEvaluator<Rows> evaluator_;
    RowHashes hashes_;
    std::size_t n_rows_;
    std::optional<Stream> stream_;
    std::size_t skipped_ = 0;
    std::vector<Candidate> candidates_;
    const Candidate* chosen_ = nullptr;
    std::vector<double> weights_;
};

} // namespace niwaki
