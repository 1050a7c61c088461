// Sorting of whole-number keys by their upper bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace niwaki {

// Radix sort, one pass per digit that differs.
template <int digit_bits, class Key>
void sort_digits(std::vector<Key>& keys, std::vector<Key>& scratch, int low_bit, int high_bit) {
    constexpr std::size_t digits = std::size_t{1} << digit_bits;
    for (int bit = low_bit; bit < high_bit; bit += digit_bits) {
        std::array<std::uint32_t, digits> place{};
        for (const Key key : keys)
            ++place[(key >> bit) & (digits - 1)];
        if (place[(keys[0] >> bit) & (digits - 1)] == keys.size())
            continue;
        std::uint32_t sum = 0;
        for (std::uint32_t& entry : place) {
            const std::uint32_t count = entry;
            entry = sum;
            sum += count;
        }
        for (const Key key : keys)
            scratch[place[(key >> bit) & (digits - 1)]++] = key;
        keys.swap(scratch);
    }
}

// Sorts keys by the bits from `low_bit` up to `high_bit`; what is below may end in any order.
template <class Key>
void sort_keys(std::vector<Key>& keys, std::vector<Key>& scratch, int low_bit, int high_bit) {
    const std::size_t size = keys.size();
    if (size <= 24) {
        for (std::size_t i = 1; i < size; ++i) {
            const Key key = keys[i];
            std::size_t j = i;
            for (; j > 0 && keys[j - 1] > key; --j)
                keys[j] = keys[j - 1];
            keys[j] = key;
        }
        return;
    }
    if (size <= 96) {
        std::sort(keys.begin(), keys.end());
        return;
    }
    scratch.resize(size);
    // Wide digits save passes, and pay where the table of places is small beside the keys.
    if (size > 8192)
        sort_digits<11>(keys, scratch, low_bit, high_bit);
    else
        sort_digits<8>(keys, scratch, low_bit, high_bit);
}

inline int bit_width(std::uint64_t largest) {
    int bits = 0;
    while (largest) {
        ++bits;
        largest >>= 1;
    }
    return bits;
}

} // namespace niwaki
