// Numbered random streams and content fingerprints: results depend on names, never on order.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>

namespace niwaki {

inline std::uint64_t mixed(std::uint64_t value) {
    value += 0x9e3779b97f4a7c15ULL;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31);
}

// A stream of uniform numbers, a pure function of its name.
class Stream {
public:
    explicit Stream(std::initializer_list<std::uint64_t> name) {
        for (std::uint64_t part : name)
            state_ = mixed(state_ ^ mixed(part));
    }

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        return mixed(state_);
    }

    // Uniform in [0, 1) with 53 bits.
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

private:
    std::uint64_t state_ = 0;
};

// Sum over rows of a fixed mixer of their content times their weight, modulo 2^128: it knows
// neither the order of rows nor how often a row is written down for the same total weight.
struct Fingerprint {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    void add(std::uint64_t row_hash, std::uint64_t weight) {
        const unsigned __int128 product =
            ((static_cast<unsigned __int128>(mixed(row_hash ^ 0x6a09e667f3bcc908ULL)) << 64) |
             mixed(row_hash)) *
            weight;
        const unsigned __int128 sum =
            ((static_cast<unsigned __int128>(high) << 64) | low) + product;
        low = static_cast<std::uint64_t>(sum);
        high = static_cast<std::uint64_t>(sum >> 64);
    }
};

constexpr std::int32_t unlimited = -1;
enum class Purpose : std::uint64_t { sample = 1, cuts = 2, skewing = 3 };

// What is left of the depth, as part of a stream's name.
inline std::uint64_t depth_name(std::int32_t remaining) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(remaining));
}

} // namespace niwaki
