// The greedy chooser: the question that the measure likes best.
#pragma once

#include "candidates.hpp"

#include <vector>

namespace niwaki {

template <class Rows> class GreedyChooser {
public:
    using Count = typename Rows::Count;

    GreedyChooser(const Table& table, const GrowthOptions& options,
                  const typename Rows::Arithmetic& arithmetic, double total_weight)
        : options_(options.greedy), evaluator_(table, options_, arithmetic, total_weight) {}

    void begin(Rows&, Range, const std::vector<Count>& totals, Count weight, std::int32_t) {
        evaluator_.begin_node(totals, weight);
        candidates_.clear();
    }

    // Does a piece of work on an attribute; true when the attribute is done.
    bool evaluate(Rows& rows, Range range, int attribute) {
        evaluator_.evaluate(rows, range, attribute, candidates_);
        return true;
    }

    void hurry() {}

    const Candidate* best() const {
        return options_.rules == Rules::c45 ? best_by_c45() : best_by_id3();
    }

    std::size_t nbytes() const { return candidates_.capacity() * sizeof(Candidate); }

private:
    const Candidate* best_by_id3() const {
        const Candidate* best = nullptr;
        for (const Candidate& candidate : candidates_)
            if (!best || candidate.value > best->value + tie)
                best = &candidate;
        return best;
    }

    const Candidate* best_by_c45() const {
        double sum = 0.0;
        std::size_t admitted = 0;
        for (const Candidate& candidate : candidates_)
            if (candidate.in_average) {
                sum += candidate.value;
                ++admitted;
            }
        if (admitted == 0)
            return nullptr;
        const double average = sum / static_cast<double>(admitted);
        const bool ratio = options_.measure == Measure::gain_ratio;
        const Candidate* best = nullptr;
        double best_score = 0.0;
        for (const Candidate& candidate : candidates_) {
            double score = candidate.value;
            if (ratio) {
                if (candidate.value < average - c45_slack || candidate.info <= c45_slack)
                    continue;
                score = candidate.value / candidate.info;
            }
            if (score > best_score + c45_tie) {
                best = &candidate;
                best_score = score;
            }
        }
        return best;
    }

    GreedyOptions options_;
    NodeEvaluator<Rows> evaluator_;
    std::vector<Candidate> candidates_;
};

} // namespace niwaki
