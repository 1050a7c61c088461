// Exhaustive search for the best plan, suspended and resumed between pieces of work.
#pragma once

#include "plans.hpp"
#include "spots.hpp"

#include <cmath>
#include <deque>
#include <limits>
#include <vector>

namespace niwaki {

// One search at a time: `begin`, then `step` until `finished`. The nodes on the path from the
// planned ones down to the one that is looked at are frames on a stack; a frame has the lists of
// plans of its branches, and the plans found so far.
template <class Arithmetic> class Planner {
public:
    using Count = typename Arithmetic::Count;

    Planner(const Table& table, const GreedyOptions& greedy, const HorizonOptions& options,
            const Arithmetic& arithmetic)
        : table_(table), options_(options),
          counter_(table, greedy, static_cast<std::size_t>(options.max_cuts), arithmetic),
          rules_(options, table.columns.size()),
          bits_per_row_(1 + std::log2(static_cast<double>(table.n_classes))) {
        least_price_ = options.prices.empty() ? 1.0 : std::numeric_limits<double>::infinity();
        for (const double price : options.prices)
            least_price_ = std::min(least_price_, price);
        if (!options.prices.empty())
            for (const Column& column : table.columns)
                least_price_ = column.numeric ? 0.0 : least_price_; // a second cut is free
    }

    SpotCounter<Arithmetic>& counter() { return counter_; }

    // Plans for some open nodes, ranges of `rows`, a few levels deep; `asked` says for each of them
    // which attributes were asked about above it, and is empty if that does not matter.
    void begin(RowList rows, std::vector<Spot> spots, std::vector<std::vector<bool>> asked,
               std::int32_t levels) {
        finished_ = false;
        double whole_weight = 0.0;
        for (const Spot& spot : spots)
            whole_weight += spot.weight;
        rules_.begin(whole_weight);
        rules_.give_up_joining();
        rules_.set_rate(0.0);
        asked_above_ = std::move(asked);
        depth_ = 0;
        Frame& top = frame(0);
        top.rows = rows;
        top.levels = levels + 1;
        top.spots = std::move(spots);
        top.active.clear();
        for (std::size_t a = 0; a < table_.columns.size(); ++a)
            top.active.push_back(static_cast<std::int32_t>(a));
        restart();
    }

    bool finished() const { return finished_; }
    const PlanList& best() const { return best_; }

    // Does one piece of work, and returns about how many rows it read.
    std::size_t step() {
        Frame& now = frame(depth_);
        if (now.next_attribute < now.to_evaluate)
            return evaluate(now);
        if (!now.asking && depth_ > 0)
            return next_question(now);
        return next_branch(now);
    }

    std::size_t nbytes() const {
        std::size_t bytes = counter_.nbytes() + best_.nbytes();
        for (const Frame& frame : frames_) {
            bytes += frame.below.capacity() * sizeof(std::uint32_t) + frame.found.nbytes() +
                     frame.candidates.capacity() * sizeof(Candidate) +
                     frame.spots.capacity() * sizeof(Spot);
            for (const PlanList& list : frame.lists)
                bytes += list.nbytes();
        }
        return bytes;
    }

private:
    struct Frame {
        RowList rows;
        double weight = 0.0;
        double entropy = 0.0;
        std::int32_t levels = 0; // questions on a path, from here
        std::vector<bool> asked; // above; only where prices are paid once
        // The questions, attribute by attribute.
        std::vector<std::int32_t> active; // attributes that may have several values here
        std::size_t next_attribute = 0;
        std::size_t to_evaluate = 0;
        std::vector<Candidate> candidates;
        std::vector<double> bounds;        // of the value under each
        std::vector<std::uint32_t> agenda; // the order in which they are looked at
        std::size_t next_candidate = 0;
        // The question that is looked at.
        bool asking = false;
        std::uint32_t number = 0;
        std::vector<std::uint32_t> below; // rows, branch by branch
        std::vector<Spot> spots;
        std::vector<PlanList> lists; // of the branches where something may be asked
        std::vector<std::uint32_t> open;
        std::size_t next_open = 0;
        std::size_t n_joined = 1;
        double bound = 0.0;
        bool pure_beside = true; // the other branches
        // Plans that may be among the best.
        PlanList found;
        std::vector<std::uint32_t> numbers; // of their first questions
        double best = 0.0;                  // largest value of them
    };

    Frame& frame(std::size_t depth) {
        while (frames_.size() <= depth)
            frames_.emplace_back();
        return frames_[depth];
    }

    // ---- the planned nodes together ------------------------------------------------------------

    void restart() {
        Frame& top = frame(0);
        top.next_attribute = top.to_evaluate = 0;
        look_at_branches(top);
    }

    void all_planned(Frame& top) {
        const PlanList& list = top.lists[0];
        if (!options_.per_cost) {
            finish(list, 0);
            return;
        }
        const std::size_t leader = rules_.leading(list);
        const double ratio = rules_.ratio(list, leader);
        if (rules_.every_set() || std::isinf(ratio) || ratio <= rules_.rate() + plan_tie) {
            finish(list, leader);
            return;
        }
        rules_.set_rate(ratio);
        restart();
    }

    void finish(const PlanList& list, std::size_t plan) {
        best_.clear();
        best_.begin_with(list, plan);
        finished_ = true;
    }

    // ---- one node ------------------------------------------------------------------------------

    void enter(const Frame& parent, std::size_t branch) {
        const Spot& spot = parent.spots[branch];
        const RowList from = depth_ == 0 ? parent.rows : RowList(parent.below);
        Frame& child = frame(depth_ + 1);
        child.rows = from.subspan(spot.begin, spot.end - spot.begin);
        child.weight = spot.weight;
        child.entropy = spot.entropy;
        child.levels = parent.levels - 1;
        if (!asked_above_.empty()) {
            child.asked = depth_ == 0 ? asked_above_[branch] : parent.asked;
            if (depth_ > 0)
                child.asked[attribute_of(parent.candidates[parent.number])] = true;
        }
        child.active = parent.active;
        child.next_attribute = 0;
        child.to_evaluate = child.active.size();
        child.candidates.clear();
        child.next_candidate = 0;
        child.asking = false;
        child.found.clear();
        child.numbers.clear();
        child.best = -std::numeric_limits<double>::infinity();
        ++depth_;
        if (child.to_evaluate == 0)
            all_evaluated(child);
    }

    static std::size_t attribute_of(const Candidate& candidate) {
        return static_cast<std::size_t>(candidate.question.attribute);
    }

    std::size_t evaluate(Frame& now) {
        std::size_t work = 0;
        while (now.next_attribute < now.to_evaluate && work < 20000) {
            std::int32_t& attribute = now.active[now.next_attribute++];
            if (!counter_.ask_about(now.rows, attribute, now.candidates))
                attribute = -1;
            work += now.rows.size() + 16;
        }
        if (now.next_attribute == now.to_evaluate)
            all_evaluated(now);
        return work;
    }

    void all_evaluated(Frame& now) {
        std::erase(now.active, -1);
        now.next_attribute = now.to_evaluate = 0;
        if (options_.max_candidates >= 0)
            keep_best_attributes(now.candidates);
        if (now.candidates.empty()) {
            rules_.put_stop(result_);
            hand_up();
            return;
        }
        if (now.levels == 1) {
            for (std::size_t number = 0; number < now.candidates.size(); ++number)
                add_last(now, static_cast<std::uint32_t>(number));
            all_asked(now);
            return;
        }
        now.bounds.resize(now.candidates.size());
        now.agenda.resize(now.candidates.size());
        for (std::size_t number = 0; number < now.candidates.size(); ++number) {
            const Candidate& candidate = now.candidates[number];
            now.bounds[number] = now.entropy - rules_.rate() * charge(now, candidate);
            now.agenda[number] = static_cast<std::uint32_t>(number);
        }
        // What gains most is looked at first, so that the rest may be given up early.
        std::stable_sort(now.agenda.begin(), now.agenda.end(), [&](auto a, auto b) {
            return own_value(now, now.candidates[a]) > own_value(now, now.candidates[b]);
        });
    }

    double charge(const Frame& now, const Candidate& candidate) const {
        const std::size_t attribute = attribute_of(candidate);
        return rules_.charge(attribute, !now.asked.empty() && now.asked[attribute], now.weight);
    }
    double own_value(const Frame& now, const Candidate& candidate) const {
        return candidate.total_gain - rules_.rate() * charge(now, candidate);
    }

    void keep_best_attributes(std::vector<Candidate>& candidates) {
        std::vector<std::size_t> starts;
        std::vector<double> largest;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            if (i == 0 || attribute_of(candidates[i]) != attribute_of(candidates[i - 1])) {
                starts.push_back(i);
                largest.push_back(candidates[i].value);
            }
            largest.back() = std::max(largest.back(), candidates[i].value);
        }
        starts.push_back(candidates.size());
        std::vector<Candidate> kept;
        for (const std::size_t group :
             few_best(largest, static_cast<std::size_t>(options_.max_candidates)))
            kept.insert(kept.end(), candidates.begin() + static_cast<std::ptrdiff_t>(starts[group]),
                        candidates.begin() + static_cast<std::ptrdiff_t>(starts[group + 1]));
        candidates = std::move(kept);
    }

