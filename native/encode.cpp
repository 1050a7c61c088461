// Ranking by radix sort, and lexicographic sorting of whole rows.
#include "encode.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace niwaki {
namespace {

struct Entry {
    std::uint64_t key;
    std::uint32_t place;
};

// Unsigned integers in the order of the numbers.
std::uint64_t ordered_bits(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return bits & (std::uint64_t{1} << 63) ? ~bits : bits | (std::uint64_t{1} << 63);
}

double from_ordered_bits(std::uint64_t key) {
    const std::uint64_t bits =
        key & (std::uint64_t{1} << 63) ? key ^ (std::uint64_t{1} << 63) : ~key;
    return std::bit_cast<double>(bits);
}

void sort_entries(std::vector<Entry>& entries) {
    constexpr int digit_bits = 11;
    constexpr std::size_t digits = 6;
    constexpr std::size_t width = std::size_t{1} << digit_bits;
    if (entries.size() < 1500) {
        std::sort(entries.begin(), entries.end(),
                  [](const Entry& a, const Entry& b) { return a.key < b.key; });
        return;
    }
    std::vector<std::array<std::uint32_t, width>> places(digits);
    for (auto& place : places)
        place.fill(0);
    for (const Entry& entry : entries)
        for (std::size_t digit = 0; digit < digits; ++digit)
            ++places[digit][(entry.key >> (digit * digit_bits)) & (width - 1)];
    std::vector<Entry> scratch(entries.size());
    for (std::size_t digit = 0; digit < digits; ++digit) {
        auto& place = places[digit];
        const std::size_t shift = digit * digit_bits;
        if (place[(entries[0].key >> shift) & (width - 1)] == entries.size())
            continue;
        std::exclusive_scan(place.begin(), place.end(), place.begin(), 0U);
        for (const Entry& entry : entries)
            scratch[place[(entry.key >> shift) & (width - 1)]++] = entry;
        entries.swap(scratch);
    }
}

} // namespace

Ranks rank_values(const double* values, std::ptrdiff_t stride, std::size_t size) {
    std::vector<Entry> entries;
    entries.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
        const double value = values[static_cast<std::ptrdiff_t>(i) * stride];
        if (!std::isnan(value))
            entries.push_back({ordered_bits(value), static_cast<std::uint32_t>(i)});
    }
    if (!entries.empty())
        sort_entries(entries);
    Ranks result;
    result.ranks.resize(size);
    std::uint64_t previous = 0;
    for (const Entry& entry : entries) {
        if (result.distinct.empty() || entry.key != previous)
            result.distinct.push_back(from_ordered_bits(entry.key));
        previous = entry.key;
        result.ranks[entry.place] = static_cast<std::uint32_t>(result.distinct.size() - 1);
    }
    if (entries.size() < size)
        for (std::size_t i = 0; i < size; ++i)
            if (std::isnan(values[static_cast<std::ptrdiff_t>(i) * stride]))
                result.ranks[i] = static_cast<std::uint32_t>(result.distinct.size());
    return result;
}

CanonicalRows canonical_rows(const std::vector<const std::uint32_t*>& codes,
                             const std::int32_t* classes, const double* weights, std::size_t size) {
    CanonicalRows result;
    result.order.resize(size);
    std::iota(result.order.begin(), result.order.end(), std::int64_t{0});
    auto compare = [&](std::int64_t a, std::int64_t b) {
        for (const std::uint32_t* column : codes)
            if (column[a] != column[b])
                return column[a] < column[b] ? -1 : 1;
        return classes[a] != classes[b] ? (classes[a] < classes[b] ? -1 : 1) : 0;
    };
    std::sort(result.order.begin(), result.order.end(), [&](std::int64_t a, std::int64_t b) {
        const int difference = compare(a, b);
        return difference != 0 ? difference < 0 : weights[a] < weights[b];
    });
    for (std::size_t i = 0; i < size; ++i)
        if (i == 0 || compare(result.order[i - 1], result.order[i]) != 0)
            result.starts.push_back(static_cast<std::int64_t>(i));
    return result;
}

} // namespace niwaki
