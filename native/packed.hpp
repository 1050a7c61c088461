// Rows as short records for sampling: nominal attributes as one byte per value, so that class
// counts are sums of bytes; ranks and many-valued codes as words beside them.
#pragma once

#include "counts.hpp"
#include "random.hpp"
#include "rows.hpp"
#include "table.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace niwaki {

constexpr std::uint32_t most_byte_values = 24; // more values of an attribute become one word

// Where an attribute stands in a record.
struct Slot {
    bool bytes = false;
    std::uint32_t first = 0; // first byte, or number of the word
    std::uint32_t width = 0; // bytes; two values need one
    std::uint32_t n_values = 0;
};

// A hash of the content of every row and its class, for fingerprints of sets of rows.
class RowHashes {
public:
    // Whole weights count as they are, real ones in units of 2^-32.
    RowHashes(const Table& table, bool whole_weights);

    void add_to(Fingerprint& fingerprint, std::uint32_t row) const {
        fingerprint.add(hashes_[row], weights_.empty() ? 1 : weights_[row]);
    }
    std::size_t nbytes() const { return (hashes_.capacity() + weights_.capacity()) * 8; }

private:
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint64_t> weights_; // empty: all 1
};

// The records of a whole table.
template <class Arithmetic> class PackedTable {
public:
    using Count = typename Arithmetic::Count;

    explicit PackedTable(const Table& table);

    const Table& table() const { return table_; }
    const std::vector<Slot>& slots() const { return slots_; }
    std::size_t n_bytes() const { return n_bytes_; }
    std::size_t stride() const { return stride_; }
    bool unit_weights() const { return unit_; }
    const std::uint8_t* record(std::size_t row) const { return data_.data() + row * stride_; }
    std::uint32_t word(const std::uint8_t* record, std::uint32_t number) const {
        std::uint32_t value;
        std::memcpy(&value, record + words_ + 4 * number, 4);
        return value;
    }
    std::uint32_t row_of(const std::uint8_t* record) const { return word(record, n_words_); }
    Count weight(const std::uint8_t* record) const {
        if (unit_)
            return 1;
        Count value;
        std::memcpy(&value, record + weight_, sizeof value);
        return value;
    }
    const RowHashes& hashes() const { return hashes_; }
    std::size_t nbytes() const { return data_.capacity() + hashes_.nbytes(); }

private:
    Table table_;
    std::vector<Slot> slots_;
    std::size_t n_bytes_ = 0; // of the nominal part
    std::size_t words_ = 0;   // offset of the first word
    std::uint32_t n_words_ = 0;
    std::size_t weight_ = 0; // offset of the weight
    std::size_t stride_ = 0;
    bool unit_ = true;
    std::vector<std::uint8_t> data_;
    RowHashes hashes_;
};

// Records of one node or more, each node's grouped by class.
struct RecordBuffer {
    std::vector<std::uint8_t> data;

    void reserve_records(std::size_t records, std::size_t stride) {
        data.resize(records * stride + 64); // byte sums read whole blocks
    }
    std::uint8_t* at(std::size_t record, std::size_t stride) {
        return data.data() + record * stride;
    }
    const std::uint8_t* at(std::size_t record, std::size_t stride) const {
        return data.data() + record * stride;
    }
};

