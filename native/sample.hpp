// Stochastic trees: one SID3 tree after the other over the same rows, as fast as they can be drawn.
#pragma once

#include "bits.hpp"
#include "candidates.hpp"
#include "objectives.hpp"
#include "packed.hpp"
#include "random.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace niwaki {

// Objectives: the value of a tree is the sum over its leaves of `leaf`.
struct SizeObjective {
    static constexpr double open_bound = 1.0; // least value of a node that is still to be drawn
    bool count_empty = true;
    double leaf(double weight, double) const { return weight > 0 || count_empty ? 1.0 : 0.0; }
};
struct ErrorObjective {
    static constexpr double open_bound = 0.0;
    ExpectedErrors expected;
    double leaf(double weight, double errors) const { return expected(weight, errors); }
};

// Whether a node whose branches are all leaves is worth their number.
template <class Objective> bool counts_branches(const Objective& objective) {
    if constexpr (std::is_same_v<Objective, SizeObjective>)
        return objective.count_empty;
    else
        return false;
}

// Devices that save time and change no result; tests switch them off.
struct SpeedDevices {
    bool remember_statistics = true; // of the rows that several samples start from
    bool cut_off = true;             // samples and candidates that can no longer win
    bool known_sizes = true;         // are not drawn
};

// One leaf's or branch's class weights, summed up.
template <class Count> struct LeafCounts {
    Count weight = 0;
    Count heaviest = 0;
    int classes = 0;

    void add(Count count) {
        weight += count;
        heaviest = count > heaviest ? count : heaviest;
        classes += count > 0;
    }
    template <class Objective> double value(const Objective& objective) const {
        return objective.leaf(static_cast<double>(weight), static_cast<double>(weight - heaviest));
    }
};

// The records of the children of one node, each child's grouped by class.
struct Division {
    std::vector<std::uint32_t> class_rows; // branches times classes
    std::vector<std::uint32_t> begin;      // first record of every branch
};

// The questions that a sample may ask at a node, and how likely each is. Only those that need more
// than their attribute's number are written out.
struct DrawSet {
    struct Entry {
        double weight; // before the floor for questions without gain
        std::int32_t attribute;
        std::int32_t written; // place in `candidates`, or -1
        bool pure;
    };
    std::vector<Entry> entries;
    std::vector<Candidate> candidates;
    std::size_t n_pure = 0;
    double most = 0.0;

    void clear() {
        entries.clear();
        candidates.clear();
        n_pure = 0;
        most = 0.0;
    }
    void add(double weight, std::int32_t attribute, std::int32_t written, bool pure) {
        entries.push_back({weight, attribute, written, pure});
        n_pure += pure;
        most = weight > most ? weight : most;
    }
};

