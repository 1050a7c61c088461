// Sorting of whole-number keys by their upper bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace niwaki {

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
    for (int bit = low_bit; bit < high_bit; bit += 8) {
        std::array<std::size_t, 256> place{};
        for (const Key key : keys)
            ++place[(key >> bit) & 255];
        if (place[(keys[0] >> bit) & 255] == size)
            continue;
        std::size_t sum = 0;
        for (std::size_t& entry : place) {
            const std::size_t count = entry;
            entry = sum;
            sum += count;
        }
        for (const Key key : keys)
            scratch[place[(key >> bit) & 255]++] = key;
        keys.swap(scratch);
    }
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
