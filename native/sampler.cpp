// The sampling chooser over rows that are named one by one.
#include "sampler.hpp"

#include "lookahead.hpp"

#include <cmath>

namespace niwaki {
namespace {

// Rows as the chooser asks for them: a list of numbers.
template <class Counting> struct NamedRows {
    using Arithmetic = Counting;
    using Count = typename Counting::Count;
    std::span<const std::uint32_t> numbers;
    std::uint32_t row_at(std::size_t at) const { return numbers[at]; }
};

template <class Arithmetic, class Objective> class SamplerOf final : public Sampler {
public:
    using Count = typename Arithmetic::Count;

    SamplerOf(Table table, const GrowthOptions& options, Arithmetic arithmetic, double total)
        : table_(std::move(table)), options_(options), arithmetic_(std::move(arithmetic)),
          chooser_(table_, options_, arithmetic_, total) {}

    std::optional<Judged> judge(std::span<const std::uint32_t> rows,
                                std::span<const std::int32_t> attributes,
                                std::int32_t remaining) override {
        NamedRows<Arithmetic> named{rows};
        begin(named, remaining);
        const Range range{0, rows.size()};
        for (const std::int32_t attribute : attributes)
            while (!chooser_.evaluate(named, range, attribute)) {
            }
        const Candidate* best = chooser_.best();
        if (!best)
            return std::nullopt;
        const bool cut = best->question.kind == SplitKind::threshold;
        return Judged{best->question,
                      cut ? cut_threshold(table_, *best, options_.greedy.threshold)
                          : std::numeric_limits<double>::quiet_NaN(),
                      chooser_.best_total(), best->value};
    }

    double draw(std::span<const std::uint32_t> rows, std::int32_t remaining,
                std::uint64_t sample) override {
        NamedRows<Arithmetic> named{rows};
        begin(named, remaining);
        return chooser_.draw_one(sample);
    }

    std::size_t nbytes() const override { return arithmetic_.nbytes() + chooser_.nbytes(); }

private:
    void begin(NamedRows<Arithmetic>& named, std::int32_t remaining) {
        std::vector<Count> totals(static_cast<std::size_t>(table_.n_classes), 0);
        for (const std::uint32_t row : named.numbers)
            totals[static_cast<std::size_t>(table_.classes[row])] +=
                static_cast<Count>(table_.weight(row));
        Count weight = 0;
        for (const Count count : totals)
            weight += count;
        chooser_.begin(named, Range{0, named.numbers.size()}, totals, weight, remaining);
    }

    Table table_;
    GrowthOptions options_;
    Arithmetic arithmetic_;
    SamplingChooser<NamedRows<Arithmetic>, Objective> chooser_;
};

template <class Arithmetic>
std::unique_ptr<Sampler> with_objective(Table table, const GrowthOptions& options,
                                        Arithmetic arithmetic, double total) {
    if (options.sampling.objective == ObjectiveKind::size)
        return std::make_unique<SamplerOf<Arithmetic, SizeObjective>>(std::move(table), options,
                                                                      std::move(arithmetic), total);
    return std::make_unique<SamplerOf<Arithmetic, ErrorObjective>>(std::move(table), options,
                                                                   std::move(arithmetic), total);
}

} // namespace

std::unique_ptr<Sampler> Sampler::make(Table table, const GrowthOptions& options) {
    const double total = total_weight(table);
    if (Growth::counts_are_whole(table, false))
        return with_objective(std::move(table), options,
                              IntegerArithmetic(static_cast<std::int64_t>(total)), total);
    return with_objective(std::move(table), options, RealArithmetic{}, total);
}

} // namespace niwaki