// Draws sample trees over records. All state is scratch: dropping it changes nothing.
template <class Arithmetic> class TreeSampler {
public:
    using Count = typename Arithmetic::Count;

    TreeSampler(const PackedTable<Arithmetic>& packed, const GreedyOptions& options,
                const Arithmetic& arithmetic, double total_weight, bool use_bits)
        : packed_(packed), options_(options), rows_(packed),
          evaluator_(packed.table(), options_, arithmetic, total_weight), arithmetic_(arithmetic),
          n_classes_(static_cast<std::size_t>(packed.table().n_classes)) {
        const bool plain_gain =
            packed.unit_weights() && options.measure == Measure::gain && !(options.min_leaf > 0);
        all_binary_ = plain_gain && options.nominal_splits != NominalSplits::subset;
        draws_bits_ = use_bits && plain_gain;
        for (const Slot& slot : packed.slots()) {
            all_binary_ = all_binary_ && slot.bytes && slot.n_values == 2;
            draws_bits_ =
                draws_bits_ && slot.bytes &&
                (options.nominal_splits == NominalSplits::multiway ||
                 (slot.n_values == 2 && options.nominal_splits == NominalSplits::automatic));
        }
        if constexpr (std::is_same_v<Arithmetic, IntegerArithmetic>)
            if (draws_bits_) {
                short_bits_.emplace(packed, arithmetic);
                long_bits_.emplace(packed, arithmetic);
            }
    }

    // Candidates of the rows that the next samples start from.
    void evaluate(const std::uint8_t* first, const std::uint32_t* class_rows) {
        rows_.look_at(first, class_rows);
        evaluate_seen(start_);
    }

    // The size of every tree over these candidates, 0 if it depends on the draw: known where a
    // question separates the classes and all such questions have equally many branches.
    std::size_t known_size() const {
        std::size_t size = 0;
        for (const DrawSet::Entry& entry : start_.entries)
            if (entry.pure) {
                const std::size_t branches = n_branches(question_of(start_, entry));
                if (size != 0 && size != branches)
                    return 0;
                size = branches;
            }
        return size;
    }

    // Says that the next samples start from the same records, until the next call.
    void begin_samples() { start_is_read_ = false; }

    // Value of one sample tree; something not below `bound` as soon as it cannot be below.
    template <class Objective>
    double draw(const std::uint8_t* first, const std::uint32_t* class_rows, Stream stream,
                std::int32_t remaining, double bound, bool reuse_start, const Objective& objective);

    // Sorts records into the branches of a question; `keep` says which branches are wanted.
    template <class Keep>
    void divide(const std::uint8_t* first, const std::uint32_t* class_rows,
                const Question& question, std::uint8_t* target, Division& division, Keep keep) {
        count_branches(first, class_rows, question, division);
        move_branches(first, class_rows, question, target, division, keep);
    }

    std::size_t n_branches(const Question& question) const {
        return question.kind == SplitKind::multiway
                   ? packed_.slots()[static_cast<std::size_t>(question.attribute)].n_values
                   : 2;
    }
    std::size_t branch_of(const std::uint8_t* record, const Question& question) const {
        const Slot& slot = packed_.slots()[static_cast<std::size_t>(question.attribute)];
        return question.branch(code_of(record, slot), slot.n_values);
    }
    // Class weights of one group of records.
    LeafCounts<Count> leaf_counts(const std::uint8_t* first, const std::uint32_t* class_rows) const;

    NodeEvaluator<PackedRows<Arithmetic>>& evaluator() { return evaluator_; }
    PackedRows<Arithmetic>& rows() { return rows_; }
    std::size_t nbytes() const { return buffers_[0].data.capacity() + buffers_[1].data.capacity(); }

private:
    struct Open {
        std::uint32_t begin; // record within the buffer
        std::int8_t buffer;  // -1: the records that the sample starts from
        std::int32_t remaining;
    };

    template <class Visit> void with_branch(const Question& question, Visit visit) const;

    static constexpr std::size_t most_bit_rows = BitSampler<2>::most_rows;

    // A sample tree over few rows; `is_read` says that they were taken in before.
    double draw_bits([[maybe_unused]] const std::uint8_t* first,
                     [[maybe_unused]] const std::uint32_t* class_rows,
                     [[maybe_unused]] std::size_t n_records, [[maybe_unused]] Stream& stream,
                     [[maybe_unused]] std::int32_t remaining, [[maybe_unused]] double bound,
                     [[maybe_unused]] bool is_read) {
        if constexpr (std::is_same_v<Arithmetic, IntegerArithmetic>) {
            if (n_records <= BitSampler<1>::most_rows) {
                if (!is_read)
                    short_bits_->read(first, class_rows);
                return short_bits_->draw(stream, remaining, bound);
            }
            if (!is_read)
                long_bits_->read(first, class_rows);
            return long_bits_->draw(stream, remaining, bound);
        }
        return 0.0;
    }

    void push_class_rows(const std::uint32_t* class_rows, std::size_t level) {
        if (open_class_rows_.size() < (level + 1) * n_classes_)
            open_class_rows_.resize(2 * (level + 1) * n_classes_);
        std::uint32_t* to = open_class_rows_.data() + level * n_classes_;
        for (std::size_t k = 0; k < n_classes_; ++k)
            to[k] = class_rows[k];
    }
    std::uint32_t code_of(const std::uint8_t* record, const Slot& slot) const {
        if (!slot.bytes)
            return packed_.word(record, slot.first);
        if (slot.width != slot.n_values)
            return record[slot.first];
        std::uint32_t value = 0;
        while (!record[slot.first + value])
            ++value;
        return value;
    }

    // Class numbers of every branch, by looking at every record.
    void count_branches(const std::uint8_t* first, const std::uint32_t* class_rows,
                        const Question& question, Division& division) const;
    // The same for the node that was evaluated last, from its sums where they tell.
    void count_branches_seen(const std::uint8_t* first, const std::uint32_t* class_rows,
                             const Question& question, Division& division) const;
    template <class Keep>
    void move_branches(const std::uint8_t* first, const std::uint32_t* class_rows,
                       const Question& question, std::uint8_t* target, Division& division,
                       Keep keep);
    void evaluate_seen(DrawSet& set);
    void evaluate_binary(std::int64_t entropy, const std::int64_t* terms, DrawSet& set) const;
    void evaluate_bytes(int attribute, std::int64_t entropy, DrawSet& set) const;
    Question question_of(const DrawSet& set, const DrawSet::Entry& entry) const {
        if (entry.written >= 0)
            return set.candidates[static_cast<std::size_t>(entry.written)].question;
        const bool value = options_.nominal_splits == NominalSplits::value;
        return {entry.attribute, value ? SplitKind::value : SplitKind::multiway, 0, -1, 0};
    }
    template <class GoesOn, class Objective>
    double settled_value(const std::uint8_t* first, const std::uint32_t* class_rows,
                         const Question& question, GoesOn goes_on, const Objective& objective);
    Question choose(const DrawSet& set, Stream& stream) const;

    const PackedTable<Arithmetic>& packed_;
    GreedyOptions options_;
    PackedRows<Arithmetic> rows_;
    NodeEvaluator<PackedRows<Arithmetic>> evaluator_;
    const Arithmetic& arithmetic_;
    std::size_t n_classes_;
    bool draws_bits_ = false; // small nodes are drawn as bits
    std::optional<BitSampler<1>> short_bits_;
    std::optional<BitSampler<2>> long_bits_;
    bool start_is_read_ = false;
    bool all_binary_ = false; // every attribute has two values, and information gain is asked for
    RecordBuffer buffers_[2];
    std::vector<Open> open_;
    std::vector<std::uint32_t> open_class_rows_;
    std::vector<std::uint32_t> here_;
    DrawSet start_, here_set_;
    Division division_;
    std::vector<std::uint32_t> next_;
    std::vector<Count> branch_weights_;
};

