// Growth: choose a question at a node, divide its rows, go on with the children.
#include "grow.hpp"

#include "greedy.hpp"
#include "horizon.hpp"
#include "lookahead.hpp"
#include "rows.hpp"
#include "skewing.hpp"
#include "stochastic.hpp"

#include <chrono>
#include <cmath>
#include <stdexcept>

namespace niwaki {
namespace {

using Clock = std::chrono::steady_clock;

template <class Rows, class Chooser> class TreeGrowth final : public Growth {
public:
    using Count = typename Rows::Count;

    TreeGrowth(Table table, const GrowthOptions& options, Rows rows,
               typename Rows::Arithmetic arithmetic, double total_weight, GrowthState state)
        : table_(std::move(table)), options_(options.greedy), arithmetic_(std::move(arithmetic)),
          rows_(std::move(rows)), chooser_(table_, options, arithmetic_, total_weight),
          tree_(std::move(state.tree)), open_(std::move(state.open)) {
        tree_.n_classes = table_.n_classes;
        rows_.use(table_);
        if constexpr (requires { chooser_.skip(std::size_t{0}); }) {
            std::size_t questions = 0;
            for (const std::uint8_t kind : tree_.kind)
                questions += kind != static_cast<std::uint8_t>(SplitKind::leaf);
            chooser_.skip(questions);
        }
    }

    bool finished() const override { return open_.empty(); }
    void hurry() override {
        if (hurried_)
            return; // the node under way is begun anew only once
        hurried_ = true;
        chooser_.hurry();
        asking_ = false;
    }
    bool owns_rows() const override { return Rows::whole; }
    std::uint64_t sampled_rows() const override {
        if constexpr (requires { chooser_.sampled_rows(); })
            return chooser_.sampled_rows();
        else
            return 0;
    }

    bool advance(double milliseconds, std::uint64_t most_sampled_rows) override {
        const auto until = Clock::now() + std::chrono::duration<double, std::milli>(milliseconds);
        const std::size_t between_looks = milliseconds > 0 ? 20000 : 0;
        std::size_t work = 0;
        while (!open_.empty()) {
            work += step();
            if (sampled_rows() >= most_sampled_rows)
                return open_.empty();
            if (work > between_looks) {
                work = 0;
                if (Clock::now() >= until)
                    return open_.empty();
            }
        }
        return true;
    }

    GrowthState state() const override {
        GrowthState state{tree_, open_, {}, {}};
        rows_.save(state.rows, state.row_weights);
        return state;
    }

    TreeArrays result() const override {
        if (!finished())
            throw std::logic_error("the growth is not finished");
        if (options_.rules == Rules::c45 && options_.collapse)
            return collapsed(tree_, useless_splits());
        return tree_;
    }

    std::size_t nbytes() const override {
        return rows_.nbytes() + arithmetic_.nbytes() + chooser_.nbytes() +
               tree_.counts.capacity() * sizeof(double) + tree_.size() * 40 +
               open_.capacity() * sizeof(OpenNode);
    }

private:
    // Does one piece of work on the open node on top, and returns how much it was.
    std::size_t step() {
        const OpenNode node = open_.back();
        const Range range{static_cast<std::size_t>(node.begin), static_cast<std::size_t>(node.end)};
        if (!asking_) {
            begin(node, range);
            if (settled(node)) {
                finish_node();
                return 64 + counts_.size();
            }
            const std::int32_t remaining =
                options_.max_depth < 0 ? -1 : options_.max_depth - node.depth;
            chooser_.begin(rows_, range, totals_, weight_, remaining);
            asking_ = true;
            next_attribute_ = 0;
        }
        if (next_attribute_ < table_.columns.size()) {
            next_attribute_ += chooser_.evaluate(rows_, range, static_cast<int>(next_attribute_));
            return 16 + range.size();
        }
        asking_ = false;
        const Candidate* chosen = chooser_.best();
        finish_node();
        if (chosen)
            divide(node, range, *chosen);
        return 64 + range.size() * table_.columns.size();
    }

    void begin(const OpenNode& node, Range range) {
        const auto width = static_cast<std::size_t>(table_.n_classes);
        if (node.only_class == -2) {
            rows_.class_totals(range, totals_);
        } else {
            totals_.assign(width, 0);
            if (node.only_class >= 0)
                totals_[static_cast<std::size_t>(node.only_class)] =
                    static_cast<Count>(node.weight);
        }
        weight_ = 0;
        counts_.resize(width);
        for (std::size_t k = 0; k < width; ++k) {
            weight_ += totals_[k];
            counts_[k] = static_cast<double>(totals_[k]);
        }
        label_ = weight_ > 0        ? heaviest(counts_)
                 : node.parent >= 0 ? tree_.label[static_cast<std::size_t>(node.parent)]
                                    : 0;
    }

    bool settled(const OpenNode& node) const {
        if (node.only_class != -2 || (options_.max_depth >= 0 && node.depth >= options_.max_depth))
            return true;
        const double weight = static_cast<double>(weight_);
        if (options_.rules == Rules::c45)
            return weight - counts_[static_cast<std::size_t>(label_)] < weight_slack ||
                   weight + weight_slack < 2 * options_.min_leaf;
        std::size_t present = 0;
        for (const double count : counts_)
            present += count > 0;
        return present < 2;
    }

    void finish_node() {
        const OpenNode node = open_.back();
        open_.pop_back();
        const std::int32_t number = tree_.add(counts_, label_);
        if (node.parent >= 0) {
            const auto parent = static_cast<std::size_t>(node.parent);
            tree_.children[static_cast<std::size_t>(tree_.child_start[parent]) +
                           static_cast<std::size_t>(node.branch)] = number;
        }
    }

    void divide(const OpenNode& node, Range range, const Candidate& candidate) {
        const Question& question = candidate.question;
        const Column& column = table_.columns[static_cast<std::size_t>(question.attribute)];
        const bool multiway = question.kind == SplitKind::multiway;
        const std::size_t branches = multiway ? column.n_values : 2;
        const auto number = static_cast<std::int32_t>(tree_.size() - 1);
        const std::vector<Branch> parts = rows_.partition(range, question, branches);
        shares_.clear();
        for (const Branch& part : parts)
            shares_.push_back(part.share);
        const bool cut = question.kind == SplitKind::threshold;
        tree_.set_split(question.kind, question.attribute,
                        cut ? cut_threshold(table_, candidate, options_.threshold)
                            : std::numeric_limits<double>::quiet_NaN(),
                        question.kind == SplitKind::value ? static_cast<std::int32_t>(question.code)
                                                          : -1,
                        cut && !options_.fractions ? question.missing_branch : -1, shares_);
        if (question.kind == SplitKind::subset)
            tree_.set_subset(question.members);
        for (std::size_t b = branches; b-- > 0;) {
            OpenNode child;
            child.parent = number;
            child.branch = static_cast<std::int32_t>(b);
            child.depth = node.depth + 1;
            child.only_class = parts[b].only_class;
            child.weight = parts[b].weight;
            child.begin = static_cast<std::int64_t>(parts[b].rows.begin);
            child.end = static_cast<std::int64_t>(parts[b].rows.end);
            open_.push_back(child);
        }
    }

    // Splits that do not lower the number of training errors.
    std::vector<bool> useless_splits() const {
        const std::size_t size = tree_.size();
        std::vector<double> errors(size);
        std::vector<bool> useless(size, false);
        for (std::size_t node = size; node-- > 0;) {
            const auto counts = tree_.counts_of(static_cast<std::int32_t>(node));
            double weight = 0.0;
            for (const double count : counts)
                weight += count;
            const double own = weight - counts[static_cast<std::size_t>(heaviest(counts))];
            const std::size_t branches = tree_.branches(static_cast<std::int32_t>(node));
            double below = 0.0;
            for (std::size_t b = 0; b < branches; ++b)
                below += errors[static_cast<std::size_t>(
                    tree_.child(static_cast<std::int32_t>(node), b))];
            useless[node] = branches > 0 && below >= own - c45_slack;
            errors[node] = branches == 0 || useless[node] ? own : below;
        }
        return useless;
    }

    Table table_;
    GreedyOptions options_;
    typename Rows::Arithmetic arithmetic_;
    Rows rows_;
    Chooser chooser_;
    TreeArrays tree_;
    std::vector<OpenNode> open_;

    // The node on top of the stack while its attributes are evaluated; begun anew after `state`.
    bool asking_ = false;
    bool hurried_ = false;
    std::size_t next_attribute_ = 0;
    std::vector<Count> totals_;
    Count weight_ = 0;
    std::vector<double> counts_;
    std::int32_t label_ = 0;
    std::vector<double> shares_;
};

template <class Rows>
std::unique_ptr<Growth> with_chooser(Table table, const GrowthOptions& options, Rows rows,
                                     typename Rows::Arithmetic arithmetic, double total,
                                     GrowthState state) {
    auto made = [&]<class Chooser>() -> std::unique_ptr<Growth> {
        return std::make_unique<TreeGrowth<Rows, Chooser>>(std::move(table), options,
                                                           std::move(rows), std::move(arithmetic),
                                                           total, std::move(state));
    };
    if (options.stochastic.drawn)
        return made.template operator()<StochasticChooser<Rows>>();
    if (options.skewing.trials > 0 || options.skewing.leaf_without_votes)
        return made.template operator()<SkewingChooser<Rows>>();
    if (options.sampling.samples == 0)
        return made.template operator()<GreedyChooser<Rows>>();
    if (options.sampling.objective == ObjectiveKind::size)
        return made.template operator()<SamplingChooser<Rows, SizeObjective>>();
    return made.template operator()<SamplingChooser<Rows, ErrorObjective>>();
}

} // namespace

bool Growth::counts_are_whole(const Table& table, bool fractions) {
    if (fractions)
        for (const Column& column : table.columns)
            if (column.has_missing)
                return false;
    if (!table.weights)
        return true;
    double total = 0.0;
    for (std::size_t row = 0; row < table.n_rows; ++row) {
        if (table.weights[row] != std::floor(table.weights[row]))
            return false;
        total += table.weights[row];
    }
    return total < 0x1.0p53;
}

std::unique_ptr<Growth> Growth::start(Table table, const GrowthOptions& options) {
    GrowthState state;
    OpenNode root;
    root.end = static_cast<std::int64_t>(table.n_rows);
    state.open.push_back(root);
    state.rows.resize(table.n_rows);
    for (std::size_t row = 0; row < table.n_rows; ++row)
        state.rows[row] = static_cast<std::uint32_t>(row);
    if (!counts_are_whole(table, options.greedy.fractions)) {
        state.row_weights.resize(table.n_rows);
        for (std::size_t row = 0; row < table.n_rows; ++row)
            state.row_weights[row] = table.weight(row);
    }
    return resume(std::move(table), options, std::move(state));
}

std::unique_ptr<Growth> Growth::resume(Table table, const GrowthOptions& options,
                                       GrowthState state) {
    if (!options.horizon.lookahead.empty())
        return horizon_growth(std::move(table), options, std::move(state));
    const double total = total_weight(table);
    if (counts_are_whole(table, options.greedy.fractions)) {
        WholeRows rows(table, state.rows);
        IntegerArithmetic arithmetic(static_cast<std::int64_t>(total));
        return with_chooser(std::move(table), options, std::move(rows), std::move(arithmetic),
                            total, std::move(state));
    }
    PartialRows rows(options.greedy.fractions, state.rows, state.row_weights);
    return with_chooser(std::move(table), options, std::move(rows), RealArithmetic{}, total,
                        std::move(state));
}

} // namespace niwaki
