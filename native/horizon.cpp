// Growth by exhaustive lookahead: plan for the open nodes, ask what the plan says, go on.
#include "horizon.hpp"

#include "planner.hpp"

#include <chrono>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

namespace niwaki {
namespace {

using Clock = std::chrono::steady_clock;

// Nodes are numbered as they are made, which is not pre-order; `result` puts them in order.
template <class Arithmetic> class HorizonGrowth final : public Growth {
public:
    using Count = typename Arithmetic::Count;

    HorizonGrowth(Table table, const GrowthOptions& options, Arithmetic arithmetic,
                  GrowthState state)
        : table_(std::move(table)), greedy_(options.greedy), options_(options.horizon),
          arithmetic_(std::move(arithmetic)), planner_(table_, greedy_, options_, arithmetic_),
          tree_(std::move(state.tree)), open_(std::move(state.open)), rows_(std::move(state.rows)) {
        tree_.n_classes = table_.n_classes;
        parent_.assign(tree_.size(), -1);
        for (std::size_t node = 0; node < tree_.size(); ++node)
            for (std::size_t b = 0; b < tree_.branches(static_cast<std::int32_t>(node)); ++b) {
                const std::int32_t child = tree_.child(static_cast<std::int32_t>(node), b);
                if (child >= 0)
                    parent_[static_cast<std::size_t>(child)] = static_cast<std::int32_t>(node);
            }
    }

    bool finished() const override { return open_.empty(); }
    void hurry() override {
        hurried_ = true;
        planning_ = false;
    }
    bool owns_rows() const override { return false; }

    bool advance(double milliseconds, std::uint64_t) override {
        const auto until = Clock::now() + std::chrono::duration<double, std::milli>(milliseconds);
        const std::size_t between_looks = milliseconds > 0 ? 20000 : 0;
        std::size_t work = 0;
        while (!open_.empty()) {
            work += step();
            if (work > between_looks) {
                work = 0;
                if (Clock::now() >= until)
                    return open_.empty();
            }
        }
        return true;
    }

    // A search under way is begun anew.
    GrowthState state() const override {
        GrowthState state{tree_, open_, rows_, {}};
        if (!Growth::counts_are_whole(table_, false))
            for (const std::uint32_t row : rows_)
                state.row_weights.push_back(table_.weight(row));
        return state;
    }

    TreeArrays result() const override {
        if (!finished())
            throw std::logic_error("the growth is not finished");
        return collapsed(tree_, std::vector<bool>(tree_.size(), false));
    }

    std::size_t nbytes() const override {
        return arithmetic_.nbytes() + planner_.nbytes() + tree_.counts.capacity() * sizeof(double) +
               tree_.size() * 44 + open_.capacity() * sizeof(OpenNode) +
               2 * rows_.capacity() * sizeof(std::uint32_t);
    }

private:
    std::size_t step() {
        if (!planning_)
            return begin_group();
        if (!planner_.finished())
            return planner_.step();
        planning_ = false;
        return carry_out();
    }

    // The node on top of the stack, or all open nodes, left to right.
    std::size_t begin_group() {
        const std::size_t first = options_.level_scope ? 0 : open_.size() - 1;
        levels_ = levels_at(open_.back().depth);
        std::vector<Spot> spots;
        std::vector<std::vector<bool>> asked;
        std::size_t work = 64;
        group_.clear();
        while (open_.size() > first) {
            const OpenNode node = open_.back();
            open_.pop_back();
            const Spot spot = spot_at(node);
            work += rows_at(node).size();
            if (spot.open && levels_ > 0) {
                group_.push_back(node);
                spots.push_back(spot);
                continue;
            }
            add_node(node);
        }
        std::reverse(group_.begin(), group_.end());
        std::reverse(spots.begin(), spots.end());
        if (group_.empty())
            return work;
        open_.insert(open_.end(), group_.begin(), group_.end());
        if (!options_.prices.empty())
            for (const OpenNode& node : group_)
                asked.push_back(asked_above(node));
        planner_.begin(rows_, std::move(spots), std::move(asked), levels_);
        planning_ = true;
        return work;
    }

    RowList rows_at(const OpenNode& node) const {
        return RowList(rows_).subspan(static_cast<std::size_t>(node.begin),
                                      static_cast<std::size_t>(node.end - node.begin));
    }

    Spot spot_at(const OpenNode& node) {
        planner_.counter().totals(rows_at(node), totals_);
        Spot spot = planner_.counter().described(totals_.data());
        spot.begin = static_cast<std::size_t>(node.begin);
        spot.end = static_cast<std::size_t>(node.end);
        return spot;
    }

    std::vector<bool> asked_above(const OpenNode& node) const {
        std::vector<bool> asked(table_.columns.size(), false);
        for (std::int32_t above = node.parent; above >= 0;
             above = parent_[static_cast<std::size_t>(above)])
            asked[static_cast<std::size_t>(tree_.attribute[static_cast<std::size_t>(above)])] =
                true;
        return asked;
    }

    // How many levels are planned at some depth.
    std::int32_t levels_at(std::int32_t depth) const {
        const std::vector<std::int32_t>& entries = options_.lookahead;
        std::int64_t levels = 1;
        if (!options_.commit_level) {
            levels = entries[std::min(static_cast<std::size_t>(depth), entries.size() - 1)];
        } else {
            const std::int64_t last = entries.back();
            const std::int64_t before = entries.size() > 1 ? entries[entries.size() - 2] : 0;
            std::int64_t end = last;
            for (const std::int32_t entry : entries)
                if (entry > depth) {
                    end = entry;
                    break;
                }
            if (end <= depth)
                end += (depth - end) / (last - before) * (last - before) + (last - before);
            levels = end - depth;
        }
        if (hurried_)
            levels = 1;
        if (greedy_.max_depth >= 0)
            levels = std::min<std::int64_t>(levels, greedy_.max_depth - depth);
        // No path asks more questions than there are rows.
        const auto most = static_cast<std::int64_t>(std::min<std::size_t>(rows_.size(), 1U << 30));
        return static_cast<std::int32_t>(std::clamp<std::int64_t>(levels, 0, most));
    }

    // ---- asking --------------------------------------------------------------------------------

    struct Place {
        OpenNode node;
        std::int32_t levels; // to be asked from here
    };

    // Asks the first question of the plan at every node, or all of them.
    std::size_t carry_out() {
        const PlanList& plan = planner_.best();
        const bool whole = options_.commit_level || plan.plans[0].pure;
        open_.resize(open_.size() - group_.size());
        const std::size_t kept_open = open_.size();
        std::size_t work = 64;
        std::size_t first = 0;
        for (const OpenNode& node : group_) {
            const std::size_t end = first + plan.questions[first].size;
            std::size_t next = first;
            places_.push_back({node, whole ? levels_ : 1});
            while (!places_.empty()) {
                const Place place = places_.back();
                places_.pop_back();
                work += rows_at(place.node).size() + 16;
                carry_out(place, plan, next);
            }
            first = end;
        }
        if (!options_.level_scope) // the leftmost is to be on top
            std::reverse(open_.begin() + static_cast<std::ptrdiff_t>(kept_open), open_.end());
        return work;
    }

    // Comes to a node of the plan, in pre-order; `next` is where the plan goes on.
    void carry_out(const Place& place, const PlanList& plan, std::size_t& next) {
        const bool open = spot_at(place.node).open;
        if (open && place.levels == 0) {
            open_.push_back(place.node);
            return;
        }
        const std::int32_t number = add_node(place.node);
        if (!open)
            return;
        const PlannedQuestion& question = plan.questions[next++];
        if (question.attribute >= 0)
            ask(place, number, question);
    }

    void ask(const Place& place, std::int32_t number, const PlannedQuestion& planned) {
        const Column& column = table_.columns[static_cast<std::size_t>(planned.attribute)];
        const bool cut = column.numeric;
        Candidate candidate;
        candidate.question = {planned.attribute, cut ? SplitKind::threshold : SplitKind::multiway,
                              planned.low, planned.missing_branch, 0};
        candidate.next_rank = planned.high;
        const Question& question = candidate.question;
        const std::size_t n_branches = cut ? 2 : column.n_values;
        planner_.counter().divide(rows_at(place.node), question, n_branches, moved_, spots_,
                                  cells_);
        std::copy(moved_.begin(), moved_.end(),
                  rows_.begin() + static_cast<std::ptrdiff_t>(place.node.begin));
        const BranchShares shares(std::vector<double>(cells_.begin(), cells_.end()), n_branches);
        tree_.set_split(question.kind, question.attribute,
                        cut ? cut_threshold(table_, candidate, greedy_.threshold)
                            : std::numeric_limits<double>::quiet_NaN(),
                        -1, cut ? planned.missing_branch : -1, shares.shares);
        for (std::size_t b = n_branches; b-- > 0;) {
            OpenNode child;
            child.parent = number;
            child.branch = static_cast<std::int32_t>(b);
            child.depth = place.node.depth + 1;
            child.begin = place.node.begin + static_cast<std::int64_t>(spots_[b].begin);
            child.end = place.node.begin + static_cast<std::int64_t>(spots_[b].end);
            places_.push_back({child, place.levels - 1});
        }
    }

    std::int32_t add_node(const OpenNode& node) {
        planner_.counter().totals(rows_at(node), totals_);
        counts_.assign(totals_.begin(), totals_.end());
        double weight = 0.0;
        for (const double count : counts_)
            weight += count;
        const std::int32_t label = weight > 0 ? heaviest(counts_)
                                   : node.parent >= 0
                                       ? tree_.label[static_cast<std::size_t>(node.parent)]
                                       : 0;
        const std::int32_t number = tree_.add(counts_, label);
        parent_.push_back(node.parent);
        if (node.parent >= 0) {
            const auto parent = static_cast<std::size_t>(node.parent);
            tree_.children[static_cast<std::size_t>(tree_.child_start[parent]) +
                           static_cast<std::size_t>(node.branch)] = number;
        }
        return number;
    }

    Table table_;
    GreedyOptions greedy_;
    HorizonOptions options_;
    Arithmetic arithmetic_;
    Planner<Arithmetic> planner_;
    TreeArrays tree_;
    std::vector<std::int32_t> parent_; // of every node
    std::vector<OpenNode> open_;       // those that are planned for are the last of them
    std::vector<std::uint32_t> rows_;  // of every open node a range
    bool hurried_ = false;

    // The nodes that are planned for; begun anew after `state`.
    bool planning_ = false;
    std::int32_t levels_ = 0;
    std::vector<OpenNode> group_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> moved_;
    std::vector<Spot> spots_;
    std::vector<Count> totals_, cells_;
    std::vector<double> counts_;
};

} // namespace

std::unique_ptr<Growth> horizon_growth(Table table, const GrowthOptions& options,
                                       GrowthState state) {
    if (Growth::counts_are_whole(table, false)) {
        IntegerArithmetic arithmetic(static_cast<std::int64_t>(total_weight(table)));
        return std::make_unique<HorizonGrowth<IntegerArithmetic>>(
            std::move(table), options, std::move(arithmetic), std::move(state));
    }
    return std::make_unique<HorizonGrowth<RealArithmetic>>(std::move(table), options,
                                                           RealArithmetic{}, std::move(state));
}

} // namespace niwaki
