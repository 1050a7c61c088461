// The two kinds of counts: whole numbers with exact entropies, and real numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace niwaki {

// Entropies of whole counts are sums of terms n*log2(n), held as integers scaled by a power of
// two. Such sums are exact in any order, so they may be updated by adding and subtracting.
class IntegerArithmetic {
public:
    using Count = std::int64_t;
    using Sum = std::int64_t;
    using Square = __int128;

    static constexpr std::int64_t largest_table = std::int64_t{1} << 22;

    static int shift_for(std::int64_t total) {
        if (total < 2)
            return 59;
        const double count = static_cast<double>(total);
        return 59 - static_cast<int>(std::floor(std::log2(count * std::log2(count))));
    }

    static std::int64_t term(std::int64_t count, int shift) {
        if (count <= 1)
            return 0;
        const double number = static_cast<double>(count);
        return std::llrint(std::ldexp(number * std::log2(number), shift));
    }

    explicit IntegerArithmetic(std::int64_t total)
        : shift_(shift_for(total)), unit_(std::ldexp(1.0, -shift_)) {
        terms_.resize(static_cast<std::size_t>(std::min(total, largest_table)) + 1);
        for (std::size_t count = 0; count < terms_.size(); ++count)
            terms_[count] = term(static_cast<std::int64_t>(count), shift_);
    }

    Sum entropy_term(Count count) const {
        return static_cast<std::size_t>(count) < terms_.size()
                   ? terms_[static_cast<std::size_t>(count)]
                   : term(count, shift_);
    }
    // The terms of all counts up to one, or null if there are too many for a table.
    const Sum* table_up_to(Count count) const {
        return static_cast<std::size_t>(count) < terms_.size() ? terms_.data() : nullptr;
    }
    double scaled(Sum sum) const { return static_cast<double>(sum) * unit_; }
    std::size_t nbytes() const { return terms_.capacity() * sizeof(std::int64_t); }

private:
    int shift_;
    double unit_;
    std::vector<std::int64_t> terms_;
};

class RealArithmetic {
public:
    using Count = double;
    using Sum = double;
    using Square = double;

    Sum entropy_term(Count count) const { return count > 0 ? count * std::log2(count) : 0.0; }
    double scaled(Sum sum) const { return sum; }
    std::size_t nbytes() const { return 0; }
};

// The weight of every branch and its share, from class counts: always added class by class, so
// that real numbers come out the same wherever they are added.
struct BranchShares {
    std::vector<double> weights;
    std::vector<double> shares; // equal ones if there is no weight

    BranchShares(const std::vector<double>& cells, std::size_t branches)
        : weights(branches, 0.0), shares(branches) {
        const std::size_t width = branches ? cells.size() / branches : 0;
        double total = 0.0;
        for (std::size_t k = 0; k < width; ++k) {
            double of_class = 0.0;
            for (std::size_t b = 0; b < branches; ++b) {
                weights[b] += cells[b * width + k];
                of_class += cells[b * width + k];
            }
            total += of_class;
        }
        for (std::size_t b = 0; b < branches; ++b)
            shares[b] = total > 0 ? weights[b] / total : 1.0 / static_cast<double>(branches);
    }
};

} // namespace niwaki
