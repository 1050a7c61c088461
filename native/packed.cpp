// Packing of tables into records, and sums over the bytes of records.
#include "packed.hpp"

#include <bit>
#include <cmath>

namespace niwaki {
namespace {

using Block = std::uint8_t __attribute__((vector_size(16)));
using Sums = std::uint32_t __attribute__((vector_size(64)));

// Adds up `blocks` blocks of bytes over records; 255 records cannot overflow a byte.
template <std::size_t blocks>
void sum_blocks(const std::uint8_t* record, std::size_t stride, std::size_t n_records,
                std::uint32_t* sums) {
    Sums whole[blocks] = {};
    while (n_records > 0) {
        const std::size_t chunk = n_records < 255 ? n_records : 255;
        Block partial[blocks] = {};
        for (std::size_t i = 0; i < chunk; ++i, record += stride)
            for (std::size_t b = 0; b < blocks; ++b) {
                Block bytes;
                std::memcpy(&bytes, record + 16 * b, 16);
                partial[b] += bytes;
            }
        for (std::size_t b = 0; b < blocks; ++b)
            whole[b] += __builtin_convertvector(partial[b], Sums);
        n_records -= chunk;
    }
    std::memcpy(sums, whole, sizeof whole);
}

void sum_bytes(const std::uint8_t* record, std::size_t stride, std::size_t n_records,
               std::size_t blocks, std::uint32_t* sums) {
    std::size_t done = 0;
    for (; done + 2 <= blocks; done += 2)
        sum_blocks<2>(record + 16 * done, stride, n_records, sums + 16 * done);
    if (done < blocks)
        sum_blocks<1>(record + 16 * done, stride, n_records, sums + 16 * done);
}

std::size_t rounded_up(std::size_t value, std::size_t unit) {
    return (value + unit - 1) / unit * unit;
}

} // namespace

RowHashes::RowHashes(const Table& table, bool whole_weights) : hashes_(table.n_rows, 0) {
    constexpr std::uint64_t missing_number = 0x7ff8000000000000ULL;
    for (const Column& column : table.columns)
        for (std::size_t row = 0; row < table.n_rows; ++row) {
            const std::uint32_t code = column.codes[row];
            std::uint64_t bits = code;
            if (column.numeric)
                bits = code < column.n_values ? std::bit_cast<std::uint64_t>(column.values[code])
                                              : missing_number;
            hashes_[row] = mixed(hashes_[row] ^ mixed(bits));
        }
    for (std::size_t row = 0; row < table.n_rows; ++row)
        hashes_[row] = mixed(hashes_[row] ^ mixed(static_cast<std::uint64_t>(table.classes[row])));
    if (!table.weights)
        return;
    weights_.resize(table.n_rows);
    const double unit = whole_weights ? 1.0 : 0x1.0p32;
    for (std::size_t row = 0; row < table.n_rows; ++row)
        weights_[row] = static_cast<std::uint64_t>(std::llrint(table.weights[row] * unit));
}

template <class Arithmetic>
PackedTable<Arithmetic>::PackedTable(const Table& table)
    : table_(table), slots_(table.columns.size()),
      hashes_(table, std::is_same_v<Count, std::int64_t>) {
    constexpr bool whole = std::is_same_v<Count, std::int64_t>;
    for (std::size_t a = 0; a < slots_.size(); ++a) {
        const Column& column = table.columns[a];
        Slot& slot = slots_[a];
        slot.n_values = column.n_values;
        slot.bytes = !column.numeric && column.n_values >= 1 &&
                     column.n_values <= most_byte_values && !column.has_missing;
        if (slot.bytes) {
            slot.width = whole && column.n_values == 2 ? 1 : column.n_values;
            slot.first = static_cast<std::uint32_t>(n_bytes_);
            n_bytes_ += slot.width;
        } else {
            slot.first = n_words_++;
        }
    }
    words_ = rounded_up(n_bytes_, 4);
    weight_ = rounded_up(words_ + 4 * (n_words_ + 1), 8);
    unit_ = !table.weights && whole;
    stride_ = unit_ ? weight_ : weight_ + sizeof(Count);
    data_.assign(table.n_rows * stride_ + 64, 0);
    for (std::size_t row = 0; row < table.n_rows; ++row) {
        std::uint8_t* record = data_.data() + row * stride_;
        for (std::size_t a = 0; a < slots_.size(); ++a) {
            const std::uint32_t code = table.columns[a].codes[row];
            const Slot& slot = slots_[a];
            if (!slot.bytes)
                std::memcpy(record + words_ + 4 * slot.first, &code, 4);
            else if (slot.width == slot.n_values)
                record[slot.first + code] = 1;
            else
                record[slot.first] = static_cast<std::uint8_t>(code);
        }
        const auto number = static_cast<std::uint32_t>(row);
        std::memcpy(record + words_ + 4 * n_words_, &number, 4);
        if (!unit_) {
            const auto weight = static_cast<Count>(table.weight(row));
            std::memcpy(record + weight_, &weight, sizeof weight);
        }
    }
}

template <class Counting>
PackedRows<Counting>::PackedRows(const Table_& packed)
    : packed_(packed), n_classes_(static_cast<std::size_t>(packed.table().n_classes)),
      lanes_(rounded_up(packed.n_bytes(), 16)), totals_(n_classes_, 0) {
    unit_counts_.assign(n_classes_ * lanes_, 0);
    if (!packed.unit_weights())
        counts_.assign(n_classes_ * lanes_, 0);
}

template <class Counting>
void PackedRows<Counting>::look_at(const std::uint8_t* first, const std::uint32_t* class_rows) {
    first_ = first;
    class_rows_ = class_rows;
    size_ = 0;
    present_.clear();
    for (std::size_t k = 0; k < n_classes_; ++k) {
        totals_[k] = 0;
        if (class_rows[k]) {
            present_.push_back(static_cast<int>(k));
            size_ += class_rows[k];
        }
    }
    if (packed_.unit_weights()) {
        for (const int k : present_)
            totals_[static_cast<std::size_t>(k)] = static_cast<Count>(class_rows[k]);
        sum_units();
    } else {
        sum_weights();
    }
    weight_ = 0;
    for (const int k : present_)
        weight_ += totals_[static_cast<std::size_t>(k)];
}

template <class Counting> void PackedRows<Counting>::sum_units() {
    const std::uint8_t* record = first_;
    for (const int k : present_) {
        std::uint32_t* sums = unit_counts_.data() + static_cast<std::size_t>(k) * lanes_;
        sum_bytes(record, packed_.stride(), class_rows_[k], lanes_ / 16, sums);
        record += class_rows_[k] * packed_.stride();
    }
}

template <class Counting> void PackedRows<Counting>::sum_weights() {
    for (const int k : present_)
        std::fill_n(counts_.begin() +
                        static_cast<std::ptrdiff_t>(static_cast<std::size_t>(k) * lanes_),
                    lanes_, Count{0});
    each_record([&](const std::uint8_t* record, int k) {
        const Count weight = packed_.weight(record);
        totals_[static_cast<std::size_t>(k)] += weight;
        Count* sums = counts_.data() + static_cast<std::size_t>(k) * lanes_;
        for (std::size_t lane = 0; lane < packed_.n_bytes(); ++lane)
            if (record[lane])
                sums[lane] += weight;
    });
}

template <class Counting>
void PackedRows<Counting>::group(Range, int attribute, Groups<Count>& groups) {
    const Slot& slot = packed_.slots()[static_cast<std::size_t>(attribute)];
    groups.values.clear();
    groups.counts.clear();
    groups.missing.assign(n_classes_, 0);
    groups.missing_weight = 0;
    auto add = [&](std::uint32_t value, int k, Count count) {
        if (value >= slot.n_values) {
            groups.missing[static_cast<std::size_t>(k)] += count;
            return;
        }
        if (groups.values.empty() || groups.values.back() != value) {
            groups.values.push_back(value);
            groups.counts.resize(groups.counts.size() + n_classes_, 0);
        }
        groups.counts[groups.counts.size() - n_classes_ + static_cast<std::size_t>(k)] += count;
    };
    if (slot.bytes)
        each_byte_value(slot, add);
    else
        each_word_value(slot, add);
    for (const Count count : groups.missing)
        groups.missing_weight += count;
}

template <class Counting>
typename PackedRows<Counting>::Count
PackedRows<Counting>::missing_counts(Range, int attribute, std::vector<Count>& counts) const {
    const Slot& slot = packed_.slots()[static_cast<std::size_t>(attribute)];
    Count sum = 0;
    each_record([&](const std::uint8_t* record, int k) {
        if (packed_.word(record, slot.first) >= slot.n_values) {
            counts[static_cast<std::size_t>(k)] += packed_.weight(record);
            sum += packed_.weight(record);
        }
    });
    return sum;
}

template class PackedTable<IntegerArithmetic>;
template class PackedTable<RealArithmetic>;
template class PackedRows<IntegerArithmetic>;
template class PackedRows<RealArithmetic>;

} // namespace niwaki
