// One worker's share of lookahead: judges questions and draws sample trees over any rows of a
// table.
#pragma once

#include "grow.hpp"
#include "rows.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace niwaki {

// The best question among some attributes, and what the trees below it are worth.
struct Judged {
    Question question;
    double threshold = 0.0;
    double total = 0.0;
    double value = 0.0; // of the measure; decides between equal totals
};

// Holds scratch only: dropping it changes no result.
class Sampler {
public:
    static std::unique_ptr<Sampler> make(Table table, const GrowthOptions& options);
    virtual ~Sampler() = default;

    // Nothing if no question about these attributes divides the rows.
    virtual std::optional<Judged> judge(std::span<const std::uint32_t> rows,
                                        std::span<const std::int32_t> attributes,
                                        std::int32_t remaining) = 0;

    // Value of one sample tree over the rows.
    virtual double draw(std::span<const std::uint32_t> rows, std::int32_t remaining,
                        std::uint64_t sample) = 0;

    virtual std::size_t nbytes() const = 0;
};

} // namespace niwaki
