// Plans: what to ask at some nodes and at the nodes below them. Lists of plans for the same nodes,
// and which of them are handed up.
#pragma once

#include "grow.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace niwaki {

constexpr std::size_t most_plans = 64; // of those worth the same at a node, no more are kept
constexpr double plan_tie = 1e-12;     // per row, between amounts of information; between ratios

// One question of a plan, in pre-order, or an impure node where nothing can be asked.
struct PlannedQuestion {
    std::int32_t attribute = -1;
    std::int32_t missing_branch = -1;
    std::uint32_t low = 0;  // of a cut: largest rank on the left
    std::uint32_t high = 0; // of a cut: smallest rank on the right
    std::uint32_t size = 1; // number of entries of the plan that begins here
};

struct Plan {
    double information = 0.0;
    double charge = 0.0;
    std::int32_t n_attributes = 0;
    bool pure = true; // every leaf is pure or empty
    std::size_t begin = 0;
    std::size_t end = 0; // of its questions in the list
};

// Plans for the same nodes, in the order of their questions' numbers.
struct PlanList {
    std::vector<Plan> plans;
    std::vector<std::uint64_t> attributes; // some words of bits per plan
    std::vector<PlannedQuestion> questions;

    std::size_t size() const { return plans.size(); }
    void clear() {
        plans.clear();
        attributes.clear();
        questions.clear();
    }
    std::span<const PlannedQuestion> questions_of(std::size_t plan) const {
        return {questions.data() + plans[plan].begin, plans[plan].end - plans[plan].begin};
    }
    std::size_t nbytes() const {
        return plans.capacity() * sizeof(Plan) + attributes.capacity() * sizeof(std::uint64_t) +
               questions.capacity() * sizeof(PlannedQuestion);
    }

    // Begins a plan with the questions of a list's plan; its attributes are still to be added.
    Plan& begin_with(const PlanList& from, std::size_t plan) {
        Plan copy = from.plans[plan];
        const std::size_t begin = questions.size();
        append_questions(from, plan);
        copy.begin = begin;
        copy.end = questions.size();
        plans.push_back(copy);
        return plans.back();
    }
    void append_questions(const PlanList& from, std::size_t plan) {
        const Plan& copied = from.plans[plan];
        questions.insert(questions.end(),
                         from.questions.begin() + static_cast<std::ptrdiff_t>(copied.begin),
                         from.questions.begin() + static_cast<std::ptrdiff_t>(copied.end));
    }
};

// Decides which plans are handed up, and which is the best. Comparisons by order of questions are
// comparisons of places, since lists are in that order.
class PlanRules {
public:
    PlanRules(const HorizonOptions& options, std::size_t n_attributes)
        : options_(options), words_((n_attributes + 63) / 64) {}

    void begin(double whole_weight) {
        whole_weight_ = whole_weight;
        tolerance_ = plan_tie * whole_weight;
    }
    void set_rate(double rate) { rate_ = rate; }

    std::size_t words() const { return words_; }
    double rate() const { return rate_; }
    double whole_weight() const { return whole_weight_; }
    double tolerance() const { return tolerance_; }
    bool every_set() const {
        return options_.per_cost && options_.level_cost == LevelCost::distinct_tests;
    }
    double value(const Plan& plan) const { return plan.information - rate_ * plan.charge; }
    double largest_value(const PlanList& list) const {
        double most = -std::numeric_limits<double>::infinity();
        for (const Plan& plan : list.plans)
            most = std::max(most, value(plan));
        return most;
    }

    // What a question is charged on its own.
    double charge(std::size_t attribute, bool asked_above, double weight) const {
        if (options_.level_cost == LevelCost::distinct_tests)
            return 0.0;
        const double charged = options_.level_cost == LevelCost::expected ? weight : whole_weight_;
        if (options_.prices.empty())
            return charged;
        return asked_above ? 0.0 : charged * options_.prices[attribute];
    }

    // Puts a list of one plan that asks nothing of an impure node.
    void put_stop(PlanList& list) const {
        list.clear();
        list.questions.emplace_back();
        list.plans.push_back({0.0, 0.0, 0, false, 0, 1});
        list.attributes.assign(words_, 0);
    }

    // Puts the plans that are handed up of all in a list, which may be grouped in any order of the
    // first question's number in `numbers`, one per plan.
    void keep(const PlanList& found, const std::vector<std::uint32_t>& numbers, PlanList& kept) {
        sequence_.resize(found.size());
        for (std::size_t i = 0; i < sequence_.size(); ++i)
            sequence_[i] = static_cast<std::uint32_t>(i);
        if (!std::is_sorted(numbers.begin(), numbers.end()))
            std::stable_sort(sequence_.begin(), sequence_.end(),
                             [&](auto a, auto b) { return numbers[a] < numbers[b]; });
        entries_.clear();
        sets_.clear();
        begin_sets();
        for (std::size_t place = 0; place < sequence_.size(); ++place) {
            const std::uint32_t i = sequence_[place];
            const Plan& plan = found.plans[i];
            entries_.push_back({plan.information, plan.charge, plan.n_attributes, i, 0,
                                static_cast<std::uint32_t>(place)});
            const std::uint64_t* set = &found.attributes[i * words_];
            sets_.insert(sets_.end(), set, set + words_);
            if (every_set())
                keep_last_for_its_set();
        }
        select();
        kept.clear();
        for (const std::uint32_t place : selected_) {
            const std::uint32_t i = entries_[place].left;
            kept.begin_with(found, i);
            append_set(kept, place);
        }
    }

