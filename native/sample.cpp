// Evaluation of candidates on records, and the draw among them.
#include "sample.hpp"

#include "draw.hpp"

namespace niwaki {

template <class Arithmetic>
LeafCounts<typename Arithmetic::Count>
TreeSampler<Arithmetic>::leaf_counts(const std::uint8_t* first,
                                     const std::uint32_t* class_rows) const {
    LeafCounts<Count> counts;
    const std::uint8_t* record = first;
    for (std::size_t k = 0; k < n_classes_; ++k) {
        if (packed_.unit_weights()) {
            counts.add(static_cast<Count>(class_rows[k]));
            continue;
        }
        Count weight = 0;
        for (std::uint32_t i = 0; i < class_rows[k]; ++i, record += packed_.stride())
            weight += packed_.weight(record);
        counts.add(weight);
    }
    return counts;
}

template <class Arithmetic>
void TreeSampler<Arithmetic>::count_branches(const std::uint8_t* first,
                                             const std::uint32_t* class_rows,
                                             const Question& question, Division& division) const {
    division.class_rows.assign(n_branches(question) * n_classes_, 0);
    const std::uint8_t* record = first;
    for (std::size_t k = 0; k < n_classes_; ++k)
        for (std::uint32_t i = 0; i < class_rows[k]; ++i, record += packed_.stride())
            ++division.class_rows[branch_of(record, question) * n_classes_ + k];
}

template <class Arithmetic>
void TreeSampler<Arithmetic>::count_branches_seen(const std::uint8_t* first,
                                                  const std::uint32_t* class_rows,
                                                  const Question& question,
                                                  Division& division) const {
    const Slot& slot = packed_.slots()[static_cast<std::size_t>(question.attribute)];
    if (!packed_.unit_weights() || !slot.bytes || question.kind == SplitKind::subset ||
        (slot.n_values != 2 && question.kind != SplitKind::multiway)) {
        count_branches(first, class_rows, question, division);
        return;
    }
    division.class_rows.assign(slot.n_values * n_classes_, 0);
    for (const int present : rows_.present()) {
        const auto k = static_cast<std::size_t>(present);
        const std::uint32_t* sums = rows_.byte_counts(present) + slot.first;
        if (slot.width == slot.n_values) {
            for (std::uint32_t value = 0; value < slot.n_values; ++value)
                division.class_rows[value * n_classes_ + k] = sums[value];
            continue;
        }
        const bool swapped = question.kind == SplitKind::value && question.code == 1;
        division.class_rows[(swapped ? 0 : 1) * n_classes_ + k] = sums[0];
        division.class_rows[(swapped ? 1 : 0) * n_classes_ + k] = class_rows[k] - sums[0];
    }
}

template <class Arithmetic> void TreeSampler<Arithmetic>::evaluate_seen(DrawSet& set) {
    set.clear();
    const bool by_gain = options_.measure == Measure::gain;
    bool quick = false;
    std::int64_t entropy = 0;
    if constexpr (std::is_same_v<Arithmetic, IntegerArithmetic>) {
        quick = packed_.unit_weights() && by_gain && !(options_.min_leaf > 0);
        entropy = arithmetic_.entropy_term(rows_.weight());
        for (const int k : rows_.present())
            entropy -= arithmetic_.entropy_term(rows_.totals()[static_cast<std::size_t>(k)]);
        const std::int64_t* terms = arithmetic_.table_up_to(rows_.weight());
        if (all_binary_ && rows_.present().size() == 2 && terms) {
            evaluate_binary(entropy, terms, set);
            return;
        }
    }
    bool began = false;
    const int n_attributes = static_cast<int>(packed_.slots().size());
    for (int attribute = 0; attribute < n_attributes; ++attribute) {
        const Slot& slot = packed_.slots()[static_cast<std::size_t>(attribute)];
        if (quick && slot.bytes &&
            (slot.n_values == 2 ? options_.nominal_splits != NominalSplits::subset
                                : options_.nominal_splits == NominalSplits::multiway)) {
            evaluate_bytes(attribute, entropy, set);
            continue;
        }
        if (!began)
            evaluator_.begin_node(rows_.totals(), rows_.weight());
        began = true;
        const std::size_t before = set.candidates.size();
        evaluator_.evaluate(rows_, Range{0, rows_.size()}, attribute, set.candidates);
        for (std::size_t i = before; i < set.candidates.size(); ++i) {
            const Candidate& candidate = set.candidates[i];
            set.add(by_gain ? candidate.total_gain : candidate.value, attribute,
                    static_cast<std::int32_t>(i), candidate.pure);
        }
    }
}

// The common case: whole unit weights, information gain, one byte per value.
template <class Arithmetic>
void TreeSampler<Arithmetic>::evaluate_bytes(int attribute, std::int64_t entropy,
                                             DrawSet& set) const {
    if constexpr (std::is_same_v<Arithmetic, IntegerArithmetic>) {
        const Slot& slot = packed_.slots()[static_cast<std::size_t>(attribute)];
        const std::vector<int>& present = rows_.present();
        std::int64_t below = 0; // entropy left in the branches
        std::uint32_t reached = 0;
        for (std::uint32_t value = 0; value < slot.n_values; ++value) {
            std::int64_t here = 0;
            for (const int k : present) {
                const std::int64_t count = rows_.byte_count(k, slot, value);
                here += count;
                below -= arithmetic_.entropy_term(count);
            }
            below += arithmetic_.entropy_term(here);
            reached += here > 0;
        }
        if (reached >= 2)
            set.add(arithmetic_.scaled(entropy - below), attribute, -1, below == 0);
    }
}

// Two classes and two values everywhere: the case that parities and multiplexers live in.
template <class Arithmetic>
void TreeSampler<Arithmetic>::evaluate_binary([[maybe_unused]] std::int64_t entropy,
                                              [[maybe_unused]] const std::int64_t* terms,
                                              [[maybe_unused]] DrawSet& set) const {
    if constexpr (std::is_same_v<Arithmetic, IntegerArithmetic>) {
        const int first_class = rows_.present()[0];
        const int second_class = rows_.present()[1];
        const std::uint32_t* first = rows_.byte_counts(first_class);
        const std::uint32_t* second = rows_.byte_counts(second_class);
        const auto of_first =
            static_cast<std::uint32_t>(rows_.totals()[static_cast<std::size_t>(first_class)]);
        const auto of_second =
            static_cast<std::uint32_t>(rows_.totals()[static_cast<std::size_t>(second_class)]);
        const std::uint32_t weight = of_first + of_second;
        const std::size_t n_attributes = packed_.slots().size();
        set.entries.resize(n_attributes);
        DrawSet::Entry* entry = set.entries.data();
        for (std::size_t a = 0; a < n_attributes; ++a) {
            const std::uint32_t ones = first[a] + second[a];
            if (ones == 0 || ones == weight)
                continue;
            const std::int64_t below = terms[ones] + terms[weight - ones] - terms[first[a]] -
                                       terms[second[a]] - terms[of_first - first[a]] -
                                       terms[of_second - second[a]];
            const double gain = arithmetic_.scaled(entropy - below);
            *entry++ = {gain, static_cast<std::int32_t>(a), -1, below == 0};
            set.n_pure += below == 0;
            set.most = gain > set.most ? gain : set.most;
        }
        set.entries.resize(static_cast<std::size_t>(entry - set.entries.data()));
    }
}

template <class Arithmetic>
Question TreeSampler<Arithmetic>::choose(const DrawSet& set, Stream& stream) const {
    const std::vector<DrawSet::Entry>& entries = set.entries;
    const std::size_t place = drawn_question(
        entries.size(), set.n_pure, set.most, stream.uniform(),
        [&](std::size_t i) { return entries[i].pure; },
        [&](std::size_t i) { return entries[i].weight; });
    return question_of(set, entries[place]);
}

template class TreeSampler<IntegerArithmetic>;
template class TreeSampler<RealArithmetic>;

} // namespace niwaki