    // How far a bound may lie below the truth by rounding, and below the best among equals.
    double slack(const Frame& now, double values) const {
        return 2 * rules_.tolerance() + 4e-16 * static_cast<double>(now.rows.size() + 64) *
                                            (now.weight * bits_per_row_ + values);
    }
    bool hopeless(const Frame& now, double bound) const {
        return !rules_.every_set() &&
               bound < now.best - slack(now, std::fabs(now.best) + std::fabs(bound));
    }

    std::size_t next_question(Frame& now) {
        if (now.next_candidate == now.agenda.size()) {
            all_asked(now);
            return 16;
        }
        now.number = now.agenda[now.next_candidate++];
        const Candidate& candidate = now.candidates[now.number];
        if (hopeless(now, now.bounds[now.number]))
            return 1;
        const Column& column = table_.columns[attribute_of(candidate)];
        const std::size_t n_branches = column.numeric ? 2 : column.n_values;
        counter_.divide(now.rows, candidate.question, n_branches, now.below, now.spots, cells_);
        now.asking = true;
        look_at_branches(now);
        return now.rows.size() + n_branches;
    }

    // The best that a plan for a branch can have.
    double bound_of(const Spot& spot) const {
        const double charged = options_.level_cost == LevelCost::expected ? spot.weight
                               : options_.level_cost == LevelCost::nodes  ? rules_.whole_weight()
                                                                          : 0.0;
        return std::max(0.0, spot.entropy - rules_.rate() * charged * least_price_);
    }