    // Puts the plans that are handed up for two sets of nodes together. Does a piece of work; true
    // when it is done.
    bool join(const PlanList& left, const PlanList& right, PlanList& kept) {
        if (next_left_ == 0) {
            entries_.clear();
            sets_.clear();
            begin_sets();
        }
        std::size_t work = 0;
        for (; next_left_ < left.size() && work < most_plans * most_plans; ++next_left_) {
            pair_with_all(left, next_left_, right);
            work += right.size();
        }
        if (next_left_ < left.size())
            return false;
        next_left_ = 0;
        select();
        kept.clear();
        for (const std::uint32_t place : selected_) {
            const Entry& entry = entries_[place];
            kept.begin_with(left, entry.left);
            kept.append_questions(right, entry.right);
            Plan& plan = kept.plans.back();
            plan.end = kept.questions.size();
            plan.information = entry.information;
            plan.charge = entry.charge;
            plan.n_attributes = entry.n_attributes;
            plan.pure = plan.pure && right.plans[entry.right].pure;
            append_set(kept, place);
        }
        return true;
    }
    void give_up_joining() { next_left_ = 0; }

    // What a whole plan is charged.
    double charge_of_plan(const PlanList& list, std::size_t plan) const {
        if (options_.level_cost != LevelCost::distinct_tests)
            return list.plans[plan].charge;
        double prices = 0.0;
        for (std::size_t w = 0; w < words_; ++w)
            for (std::uint64_t set = list.attributes[plan * words_ + w]; set; set &= set - 1) {
                const std::size_t attribute =
                    64 * w + static_cast<std::size_t>(std::countr_zero(set));
                prices += options_.prices.empty() ? 1.0 : options_.prices[attribute];
            }
        return whole_weight_ * prices;
    }

    // Information per charge.
    double ratio(const PlanList& list, std::size_t plan) const {
        const double charge = charge_of_plan(list, plan);
        const double information = list.plans[plan].information;
        if (charge > 0)
            return information / charge;
        return information > tolerance_ ? std::numeric_limits<double>::infinity() : 0.0;
    }

    // The best of the plans for all nodes.
    std::size_t leading(const PlanList& list) const {
        double largest = 0.0;
        for (std::size_t i = 0; i < list.size(); ++i)
            largest = i == 0 ? ratio(list, i) : std::max(largest, ratio(list, i));
        const bool endless = largest == std::numeric_limits<double>::infinity();
        auto among_best = [&](std::size_t i) { return ratio(list, i) >= largest - plan_tie; };
        double least = -std::numeric_limits<double>::infinity();
        if (endless) {
            for (std::size_t i = 0; i < list.size(); ++i)
                if (among_best(i))
                    least = std::max(least, list.plans[i].information);
            least -= tolerance_;
        }
        std::size_t best = list.size();
        double best_charge = 0.0;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!among_best(i) || list.plans[i].information < least)
                continue;
            const double charge = charge_of_plan(list, i);
            const std::int32_t n_attributes = list.plans[i].n_attributes;
            if (best == list.size() || n_attributes < list.plans[best].n_attributes ||
                (n_attributes == list.plans[best].n_attributes && charge < best_charge)) {
                best = i;
                best_charge = charge;
            }
        }
        return best;
    }