// Calls visit with a function from a record to its branch, made for the kind of question.
template <class Arithmetic>
template <class Visit>
void TreeSampler<Arithmetic>::with_branch(const Question& question, Visit visit) const {
    const Slot& slot = packed_.slots()[static_cast<std::size_t>(question.attribute)];
    const std::size_t first = slot.first;
    if (slot.bytes && slot.width == 1 && slot.n_values == 2 && question.kind != SplitKind::subset) {
        const std::uint8_t swapped = question.kind == SplitKind::value && question.code == 1;
        visit([=](const std::uint8_t* record) { return std::size_t(record[first] ^ swapped); });
    } else if (slot.bytes && slot.width == slot.n_values && question.kind == SplitKind::value) {
        const std::size_t byte = first + question.code;
        visit([=](const std::uint8_t* record) { return std::size_t(record[byte] ? 0 : 1); });
    } else {
        visit([&](const std::uint8_t* record) { return branch_of(record, question); });
    }
}

// Calls visit with the length of a record, as a constant where it is a common one.
template <class Visit> void with_constant_stride(std::size_t stride, Visit visit) {
    switch (stride) {
    case 8:
        return visit(std::integral_constant<std::size_t, 8>{});
    case 16:
        return visit(std::integral_constant<std::size_t, 16>{});
    case 24:
        return visit(std::integral_constant<std::size_t, 24>{});
    case 32:
        return visit(std::integral_constant<std::size_t, 32>{});
    case 40:
        return visit(std::integral_constant<std::size_t, 40>{});
    case 48:
        return visit(std::integral_constant<std::size_t, 48>{});
    default:
        return visit(stride);
    }
}

template <class Arithmetic>
template <class Keep>
void TreeSampler<Arithmetic>::move_branches(const std::uint8_t* first,
                                            const std::uint32_t* class_rows,
                                            const Question& question, std::uint8_t* target,
                                            Division& division, Keep keep) {
    const std::size_t branches = division.class_rows.size() / n_classes_;
    const std::size_t stride = packed_.stride();
    division.begin.resize(branches);
    next_.resize(branches * n_classes_);
    constexpr std::uint32_t dropped = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t place = 0;
    for (std::size_t b = 0; b < branches; ++b) {
        const std::uint32_t* sizes = division.class_rows.data() + b * n_classes_;
        division.begin[b] = place;
        const bool kept = keep(sizes);
        for (std::size_t k = 0; k < n_classes_; ++k) {
            next_[b * n_classes_ + k] = kept ? place : dropped;
            if (kept)
                place += sizes[k];
        }
    }
    if (place == 0)
        return;
    with_branch(question, [&](auto branch_of_record) {
        with_constant_stride(stride, [&](auto length) {
            const std::uint8_t* record = first;
            for (std::size_t k = 0; k < n_classes_; ++k)
                for (std::uint32_t i = 0; i < class_rows[k]; ++i, record += length) {
                    std::uint32_t& next = next_[branch_of_record(record) * n_classes_ + k];
                    if (next != dropped)
                        std::memcpy(target + next++ * std::size_t{length}, record, length);
                }
        });
    });
}

inline bool has_several_classes(const std::uint32_t* class_rows, std::size_t n_classes) {
    std::size_t present = 0;
    for (std::size_t k = 0; k < n_classes; ++k)
        present += class_rows[k] > 0;
    return present > 1;
}