    void look_at_branches(Frame& now) {
        now.open.clear();
        now.next_open = 0;
        now.n_joined = 1;
        now.pure_beside = true;
        now.bound = depth_ == 0 ? 0.0 : own_value(now, now.candidates[now.number]);
        for (std::size_t branch = 0; branch < now.spots.size(); ++branch) {
            if (!now.spots[branch].open)
                continue;
            if (now.levels <= 1) {
                now.pure_beside = false;
                continue;
            }
            now.open.push_back(static_cast<std::uint32_t>(branch));
            now.bound += bound_of(now.spots[branch]);
        }
        if (now.lists.size() < now.open.size())
            now.lists.resize(now.open.size());
    }

    std::size_t next_branch(Frame& now) {
        if (depth_ > 0 && hopeless(now, now.bound)) {
            now.asking = false;
            return 1;
        }
        if (now.next_open < now.open.size()) {
            enter(now, now.open[now.next_open]);
            return 16;
        }
        if (now.n_joined < now.open.size())
            return join_one_more(now);
        if (depth_ == 0) {
            all_planned(now);
            return 64;
        }
        add_joined(now);
        now.asking = false;
        return 64;
    }

    std::size_t join_one_more(Frame& now) {
        const PlanList& last = now.lists[now.n_joined];
        const std::size_t work = now.lists[0].size() * last.size();
        if (rules_.join(now.lists[0], last, scratch_)) {
            std::swap(now.lists[0], scratch_);
            ++now.n_joined;
        }
        return 64 + 16 * std::min(work, most_plans * most_plans);
    }