private:
    struct Entry {
        double information;
        double charge;
        std::int32_t n_attributes;
        std::uint32_t left;
        std::uint32_t right;
        std::uint32_t place; // of the left plan in the order
    };

    void pair_with_all(const PlanList& left, std::size_t i, const PlanList& right) {
        const Plan& first = left.plans[i];
        for (std::size_t j = 0; j < right.size(); ++j) {
            const Plan& last = right.plans[j];
            std::int32_t n_attributes = 0;
            for (std::size_t w = 0; w < words_; ++w) {
                sets_.push_back(left.attributes[i * words_ + w] | right.attributes[j * words_ + w]);
                n_attributes += std::popcount(sets_.back());
            }
            entries_.push_back({first.information + last.information, first.charge + last.charge,
                                n_attributes, static_cast<std::uint32_t>(i),
                                static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(i)});
            if (every_set())
                keep_last_for_its_set();
        }
    }

    void append_set(PlanList& list, std::uint32_t place) const {
        for (std::size_t w = 0; w < words_; ++w)
            list.attributes.push_back(sets_[place * words_ + w]);
    }

    // Leaves in `selected_` the places of the entries that are handed up, ascending.
    void select() {
        if (every_set()) {
            std::sort(selected_.begin(), selected_.end(), [&](std::uint32_t a, std::uint32_t b) {
                const Entry& one = entries_[a];
                const Entry& other = entries_[b];
                return one.place < other.place ||
                       (one.place == other.place && one.right < other.right);
            });
            return;
        }
        begin_sets();
        double least = -std::numeric_limits<double>::infinity();
        for (const Entry& entry : entries_)
            least = std::max(least, value(entry));
        least -= tolerance_;
        if (!options_.per_cost) {
            std::size_t best = entries_.size();
            for (std::size_t i = 0; i < entries_.size(); ++i)
                if (value(entries_[i]) >= least &&
                    (best == entries_.size() || entries_[i].charge < entries_[best].charge))
                    best = i;
            selected_.push_back(static_cast<std::uint32_t>(best));
            return;
        }
        for (std::size_t i = 0; i < entries_.size(); ++i) {
            if (!(value(entries_[i]) >= least))
                continue;
            const auto place = static_cast<std::uint32_t>(i);
            std::uint32_t& rival = of_set(place);
            if (rival != place && entries_[place].charge < entries_[rival].charge)
                rival = place;
        }
        if (selected_.size() > most_plans) {
            std::nth_element(selected_.begin(), selected_.begin() + most_plans, selected_.end(),
                             [&](std::uint32_t a, std::uint32_t b) {
                                 const Entry& one = entries_[a];
                                 const Entry& other = entries_[b];
                                 if (one.n_attributes != other.n_attributes)
                                     return one.n_attributes < other.n_attributes;
                                 if (one.charge != other.charge)
                                     return one.charge < other.charge;
                                 return a < b;
                             });
            selected_.resize(most_plans);
        }
        std::sort(selected_.begin(), selected_.end());
    }

    // Of one set's plans, in order, the one with the most information stays among the entries.
    void keep_last_for_its_set() {
        const auto last = static_cast<std::uint32_t>(entries_.size() - 1);
        const std::uint32_t rival = of_set(last);
        if (rival == last)
            return;
        if (entries_[last].information > entries_[rival].information + tolerance_)
            entries_[rival] = entries_[last];
        entries_.pop_back();
        sets_.resize(sets_.size() - words_);
    }

    double value(const Entry& entry) const { return entry.information - rate_ * entry.charge; }

    // ---- one entry per set of attributes: a few in a list, many in a hash table ----------------

    static constexpr std::size_t few = 8;
    static constexpr std::uint32_t nobody = ~std::uint32_t{0};

    void begin_sets() {
        n_slots_ = 0;
        selected_.clear();
    }

    bool same_set(std::uint32_t a, std::uint32_t b) const {
        for (std::size_t w = 0; w < words_; ++w)
            if (sets_[a * words_ + w] != sets_[b * words_ + w])
                return false;
        return true;
    }
    std::size_t hash(std::uint32_t place) const {
        std::uint64_t mixed = 0;
        for (std::size_t w = 0; w < words_; ++w) {
            mixed = (mixed ^ sets_[place * words_ + w]) * 0x9e3779b97f4a7c15ULL;
            mixed ^= mixed >> 29;
        }
        return static_cast<std::size_t>(mixed);
    }

    // The entry that stands for this one's set, in `selected_`; this one itself if it is the first.
    std::uint32_t& of_set(std::uint32_t place) {
        if (n_slots_ == 0) {
            for (std::uint32_t& other : selected_)
                if (same_set(other, place))
                    return other;
            selected_.push_back(place);
            if (selected_.size() <= few)
                return selected_.back();
            grow_slots(4 * few);
            return selected_.back();
        }
        std::size_t at = hash(place) & (n_slots_ - 1);
        for (; slots_[at] != nobody; at = (at + 1) & (n_slots_ - 1))
            if (same_set(selected_[slots_[at]], place))
                return selected_[slots_[at]];
        slots_[at] = static_cast<std::uint32_t>(selected_.size());
        selected_.push_back(place);
        if (2 * selected_.size() > n_slots_)
            grow_slots(4 * n_slots_);
        return selected_.back();
    }

    void grow_slots(std::size_t n_slots) {
        n_slots_ = n_slots;
        slots_.assign(n_slots, nobody);
        for (std::size_t i = 0; i < selected_.size(); ++i) {
            std::size_t at = hash(selected_[i]) & (n_slots_ - 1);
            while (slots_[at] != nobody)
                at = (at + 1) & (n_slots_ - 1);
            slots_[at] = static_cast<std::uint32_t>(i);
        }
    }

    const HorizonOptions& options_;
    std::size_t words_;
    double whole_weight_ = 0.0;
    double tolerance_ = 0.0;
    double rate_ = 0.0;
    std::vector<Entry> entries_;
    std::vector<std::uint64_t> sets_; // of the entries
    std::vector<std::uint32_t> sequence_, selected_, slots_;
    std::size_t n_slots_ = 0;
    std::size_t next_left_ = 0; // of the join under way
};

} // namespace niwaki