template <class Arithmetic>
template <class Objective>
double TreeSampler<Arithmetic>::draw(const std::uint8_t* first, const std::uint32_t* class_rows,
                                     Stream stream, std::int32_t remaining, double bound,
                                     bool reuse_start, const Objective& objective) {
    const std::size_t stride = packed_.stride();
    std::size_t n_records = 0;
    for (std::size_t k = 0; k < n_classes_; ++k)
        n_records += class_rows[k];
    if (counts_branches(objective) && draws_bits_ && n_records <= most_bit_rows) {
        const double drawn =
            draw_bits(first, class_rows, n_records, stream, remaining, bound, start_is_read_);
        start_is_read_ = true;
        return drawn;
    }
    for (RecordBuffer& buffer : buffers_)
        if (buffer.data.size() < n_records * stride + 64)
            buffer.reserve_records(n_records, stride);
    open_.clear();
    open_.push_back({0, -1, remaining});
    here_.resize(n_classes_);
    push_class_rows(class_rows, 0);
    double value = 0.0;
    while (!open_.empty()) {
        const Open node = open_.back();
        open_.pop_back();
        const std::uint32_t* saved = open_class_rows_.data() + open_.size() * n_classes_;
        for (std::size_t k = 0; k < n_classes_; ++k)
            here_[k] = saved[k];
        const std::uint8_t* records =
            node.buffer < 0 ? first : buffers_[node.buffer].at(node.begin, stride);
        if (node.remaining == 0 || !has_several_classes(here_.data(), n_classes_)) {
            value += leaf_counts(records, here_.data()).value(objective);
            continue;
        }
        const bool start = node.buffer < 0;
        if (counts_branches(objective) && draws_bits_ && !start) {
            std::size_t here = 0;
            for (const std::uint32_t rows_of_class : here_)
                here += rows_of_class;
            if (here <= most_bit_rows) {
                value += draw_bits(records, here_.data(), here, stream, node.remaining,
                                   bound - value - static_cast<double>(open_.size()), false);
                if (value + static_cast<double>(open_.size()) >= bound)
                    return std::numeric_limits<double>::infinity();
                continue;
            }
        }
        if (!(start && reuse_start)) {
            rows_.look_at(records, here_.data());
            evaluate_seen(here_set_);
        }
        const DrawSet& set = start && reuse_start ? start_ : here_set_;
        if (set.entries.empty()) {
            value += leaf_counts(records, here_.data()).value(objective);
            continue;
        }
        const Question question = choose(set, stream);
        if (counts_branches(objective) && set.n_pure > 0) {
            value += static_cast<double>(n_branches(question)); // every branch is a leaf
            continue;
        }
        const std::int8_t target = node.buffer == 0 ? 1 : 0;
        const std::int32_t below = node.remaining == unlimited ? unlimited : node.remaining - 1;
        if (start && reuse_start)
            count_branches(records, here_.data(), question, division_);
        else
            count_branches_seen(records, here_.data(), question, division_);
        auto goes_on = [&](const std::uint32_t* sizes) {
            return below != 0 && has_several_classes(sizes, n_classes_);
        };
        move_branches(records, here_.data(), question, buffers_[target].at(node.begin, stride),
                      division_, goes_on);
        value += settled_value(records, here_.data(), question, goes_on, objective);
        const std::size_t branches = division_.begin.size();
        for (std::size_t b = branches; b-- > 0;) {
            const std::uint32_t* sizes = division_.class_rows.data() + b * n_classes_;
            if (!goes_on(sizes))
                continue;
            push_class_rows(sizes, open_.size());
            open_.push_back({node.begin + division_.begin[b], target, below});
        }
        if (value + Objective::open_bound * static_cast<double>(open_.size()) >= bound)
            return std::numeric_limits<double>::infinity();
    }
    return value;
}

// Value of the branches that become leaves, in branch order.
template <class Arithmetic>
template <class GoesOn, class Objective>
double TreeSampler<Arithmetic>::settled_value(const std::uint8_t* first,
                                              const std::uint32_t* class_rows,
                                              const Question& question, GoesOn goes_on,
                                              const Objective& objective) {
    const std::size_t branches = division_.begin.size();
    if (!packed_.unit_weights()) {
        branch_weights_.assign(branches * n_classes_, 0);
        const std::uint8_t* record = first;
        for (std::size_t k = 0; k < n_classes_; ++k)
            for (std::uint32_t i = 0; i < class_rows[k]; ++i, record += packed_.stride())
                branch_weights_[branch_of(record, question) * n_classes_ + k] +=
                    packed_.weight(record);
    }
    double value = 0.0;
    for (std::size_t b = 0; b < branches; ++b) {
        const std::uint32_t* sizes = division_.class_rows.data() + b * n_classes_;
        if (goes_on(sizes))
            continue;
        LeafCounts<Count> counts;
        for (std::size_t k = 0; k < n_classes_; ++k)
            counts.add(packed_.unit_weights() ? static_cast<Count>(sizes[k])
                                              : branch_weights_[b * n_classes_ + k]);
        value += counts.value(objective);
    }
    return value;
}

} // namespace niwaki
