// Grouping, sorting and partitioning of the rows of a growing tree.
#include "rows.hpp"

#include <cstring>

namespace niwaki {

WholeRows::WholeRows(const Table& table, std::span<const std::uint32_t> order)
    : n_classes_(table.n_classes),
      class_bits_(bit_width(static_cast<std::uint64_t>(std::max(table.n_classes - 1, 0)))),
      rows_(order.begin(), order.end()) {
    const std::size_t size = rows_.size();
    columns_.resize(table.columns.size());
    for (std::size_t a = 0; a < columns_.size(); ++a) {
        const Column& column = table.columns[a];
        columns_[a].n_values = column.n_values;
        if (column.n_values < 65535) {
            columns_[a].narrow.resize(size);
            for (std::size_t i = 0; i < size; ++i)
                columns_[a].narrow[i] = static_cast<std::uint16_t>(column.codes[rows_[i]]);
        } else {
            columns_[a].wide.resize(size);
            for (std::size_t i = 0; i < size; ++i)
                columns_[a].wide[i] = column.codes[rows_[i]];
        }
    }
    classes_.resize(size);
    for (std::size_t i = 0; i < size; ++i)
        classes_[i] = table.classes[rows_[i]];
    if (table.weights) {
        weights_.resize(size);
        for (std::size_t i = 0; i < size; ++i)
            weights_[i] = static_cast<Count>(table.weights[rows_[i]]);
    }
}

void WholeRows::class_totals(Range range, std::vector<Count>& totals) const {
    totals.assign(static_cast<std::size_t>(n_classes_), 0);
    for (std::size_t i = range.begin; i < range.end; ++i)
        totals[static_cast<std::size_t>(classes_[i])] += weight(i);
}

void WholeRows::tabulate(Range range, Codes& codes) {
    const auto width = static_cast<std::size_t>(n_classes_);
    cells_.assign((std::size_t{codes.n_values} + 1) * width, 0);
    with_codes(codes, [&](const auto& column) {
        for (std::size_t i = range.begin; i < range.end; ++i)
            cells_[column[i] * width + static_cast<std::size_t>(classes_[i])] += weight(i);
    });
}

void WholeRows::sort(Range range, Codes& codes) {
    const int value_bits = bit_width(codes.n_values);
    const bool unit = weights_.empty();
    key_shift_ = unit ? class_bits_ : bit_width(range.size() - 1);
    keys_are_short_ = value_bits + key_shift_ <= 32;
    auto fill = [&](auto& keys, auto& scratch) {
        using Key = typename std::remove_reference_t<decltype(keys)>::value_type;
        keys.resize(range.size());
        with_codes(codes, [&](const auto& column) {
            for (std::size_t i = 0; i < keys.size(); ++i) {
                const std::size_t at = range.begin + i;
                const std::size_t rest = unit ? static_cast<std::size_t>(classes_[at]) : i;
                keys[i] = static_cast<Key>((static_cast<Key>(column[at]) << key_shift_) |
                                           static_cast<Key>(rest));
            }
        });
        sort_keys(keys, scratch, key_shift_, key_shift_ + value_bits);
    };
    if (keys_are_short_)
        fill(short_keys_, short_scratch_);
    else
        fill(keys_, key_scratch_);
}

void WholeRows::group(Range range, int attribute, Groups<Count>& groups) {
    const auto width = static_cast<std::size_t>(n_classes_);
    const std::uint32_t n_values = columns_[static_cast<std::size_t>(attribute)].n_values;
    groups.values.clear();
    groups.counts.clear();
    groups.missing.assign(width, 0);
    groups.missing_weight = 0;
    each_run_and_missing(range, attribute, [&](std::uint32_t value, int k, Count count) {
        if (value >= n_values) {
            groups.missing[static_cast<std::size_t>(k)] += count;
            groups.missing_weight += count;
            return;
        }
        if (groups.values.empty() || groups.values.back() != value) {
            groups.values.push_back(value);
            groups.counts.resize(groups.counts.size() + width, 0);
        }
        groups.counts[groups.counts.size() - width + static_cast<std::size_t>(k)] += count;
    });
}

WholeRows::Count WholeRows::missing_counts(Range range, int attribute,
                                           std::vector<Count>& counts) const {
    const Codes& codes = columns_[static_cast<std::size_t>(attribute)];
    Count sum = 0;
    for (std::size_t i = range.begin; i < range.end; ++i)
        if (codes[i] >= codes.n_values) {
            counts[static_cast<std::size_t>(classes_[i])] += weight(i);
            sum += weight(i);
        }
    return sum;
}

template <class Value> void WholeRows::move(std::vector<Value>& column, Range range) {
    if (column.empty())
        return;
    move_scratch_.resize(range.size() * sizeof(Value));
    auto* moved = reinterpret_cast<Value*>(move_scratch_.data());
    for (std::size_t i = 0; i < range.size(); ++i)
        moved[destination_[i]] = column[range.begin + i];
    std::memcpy(column.data() + range.begin, moved, range.size() * sizeof(Value));
}

std::vector<Branch> WholeRows::partition(Range range, const Question& question,
                                         std::size_t branches) {
    Codes& codes = columns_[static_cast<std::size_t>(question.attribute)];
    std::vector<Branch> result(branches);
    std::vector<std::size_t> sizes(branches, 0);
    destination_.resize(range.size());
    for (std::size_t i = 0; i < range.size(); ++i) {
        const std::size_t at = range.begin + i;
        const std::size_t taken = question.branch(codes[at], codes.n_values);
        destination_[i] = static_cast<std::uint32_t>(taken);
        Branch& branch = result[taken];
        branch.weight += static_cast<double>(weight(at));
        branch.only_class =
            branch.only_class == -1 || branch.only_class == classes_[at] ? classes_[at] : -2;
        ++sizes[taken];
    }
    double total = 0.0;
    for (const Branch& branch : result)
        total += branch.weight;
    std::size_t next = 0;
    bool travels = false;
    for (std::size_t b = 0; b < branches; ++b) {
        result[b].share = result[b].weight / total;
        result[b].rows = {range.begin + next, range.begin + next + sizes[b]};
        next += sizes[b];
        sizes[b] = next - sizes[b];
        travels |= result[b].only_class == -2;
    }
    if (!travels)
        return result;
    for (std::uint32_t& place : destination_)
        place = static_cast<std::uint32_t>(sizes[place]++);
    for (Codes& column : columns_) {
        move(column.narrow, range);
        move(column.wide, range);
    }
    move(classes_, range);
    move(weights_, range);
    move(rows_, range);
    return result;
}

std::size_t WholeRows::nbytes() const {
    std::size_t bytes = classes_.capacity() * sizeof(std::int32_t) +
                        weights_.capacity() * sizeof(Count) + rows_.capacity() * 4 +
                        cells_.capacity() * sizeof(Count) + move_scratch_.capacity() +
                        (keys_.capacity() + key_scratch_.capacity()) * 8 +
                        (short_keys_.capacity() + short_scratch_.capacity()) * 4;
    for (const Codes& codes : columns_)
        bytes += codes.narrow.capacity() * 2 + codes.wide.capacity() * 4;
    return bytes;
}

PartialRows::PartialRows(bool fractions, std::span<const std::uint32_t> rows,
                         std::span<const double> weights)
    : fractions_(fractions), parts_(rows.size()) {
    for (std::size_t i = 0; i < parts_.size(); ++i)
        parts_[i] = {rows[i], weights[i]};
}

void PartialRows::save(std::vector<std::uint32_t>& rows, std::vector<double>& weights) const {
    rows.clear();
    weights.clear();
    for (const Part& part : parts_) {
        rows.push_back(part.row);
        weights.push_back(part.weight);
    }
}

void PartialRows::class_totals(Range range, std::vector<Count>& totals) const {
    totals.assign(static_cast<std::size_t>(table_->n_classes), 0.0);
    for (std::size_t i = range.begin; i < range.end; ++i)
        totals[static_cast<std::size_t>(table_->classes[parts_[i].row])] += parts_[i].weight;
}

void PartialRows::group(Range range, int attribute, Groups<Count>& groups) {
    const Column& column = table_->columns[static_cast<std::size_t>(attribute)];
    const auto width = static_cast<std::size_t>(table_->n_classes);
    // Values first, places second: rows of one value stay in their order.
    keys_.resize(range.size());
    for (std::size_t i = 0; i < keys_.size(); ++i)
        keys_[i] = (std::uint64_t{column.codes[parts_[range.begin + i].row]} << 32) | i;
    sort_keys(keys_, key_scratch_, 32, 32 + bit_width(column.n_values));
    groups.values.clear();
    groups.counts.clear();
    groups.missing.assign(width, 0.0);
    for (const std::uint64_t key : keys_) {
        const auto value = static_cast<std::uint32_t>(key >> 32);
        const Part& part = parts_[range.begin + (key & 0xffffffffU)];
        const auto k = static_cast<std::size_t>(table_->classes[part.row]);
        if (value >= column.n_values) {
            groups.missing[k] += part.weight;
            continue;
        }
        if (groups.values.empty() || groups.values.back() != value) {
            groups.values.push_back(value);
            groups.counts.resize(groups.counts.size() + width, 0.0);
        }
        groups.counts[groups.counts.size() - width + k] += part.weight;
    }
    groups.missing_weight = 0.0;
    for (const Count count : groups.missing)
        groups.missing_weight += count;
}

std::vector<Branch> PartialRows::partition(Range range, const Question& question,
                                           std::size_t branches) {
    const Column& column = table_->columns[static_cast<std::size_t>(question.attribute)];
    auto missing = [&](const Part& part) {
        return fractions_ && column.codes[part.row] >= column.n_values;
    };
    const auto width = static_cast<std::size_t>(table_->n_classes);
    std::vector<double> cells(branches * width, 0.0);
    for (std::size_t i = range.begin; i < range.end; ++i)
        if (!missing(parts_[i])) {
            const std::uint32_t code = column.codes[parts_[i].row];
            cells[question.branch(code, column.n_values) * width +
                  static_cast<std::size_t>(table_->classes[parts_[i].row])] += parts_[i].weight;
        }
    const BranchShares known(cells, branches);
    std::vector<std::vector<Part>> moved(branches);
    for (std::size_t i = range.begin; i < range.end; ++i) {
        const Part part = parts_[i];
        const std::uint32_t code = column.codes[part.row];
        if (!missing(part)) {
            moved[question.branch(code, column.n_values)].push_back(part);
            continue;
        }
        for (std::size_t b = 0; b < branches; ++b)
            if (known.weights[b] > 0)
                moved[b].push_back({part.row, part.weight * known.shares[b]});
    }
    std::vector<Branch> result(branches);
    parts_.resize(range.begin);
    // The last branch is grown last, so that every open range ends where the next one begins.
    for (std::size_t b = branches; b-- > 0;) {
        result[b].rows = {parts_.size(), parts_.size() + moved[b].size()};
        result[b].weight = known.weights[b];
        result[b].share = known.shares[b];
        result[b].only_class = -2;
        parts_.insert(parts_.end(), moved[b].begin(), moved[b].end());
    }
    return result;
}

} // namespace niwaki