// The rows of one node at a time, as the evaluator of candidates reads them.
template <class Counting> class PackedRows {
public:
    using Arithmetic = Counting;
    using Count = typename Arithmetic::Count;
    using Table_ = PackedTable<Arithmetic>;

    explicit PackedRows(const Table_& packed);

    // Looks at the records from `first` on; class_rows are their numbers by class.
    void look_at(const std::uint8_t* first, const std::uint32_t* class_rows);

    const std::vector<Count>& totals() const { return totals_; }
    Count weight() const { return weight_; }
    std::size_t size() const { return size_; }
    const std::vector<int>& present() const { return present_; }
    const std::uint32_t* byte_counts(int k) const {
        return unit_counts_.data() + static_cast<std::size_t>(k) * lanes_;
    }

    // Weight of one class with one value of an attribute that stands in bytes.
    Count byte_count(int k, const Slot& slot, std::uint32_t value) const {
        if (slot.width == slot.n_values)
            return cell(k, slot.first + value);
        return value == 1 ? cell(k, slot.first)
                          : totals_[static_cast<std::size_t>(k)] - cell(k, slot.first);
    }

    void group(Range range, int attribute, Groups<Count>& groups);
    template <class Each> void each_run(Range range, int attribute, Each each);
    Count missing_counts(Range range, int attribute, std::vector<Count>& counts) const;

private:
    Count cell(int k, std::size_t lane) const {
        if constexpr (std::is_same_v<Count, std::int64_t>)
            if (packed_.unit_weights())
                return unit_counts_[static_cast<std::size_t>(k) * lanes_ + lane];
        return counts_[static_cast<std::size_t>(k) * lanes_ + lane];
    }
    template <class Each> void each_record(Each each) const {
        const std::uint8_t* record = first_;
        for (const int k : present_)
            for (std::uint32_t i = 0; i < class_rows_[k]; ++i, record += packed_.stride())
                each(record, k);
    }
    template <class Each> void each_byte_value(const Slot& slot, Each each) const;
    template <class Each> void each_word_value(const Slot& slot, Each each);
    void sum_units();
    void sum_weights();

    const Table_& packed_;
    std::size_t n_classes_;
    std::size_t lanes_; // bytes summed per record, whole blocks
    const std::uint8_t* first_ = nullptr;
    const std::uint32_t* class_rows_ = nullptr;
    std::size_t size_ = 0;
    std::vector<int> present_;
    std::vector<Count> totals_;
    Count weight_ = 0;
    std::vector<std::uint32_t> unit_counts_;
    std::vector<Count> counts_;
    std::vector<std::uint64_t> keys_, key_scratch_;
    std::vector<std::uint32_t> ordered_;
    std::vector<std::uint32_t> short_keys_, short_scratch_;
};

template <class Counting>
template <class Each>
void PackedRows<Counting>::each_byte_value(const Slot& slot, Each each) const {
    for (std::uint32_t value = 0; value < slot.n_values; ++value)
        for (const int k : present_) {
            const Count count = byte_count(k, slot, value);
            if (count > 0)
                each(value, k, count);
        }
}

template <class Counting>
template <class Each>
void PackedRows<Counting>::each_word_value(const Slot& slot, Each each) {
    if (packed_.unit_weights() && slot.n_values < (1U << 24) && n_classes_ <= 256) {
        if constexpr (std::is_same_v<Count, std::int64_t>) {
            short_keys_.resize(size_);
            std::uint32_t* key = short_keys_.data();
            each_record([&](const std::uint8_t* record, int k) {
                *key++ = packed_.word(record, slot.first) << 8 | static_cast<std::uint32_t>(k);
            });
            sort_keys(short_keys_, short_scratch_, 8, 8 + bit_width(slot.n_values));
            for (const std::uint32_t key : short_keys_)
                each(key >> 8, static_cast<int>(key & 255), Count{1});
            return;
        }
    }
    keys_.clear();
    std::uint64_t place = 0;
    each_record([&](const std::uint8_t* record, int) {
        keys_.push_back((std::uint64_t{packed_.word(record, slot.first)} << 32) | place);
        ++place;
    });
    sort_keys(keys_, key_scratch_, 32, 32 + bit_width(slot.n_values));
    ordered_.clear(); // class of every place
    for (const int k : present_)
        ordered_.insert(ordered_.end(), class_rows_[k], static_cast<std::uint32_t>(k));
    for (const std::uint64_t key : keys_) {
        const auto at = static_cast<std::size_t>(key & 0xffffffffU);
        each(static_cast<std::uint32_t>(key >> 32), static_cast<int>(ordered_[at]),
             packed_.weight(first_ + at * packed_.stride()));
    }
}

template <class Counting>
template <class Each>
void PackedRows<Counting>::each_run(Range, int attribute, Each each) {
    const Slot& slot = packed_.slots()[static_cast<std::size_t>(attribute)];
    if (slot.bytes) {
        each_byte_value(slot, each);
        return;
    }
    each_word_value(slot, [&](std::uint32_t value, int k, Count count) {
        if (value < slot.n_values)
            each(value, k, count);
    });
}

extern template class PackedTable<IntegerArithmetic>;
extern template class PackedTable<RealArithmetic>;
extern template class PackedRows<IntegerArithmetic>;
extern template class PackedRows<RealArithmetic>;

} // namespace niwaki