    // ---- the plans of one node -----------------------------------------------------------------

    static PlannedQuestion planned(const Candidate& candidate, std::size_t size) {
        return {candidate.question.attribute, candidate.question.missing_branch,
                candidate.question.code, candidate.next_rank, static_cast<std::uint32_t>(size)};
    }

    // Whether a plan may be among the best of its node.
    bool promising(Frame& now, double information, double charged) {
        if (rules_.every_set())
            return true;
        const double value = information - rules_.rate() * charged;
        if (!(value >= now.best - 2 * rules_.tolerance()))
            return false;
        now.best = std::max(now.best, value);
        return true;
    }

    // A question below which nothing is asked.
    void add_last(Frame& now, std::uint32_t number) {
        const Candidate& candidate = now.candidates[number];
        const double charged = charge(now, candidate);
        const double information = candidate.total_gain + 0.0;
        if (!promising(now, information, charged))
            return;
        PlanList& found = now.found;
        const std::size_t begin = found.questions.size();
        found.questions.push_back(planned(candidate, 1));
        found.plans.push_back({information, charged, 1, candidate.pure, begin, begin + 1});
        add_set(found, attribute_of(candidate));
        now.numbers.push_back(number);
    }

    static void set_bit(std::uint64_t* set, std::size_t attribute) {
        set[attribute / 64] |= std::uint64_t{1} << attribute % 64;
    }
    void add_set(PlanList& found, std::size_t attribute) const {
        found.attributes.resize(found.attributes.size() + rules_.words(), 0);
        set_bit(&found.attributes[found.attributes.size() - rules_.words()], attribute);
    }

    // The question that is looked at, above the plans of its branches.
    void add_joined(Frame& now) {
        if (now.open.empty()) {
            add_last(now, now.number);
            return;
        }
        const Candidate& candidate = now.candidates[now.number];
        const std::size_t attribute = attribute_of(candidate);
        const double charged = charge(now, candidate);
        const PlanList& below = now.lists[0];
        PlanList& found = now.found;
        for (std::size_t i = 0; i < below.size(); ++i) {
            Plan plan = below.plans[i];
            plan.information = candidate.total_gain + plan.information;
            plan.charge = charged + plan.charge;
            if (!promising(now, plan.information, plan.charge))
                continue;
            const std::size_t begin = found.questions.size();
            found.questions.push_back(planned(candidate, 1 + plan.end - plan.begin));
            found.append_questions(below, i);
            plan.begin = begin;
            plan.end = found.questions.size();
            plan.pure = plan.pure && now.pure_beside;
            add_set(found, attribute);
            std::uint64_t* set = &found.attributes[found.attributes.size() - rules_.words()];
            plan.n_attributes = 0;
            for (std::size_t w = 0; w < rules_.words(); ++w) {
                set[w] |= below.attributes[i * rules_.words() + w];
                plan.n_attributes += std::popcount(set[w]);
            }
            found.plans.push_back(plan);
            now.numbers.push_back(now.number);
        }
    }

    void all_asked(Frame& now) {
        rules_.keep(now.found, now.numbers, result_);
        hand_up();
    }

    // Gives the result of a node to the one above it.
    void hand_up() {
        --depth_;
        Frame& parent = frame(depth_);
        parent.bound += rules_.every_set()
                            ? 0.0
                            : rules_.largest_value(result_) -
                                  bound_of(parent.spots[parent.open[parent.next_open]]);
        std::swap(parent.lists[parent.next_open], result_);
        ++parent.next_open;
    }

    const Table& table_;
    const HorizonOptions& options_;
    SpotCounter<Arithmetic> counter_;
    PlanRules rules_;
    double bits_per_row_;
    double least_price_;
    std::deque<Frame> frames_;
    std::size_t depth_ = 0;
    std::vector<std::vector<bool>> asked_above_;
    std::vector<Count> cells_;
    PlanList result_, scratch_, best_;
    bool finished_ = true;
};

} // namespace niwaki
