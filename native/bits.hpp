// Sample trees over few rows: a node is a word of bits, one per row, and nothing is moved.
#pragma once

#include "counts.hpp"
#include "draw.hpp"
#include "packed.hpp"
#include "random.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace niwaki {

// A set of at most 64 * words rows.
template <std::size_t words> using Bits = std::array<std::uint64_t, words>;

template <std::size_t words>
std::uint32_t shared(const Bits<words>& one, const Bits<words>& other) {
    std::uint32_t count = 0;
    for (std::size_t w = 0; w < words; ++w)
        count += static_cast<std::uint32_t>(std::popcount(one[w] & other[w]));
    return count;
}

template <std::size_t words> Bits<words> both(const Bits<words>& one, const Bits<words>& other) {
    Bits<words> result;
    for (std::size_t w = 0; w < words; ++w)
        result[w] = one[w] & other[w];
    return result;
}

template <std::size_t words> Bits<words> without(const Bits<words>& one, const Bits<words>& other) {
    Bits<words> result;
    for (std::size_t w = 0; w < words; ++w)
        result[w] = one[w] & ~other[w];
    return result;
}

// Draws SID3 trees for their size: whole unit weights, information gain, one branch per value.
// The draws are those of TreeSampler, number by number.
template <std::size_t words> class BitSampler {
public:
    static constexpr std::size_t most_rows = 64 * words;

    BitSampler(const PackedTable<IntegerArithmetic>& packed, const IntegerArithmetic& arithmetic)
        : packed_(packed), arithmetic_(arithmetic), columns_(packed.n_bytes()),
          entries_(packed.slots().size()) {}

    // Takes in records that are grouped by class.
    void read(const std::uint8_t* first, const std::uint32_t* class_rows) {
        const std::size_t n_bytes = packed_.n_bytes();
        const auto n_classes = static_cast<std::size_t>(packed_.table().n_classes);
        for (Bits<words>& column : columns_)
            column = {};
        classes_.clear();
        all_ = {};
        std::size_t row = 0;
        for (std::size_t k = 0; k < n_classes; ++k) {
            if (class_rows[k] == 0)
                continue;
            Bits<words> members{};
            for (std::uint32_t i = 0; i < class_rows[k]; ++i, ++row, first += packed_.stride()) {
                const std::size_t word = row / 64;
                const std::size_t bit = row % 64;
                members[word] |= std::uint64_t{1} << bit;
                for (std::size_t byte = 0; byte < n_bytes; ++byte)
                    columns_[byte][word] |= std::uint64_t{first[byte]} << bit;
            }
            for (std::size_t w = 0; w < words; ++w)
                all_[w] |= members[w];
            classes_.push_back(members);
        }
        class_counts_.resize(classes_.size());
    }

    // Number of leaves of one tree over the rows read; something not below `bound` as soon as it
    // cannot be below.
    double draw(Stream& stream, std::int32_t remaining, double bound) {
        open_.assign(1, {all_, remaining});
        double leaves = 0.0;
        while (!open_.empty()) {
            const Open node = open_.back();
            open_.pop_back();
            if (node.remaining == 0 || count_classes(node.rows) < 2) {
                leaves += 1.0;
                continue;
            }
            evaluate(node.rows);
            if (n_entries_ == 0) {
                leaves += 1.0;
                continue;
            }
            const Slot& slot = packed_.slots()[choose(stream)];
            if (n_pure_ > 0) {
                leaves += slot.n_values;
                continue;
            }
            const std::int32_t below = node.remaining == unlimited ? unlimited : node.remaining - 1;
            for (std::uint32_t value = slot.n_values; value-- > 0;) {
                const Bits<words> child = branch(node.rows, slot, value);
                if (below == 0 || !is_mixed(child))
                    leaves += 1.0;
                else
                    open_.push_back({child, below});
            }
            if (leaves + static_cast<double>(open_.size()) >= bound)
                return std::numeric_limits<double>::infinity();
        }
        return leaves;
    }

private:
    struct Open {
        Bits<words> rows;
        std::int32_t remaining;
    };
    struct Entry {
        double weight;
        std::uint32_t attribute;
        bool pure;
    };

    Bits<words> branch(const Bits<words>& rows, const Slot& slot, std::uint32_t value) const {
        if (slot.width == slot.n_values)
            return both(rows, columns_[slot.first + value]);
        return value == 1 ? both(rows, columns_[slot.first]) : without(rows, columns_[slot.first]);
    }

    bool is_mixed(const Bits<words>& rows) const {
        std::size_t present = 0;
        for (const Bits<words>& members : classes_) {
            bool any = false;
            for (std::size_t w = 0; w < words; ++w)
                any |= (rows[w] & members[w]) != 0;
            present += any;
        }
        return present > 1;
    }

    std::size_t count_classes(const Bits<words>& rows) {
        std::size_t present = 0;
        weight_ = 0;
        for (std::size_t k = 0; k < classes_.size(); ++k) {
            class_counts_[k] = shared(rows, classes_[k]);
            weight_ += class_counts_[k];
            present += class_counts_[k] > 0;
        }
        return present;
    }

    void evaluate(const Bits<words>& rows) {
        n_entries_ = 0;
        n_pure_ = 0;
        most_ = 0.0;
        entropy_ = arithmetic_.entropy_term(weight_);
        for (const std::uint32_t count : class_counts_)
            entropy_ -= arithmetic_.entropy_term(count);
        const std::vector<Slot>& slots = packed_.slots();
        const std::int64_t* terms = arithmetic_.table_up_to(weight_);
        const bool two_classes = classes_.size() == 2 && terms;
        const Bits<words> first = both(rows, classes_[0]);
        for (std::uint32_t a = 0; a < slots.size(); ++a) {
            const Slot& slot = slots[a];
            if (two_classes && slot.width == 1 && slot.n_values == 2)
                evaluate_pair(rows, first, a, terms);
            else
                evaluate_slot(rows, a);
        }
    }

    void evaluate_pair(const Bits<words>& rows, const Bits<words>& first, std::uint32_t attribute,
                       const std::int64_t* terms) {
        const Bits<words>& column = columns_[packed_.slots()[attribute].first];
        const std::uint32_t ones = shared(rows, column);
        if (ones == 0 || ones == weight_)
            return;
        const std::uint32_t one = shared(first, column);
        const std::int64_t below = terms[ones] + terms[weight_ - ones] - terms[one] -
                                   terms[ones - one] - terms[class_counts_[0] - one] -
                                   terms[class_counts_[1] - (ones - one)];
        add(attribute, below);
    }

    void evaluate_slot(const Bits<words>& rows, std::uint32_t attribute) {
        const Slot& slot = packed_.slots()[attribute];
        std::int64_t below = 0;
        std::uint32_t reached = 0;
        for (std::uint32_t value = 0; value < slot.n_values; ++value) {
            const Bits<words> child = branch(rows, slot, value);
            std::uint32_t weight = 0;
            for (const Bits<words>& members : classes_) {
                const std::uint32_t count = shared(child, members);
                weight += count;
                below -= arithmetic_.entropy_term(count);
            }
            below += arithmetic_.entropy_term(weight);
            reached += weight > 0;
        }
        if (reached >= 2)
            add(attribute, below);
    }

    void add(std::uint32_t attribute, std::int64_t below) {
        const double gain = arithmetic_.scaled(entropy_ - below);
        entries_[n_entries_++] = {gain, attribute, below == 0};
        n_pure_ += below == 0;
        most_ = gain > most_ ? gain : most_;
    }

    std::uint32_t choose(Stream& stream) const {
        const std::size_t place = drawn_question(
            n_entries_, n_pure_, most_, stream.uniform(),
            [&](std::size_t i) { return entries_[i].pure; },
            [&](std::size_t i) { return entries_[i].weight; });
        return entries_[place].attribute;
    }

    const PackedTable<IntegerArithmetic>& packed_;
    const IntegerArithmetic& arithmetic_;
    std::vector<Bits<words>> columns_; // one per byte of a record
    std::vector<Bits<words>> classes_; // of the classes present
    Bits<words> all_{};
    std::vector<Open> open_;
    std::vector<Entry> entries_;
    std::size_t n_entries_ = 0;
    std::size_t n_pure_ = 0;
    double most_ = 0.0;
    std::int64_t entropy_ = 0;
    std::uint32_t weight_ = 0;
    std::vector<std::uint32_t> class_counts_;
};

} // namespace niwaki
