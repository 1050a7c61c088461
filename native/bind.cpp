// The seam: arrays, integers and enumerations from Python to the core and back.
#include "bind.hpp"
#include "counts.hpp"
#include "encode.hpp"
#include "grow.hpp"
#include "objectives.hpp"
#include "predict.hpp"
#include "prune.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <tuple>

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace niwaki;

// ---- trees -------------------------------------------------------------------------------------

using TreeOut =
    std::tuple<Out<std::uint8_t>, Out<std::int32_t>, Out<double>, Out<std::int32_t>,
               Out<std::int64_t>, Out<std::int32_t>, Out<std::int64_t>, Out<std::int32_t>,
               Out<double>, Out<std::int32_t>, Out<std::int32_t>, Matrix>;
using TreeIn = std::tuple<In<std::uint8_t>, In<std::int32_t>, In<double>, In<std::int32_t>,
                          In<std::int64_t>, In<std::int32_t>, In<std::int64_t>, In<std::int32_t>,
                          In<double>, In<std::int32_t>, In<std::int32_t>,
                          nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>>;

TreeOut given_tree(TreeArrays&& tree) {
    auto* counts = new std::vector<double>(std::move(tree.counts));
    nb::capsule owner(counts,
                      [](void* held) noexcept { delete static_cast<std::vector<double>*>(held); });
    const std::size_t n_nodes = tree.size();
    Matrix matrix(counts->data(), {n_nodes, static_cast<std::size_t>(tree.n_classes)}, owner);
    return {given(std::move(tree.kind)),         given(std::move(tree.attribute)),
            given(std::move(tree.threshold)),    given(std::move(tree.value)),
            given(std::move(tree.subset_start)), given(std::move(tree.subset_values)),
            given(std::move(tree.child_start)),  given(std::move(tree.children)),
            given(std::move(tree.share)),        given(std::move(tree.missing_branch)),
            given(std::move(tree.label)),        std::move(matrix)};
}

// Borrows a tree whose arrays fit together: no offset and no child may lead outside. In an
// unfinished tree a child may be missing.
TreeView viewed(const TreeIn& tree, bool unfinished = false) {
    TreeView view;
    view.n_nodes = std::get<0>(tree).size();
    view.n_classes = static_cast<int>(std::get<11>(tree).shape(1));
    const auto& subset_start = std::get<4>(tree);
    const auto& child_start = std::get<6>(tree);
    const auto& children = std::get<7>(tree);
    const std::size_t n_nodes = view.n_nodes;
    require(n_nodes > 0 && std::get<1>(tree).size() == n_nodes &&
                std::get<2>(tree).size() == n_nodes && std::get<3>(tree).size() == n_nodes &&
                subset_start.size() == n_nodes + 1 && child_start.size() == n_nodes + 1 &&
                std::get<8>(tree).size() == children.size() &&
                std::get<9>(tree).size() == n_nodes && std::get<10>(tree).size() == n_nodes &&
                std::get<11>(tree).shape(0) == n_nodes,
            "the tree's arrays differ in length");
    auto ascends = [&](const In<std::int64_t>& starts, std::size_t end) {
        for (std::size_t node = 0; node < n_nodes; ++node)
            if (starts.data()[node] > starts.data()[node + 1])
                return false;
        return starts.data()[0] == 0 && starts.data()[n_nodes] == static_cast<std::int64_t>(end);
    };
    require(ascends(subset_start, std::get<5>(tree).size()) &&
                ascends(child_start, children.size()),
            "the tree's offsets do not ascend");
    for (std::size_t node = 0; node < n_nodes; ++node) {
        const std::int64_t first = child_start.data()[node];
        const std::int64_t last = child_start.data()[node + 1];
        require((std::get<0>(tree).data()[node] == 0) == (first == last),
                "a leaf has children, or a test has none");
        require(std::get<9>(tree).data()[node] < last - first || first == last,
                "a missing value is sent to a branch that is not there");
        for (std::int64_t edge = first; edge < last; ++edge)
            require((unfinished && children.data()[edge] == -1) ||
                        (children.data()[edge] > static_cast<std::int64_t>(node) &&
                         children.data()[edge] < static_cast<std::int64_t>(n_nodes)),
                    "a child stands before its parent or outside the tree");
    }
    view.kind = std::get<0>(tree).data();
    view.attribute = std::get<1>(tree).data();
    view.threshold = std::get<2>(tree).data();
    view.value = std::get<3>(tree).data();
    view.subset_start = std::get<4>(tree).data();
    view.subset_values = std::get<5>(tree).data();
    view.child_start = std::get<6>(tree).data();
    view.children = std::get<7>(tree).data();
    view.share = std::get<8>(tree).data();
    view.missing_branch = std::get<9>(tree).data();
    view.label = std::get<10>(tree).data();
    view.counts = std::get<11>(tree).data();
    return view;
}

TreeArrays copied(const TreeIn& tree) {
    auto all = [](const auto& array) {
        return std::vector(array.data(), array.data() + array.size());
    };
    TreeArrays result;
    result.n_classes = static_cast<int>(std::get<11>(tree).shape(1));
    result.kind = all(std::get<0>(tree));
    result.attribute = all(std::get<1>(tree));
    result.threshold = all(std::get<2>(tree));
    result.value = all(std::get<3>(tree));
    result.subset_start = all(std::get<4>(tree));
    result.subset_values = all(std::get<5>(tree));
    result.child_start = all(std::get<6>(tree));
    result.children = all(std::get<7>(tree));
    result.share = all(std::get<8>(tree));
    result.missing_branch = all(std::get<9>(tree));
    result.label = all(std::get<10>(tree));
    result.counts = all(std::get<11>(tree));
    return result;
}

// Columns to answer from: int32 codes or float64 numbers, any stride.
struct AnswerColumns {
    std::vector<Values> values;
    std::vector<Strided<std::int32_t>> codes;
    std::vector<Strided<double>> numbers;
    std::size_t n_rows = 0;

    explicit AnswerColumns(const std::vector<nb::object>& columns) {
        for (std::size_t a = 0; a < columns.size(); ++a) {
            const nb::handle column = columns[a];
            Values entry;
            std::size_t rows = 0;
            Strided<std::int32_t> as_codes;
            Strided<double> as_numbers;
            if (nb::try_cast(column, as_codes, false)) {
                entry.codes = as_codes.data();
                entry.stride = as_codes.stride(0);
                rows = as_codes.size();
                codes.push_back(as_codes);
            } else if (nb::try_cast(column, as_numbers, false)) {
                entry.numbers = as_numbers.data();
                entry.stride = as_numbers.stride(0);
                rows = as_numbers.size();
                numbers.push_back(as_numbers);
            } else {
                throw nb::type_error("a column must hold int32 codes or float64 numbers");
            }
            require(a == 0 || rows == n_rows, "columns differ in length");
            n_rows = rows;
            values.push_back(entry);
        }
    }

    void check(const TreeView& tree) const {
        for (std::size_t node = 0; node < tree.n_nodes; ++node) {
            const auto kind = static_cast<SplitKind>(tree.kind[node]);
            if (kind == SplitKind::leaf)
                continue;
            const auto asked = static_cast<std::size_t>(tree.attribute[node]);
            require(asked < values.size(), "the tree asks about a column that is not there");
            require((kind == SplitKind::threshold) == (values[asked].codes == nullptr),
                    "the tree asks for numbers where there are codes, or the reverse");
            require(kind == SplitKind::multiway ||
                        tree.child_start[node + 1] - tree.child_start[node] == 2,
                    "a question with two answers needs two branches");
        }
    }

    // Codes must be below the number of branches wherever one branch per value is asked for.
    void check_codes(const TreeView& tree) const {
        std::vector<std::int64_t> branches(values.size(), -1);
        for (std::size_t node = 0; node < tree.n_nodes; ++node)
            if (static_cast<SplitKind>(tree.kind[node]) == SplitKind::multiway) {
                const auto here = tree.child_start[node + 1] - tree.child_start[node];
                std::int64_t& fewest = branches[static_cast<std::size_t>(tree.attribute[node])];
                fewest = fewest < 0 ? here : std::min(fewest, here);
            }
        for (std::size_t a = 0; a < values.size(); ++a)
            if (branches[a] >= 0)
                for (std::size_t row = 0; row < n_rows; ++row)
                    require(values[a].code(row) < branches[a], "a code is outside its domain");
    }
};

Out<std::int32_t> bound_apply_rows(const TreeIn& tree, const std::vector<nb::object>& columns,
                                   bool hold_missing) {
    const AnswerColumns answers(columns);
    const TreeView view = viewed(tree);
    answers.check(view);
    std::vector<std::int32_t> nodes;
    {
        nb::gil_scoped_release released;
        answers.check_codes(view);
        nodes = apply_rows(view, answers.values, answers.n_rows, hold_missing);
    }
    return given(std::move(nodes));
}

std::tuple<Out<std::int64_t>, Out<std::int32_t>, Out<double>>
bound_stops(const TreeIn& tree, const std::vector<nb::object>& columns) {
    const AnswerColumns answers(columns);
    const TreeView view = viewed(tree);
    answers.check(view);
    Stops found;
    {
        nb::gil_scoped_release released;
        answers.check_codes(view);
        found = stops(view, answers.values, answers.n_rows);
    }
    return {given(std::move(found.start)), given(std::move(found.nodes)),
            given(std::move(found.shares))};
}

TreeOut bound_prune_errors(const TreeIn& tree, const std::vector<nb::object>& columns,
                           const In<std::int32_t>& classes,
                           const std::optional<In<double>>& weights, double confidence,
                           double deviate, bool binomial, bool raise_subtrees, bool fractions) {
    const AnswerColumns answers(columns);
    const TreeView view = viewed(tree);
    answers.check(view);
    require(classes.size() == answers.n_rows || answers.values.empty(), "classes differ in length");
    require(!weights || weights->size() == classes.size(), "weights differ in length");
    for (std::size_t row = 0; row < classes.size(); ++row)
        require(0 <= classes.data()[row] && classes.data()[row] < view.n_classes,
                "a class code is out of range");
    PruneRows rows;
    rows.columns = answers.values;
    rows.classes = classes.data();
    rows.weights = weights ? weights->data() : nullptr;
    rows.n_rows = classes.size();
    const ExpectedErrors expected(confidence, deviate,
                                  binomial ? ErrorBound::binomial : ErrorBound::normal);
    TreeArrays pruned;
    {
        nb::gil_scoped_release released;
        answers.check_codes(view);
        pruned = prune_errors(view, rows, expected, {raise_subtrees, fractions});
    }
    return given_tree(std::move(pruned));
}

// Children, parent, depth and end of subtree of every node, from the branches in pre-order.
std::tuple<Out<std::int32_t>, Out<std::int32_t>, Out<std::int32_t>, Out<std::int32_t>>
bound_preorder_links(const In<std::int64_t>& child_start) {
    require(child_start.size() > 0, "there must be a node");
    require(child_start.size() < std::numeric_limits<std::int32_t>::max(), "too many nodes");
    std::optional<PreorderLinks> links;
    {
        nb::gil_scoped_release released;
        links = preorder_links(child_start.data(), child_start.size() - 1);
    }
    require(links.has_value(), "this is not a valid tree: its nodes are not in pre-order");
    return {given(std::move(links->children)), given(std::move(links->parent)),
            given(std::move(links->depth)), given(std::move(links->end))};
}

// ---- tables ------------------------------------------------------------------------------------

std::tuple<Out<double>, Out<std::uint32_t>> bound_rank_values(const Strided<double>& values) {
    Ranks ranks;
    {
        nb::gil_scoped_release released;
        ranks = rank_values(values.data(), values.stride(0), values.size());
    }
    return {given(std::move(ranks.distinct)), given(std::move(ranks.ranks))};
}

std::tuple<Out<std::int64_t>, Out<std::int64_t>>
bound_canonical_rows(const std::vector<In<std::uint32_t>>& codes, const In<std::int32_t>& classes,
                     const In<double>& weights) {
    std::vector<const std::uint32_t*> columns;
    for (const auto& column : codes) {
        require(column.size() == classes.size(), "columns differ in length");
        columns.push_back(column.data());
    }
    require(weights.size() == classes.size(), "weights differ in length");
    CanonicalRows rows;
    {
        nb::gil_scoped_release released;
        rows = canonical_rows(columns, classes.data(), weights.data(), classes.size());
    }
    return {given(std::move(rows.order)), given(std::move(rows.starts))};
}

Out<std::int64_t> bound_entropy_terms(const In<std::int64_t>& counts, int shift) {
    std::vector<std::int64_t> terms(counts.size());
    for (std::size_t i = 0; i < terms.size(); ++i)
        terms[i] = IntegerArithmetic::term(counts.data()[i], shift);
    return given(std::move(terms));
}

// ---- growth ------------------------------------------------------------------------------------

using StateOut =
    std::tuple<TreeOut, Out<std::int64_t>, Out<double>, Out<std::uint32_t>, Out<double>>;
using StateIn = std::tuple<TreeIn, In<std::int64_t>, In<double>, In<std::uint32_t>, In<double>>;
constexpr std::size_t open_fields = 6;

class GrowthHandle {
public:
    GrowthHandle(TrainingArrays arrays, const std::vector<std::uint32_t>& n_values, int n_classes,
                 const GrowthOptions& options, const std::optional<StateIn>& state)
        : arrays_(std::move(arrays)) {
        Table table = arrays_.table(n_values, n_classes);
        if (!state) {
            nb::gil_scoped_release released;
            growth_ = Growth::start(std::move(table), options);
        } else {
            GrowthState restored = restored_state(*state, table, options);
            nb::gil_scoped_release released;
            growth_ = Growth::resume(std::move(table), options, std::move(restored));
        }
        if (growth_->owns_rows())
            arrays_.codes.clear();
    }

    bool advance(double milliseconds, std::uint64_t most_sampled_rows) {
        nb::gil_scoped_release released;
        return growth().advance(milliseconds, most_sampled_rows);
    }
    bool finished() const { return growth().finished(); }
    void hurry() { growth().hurry(); }
    std::size_t nbytes() const { return growth_ ? growth_->nbytes() : 0; }
    std::uint64_t sampled_rows() const { return growth().sampled_rows(); }
    TreeOut tree() const { return given_tree(growth().result()); }
    void close() { growth_.reset(); }

    StateOut state() const {
        GrowthState state = growth().state();
        std::vector<std::int64_t> open;
        std::vector<double> weights;
        for (const OpenNode& node : state.open) {
            const std::int64_t entries[open_fields] = {node.parent,     node.branch, node.depth,
                                                       node.only_class, node.begin,  node.end};
            open.insert(open.end(), entries, entries + open_fields);
            weights.push_back(node.weight);
        }
        return {given_tree(std::move(state.tree)), given(std::move(open)),
                given(std::move(weights)), given(std::move(state.rows)),
                given(std::move(state.row_weights))};
    }

private:
    Growth& growth() const {
        require(growth_ != nullptr, "this growth is closed");
        return *growth_;
    }

    static GrowthState restored_state(const StateIn& state, const Table& table,
                                      const GrowthOptions& options) {
        GrowthState restored;
        if (std::get<0>(std::get<0>(state)).size() > 0)
            (void)viewed(std::get<0>(state), true);
        restored.tree = copied(std::get<0>(state));
        const auto& open = std::get<1>(state);
        const auto& weights = std::get<2>(state);
        const auto& rows = std::get<3>(state);
        const auto& row_weights = std::get<4>(state);
        require(open.size() == weights.size() * open_fields, "the saved growth is damaged");
        for (std::size_t row = 0; row < rows.size(); ++row)
            require(rows.data()[row] < table.n_rows, "the saved growth has a row of another table");
        const bool whole = Growth::counts_are_whole(table, options.greedy.fractions);
        require(whole ? rows.size() <= table.n_rows : row_weights.size() == rows.size(),
                "the saved growth belongs to another table");
        const auto n_nodes = static_cast<std::int64_t>(restored.tree.size());
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const std::int64_t* entry = open.data() + i * open_fields;
            OpenNode node;
            node.parent = static_cast<std::int32_t>(entry[0]);
            node.branch = static_cast<std::int32_t>(entry[1]);
            node.depth = static_cast<std::int32_t>(entry[2]);
            node.only_class = static_cast<std::int32_t>(entry[3]);
            node.begin = entry[4];
            node.end = entry[5];
            node.weight = weights.data()[i];
            require(-1 <= entry[0] && entry[0] < n_nodes && 0 <= node.begin &&
                        node.begin <= node.end &&
                        node.end <= static_cast<std::int64_t>(rows.size()) &&
                        -2 <= node.only_class && node.only_class < table.n_classes,
                    "the saved growth is damaged");
            require(node.parent < 0 ||
                        (node.branch >= 0 && static_cast<std::size_t>(node.branch) <
                                                 restored.tree.branches(node.parent)),
                    "the saved growth is damaged");
            restored.open.push_back(node);
        }
        restored.rows.assign(rows.data(), rows.data() + rows.size());
        restored.row_weights.assign(row_weights.data(), row_weights.data() + row_weights.size());
        return restored;
    }

    TrainingArrays arrays_;
    std::unique_ptr<Growth> growth_;
};

} // namespace

NB_MODULE(_core, module) {
    module.doc() = "The native core of niwaki: growth, pruning and prediction on encoded tables.";
    nb::set_leak_warnings(false);

    module.def("rank_values", &bound_rank_values, "values"_a,
               "Distinct values in ascending order and the rank of each; NaN ranks last.");
    module.def("canonical_rows", &bound_canonical_rows, "codes"_a, "classes"_a, "weights"_a,
               "Order of the rows by content, and where each distinct (row, class) begins.");
    module.def("entropy_shift", &IntegerArithmetic::shift_for, "total"_a,
               "Scale, as a power of two, of the entropy terms of counts up to a total.");
    module.def("entropy_terms", &bound_entropy_terms, "counts"_a, "shift"_a,
               "n*log2(n) of every count, scaled and rounded to whole numbers.");
    module.def(
        "expected_errors",
        [](double weight, double errors, double confidence, double deviate, bool binomial) {
            return ExpectedErrors(confidence, deviate,
                                  binomial ? ErrorBound::binomial : ErrorBound::normal)(weight,
                                                                                        errors);
        },
        "weight"_a, "errors"_a, "confidence"_a, "deviate"_a, "binomial"_a,
        "Pessimistic number of errors of a leaf.");
    module.def("apply_rows", &bound_apply_rows, "tree"_a, "columns"_a, "hold_missing"_a,
               "The node where each row stops; with hold_missing, where it lacks the value.");
    module.def("preorder_links", &bound_preorder_links, "child_start"_a,
               "Children, parent, depth and end of subtree of every node in pre-order.");
    module.def("stops", &bound_stops, "tree"_a, "columns"_a,
               "Offsets per row, nodes and shares of where the parts of each row stop.");
    module.def("prune_errors", &bound_prune_errors, "tree"_a, "columns"_a, "classes"_a,
               "weights"_a.none(), "confidence"_a, "deviate"_a, "binomial"_a, "raise_subtrees"_a,
               "fractions"_a, "Error-based pruning with subtree raising.");

    bind_sampler(module);
    nb::class_<GrowthHandle>(module, "Growth", "A tree under construction that can be suspended.")
        .def(
            "__init__",
            [](GrowthHandle* self, std::vector<In<std::uint32_t>> codes,
               const std::vector<std::uint32_t>& n_values,
               std::vector<std::optional<In<double>>> distinct, In<std::int32_t> classes,
               int n_classes, std::optional<In<double>> weights, int measure, int rules,
               int nominal_splits, int threshold, bool fractions, bool mdl_correction,
               bool collapse, int max_depth, double min_leaf, int samples, int numeric_cuts,
               double drawn_fraction, int objective, double confidence, double deviate,
               bool binomial, std::uint64_t seed, bool remember_statistics, bool cut_off,
               bool known_sizes, bool bits, bool count_empty_leaves, bool drawn,
               std::uint64_t sample, int trials, bool sequential, double gain_fraction, double skew,
               bool leaf_without_votes, std::vector<std::int32_t> lookahead, bool commit_level,
               bool per_cost, int level_cost, bool level_scope, int max_cuts, int max_candidates,
               std::vector<double> prices, const std::optional<StateIn>& state) {
                GrowthOptions all;
                for (const std::int32_t levels : lookahead)
                    require(levels > 0, "a lookahead of no level");
                require(prices.empty() || prices.size() == codes.size(),
                        "one price per column is needed");
                require(max_cuts > 0 && max_candidates != 0, "no question is left to ask");
                all.horizon = {std::move(lookahead),
                               commit_level,
                               per_cost,
                               checked<LevelCost>(level_cost, 2, "unknown cost of a level"),
                               level_scope,
                               max_cuts,
                               max_candidates,
                               std::move(prices)};
                all.stochastic = {drawn, seed, sample};
                require(trials >= 0, "the number of trials is negative");
                all.skewing = {trials, sequential, gain_fraction, skew, leaf_without_votes, seed};
                SamplingOptions& sampling = all.sampling;
                require(samples >= 0, "the number of samples is negative");
                sampling = {samples,
                            checked<NumericCuts>(numeric_cuts, 3, "unknown numeric cuts"),
                            drawn_fraction,
                            checked<ObjectiveKind>(objective, 1, "unknown objective"),
                            confidence,
                            deviate,
                            binomial,
                            seed,
                            remember_statistics,
                            cut_off,
                            known_sizes,
                            bits,
                            count_empty_leaves};
                GreedyOptions& options = all.greedy;
                options.measure = checked<Measure>(measure, 3, "unknown measure");
                options.rules = checked<Rules>(rules, 1, "unknown rules");
                options.nominal_splits =
                    checked<NominalSplits>(nominal_splits, 3, "unknown nominal splits");
                options.threshold = checked<Threshold>(threshold, 2, "unknown threshold");
                options.fractions = fractions;
                options.mdl_correction = mdl_correction;
                options.collapse = collapse;
                options.max_depth = max_depth;
                options.min_leaf = min_leaf;
                new (self) GrowthHandle(
                    {std::move(codes), std::move(distinct), std::move(classes), std::move(weights)},
                    n_values, n_classes, all, state);
            },
            "codes"_a, "n_values"_a, "distinct"_a, "classes"_a, "n_classes"_a, "weights"_a.none(),
            nb::kw_only(), "measure"_a, "rules"_a, "nominal_splits"_a, "threshold"_a, "fractions"_a,
            "mdl_correction"_a, "collapse"_a, "max_depth"_a, "min_leaf"_a, "samples"_a = 0,
            "numeric_cuts"_a = 0, "drawn_fraction"_a = 1.0, "objective"_a = 0,
            "confidence"_a = 0.25, "deviate"_a = 0.0, "binomial"_a = false, "seed"_a = 0,
            "remember_statistics"_a = true, "cut_off"_a = true, "known_sizes"_a = true,
            "bits"_a = true, "count_empty_leaves"_a = true, "drawn"_a = false, "sample"_a = 0,
            "trials"_a = 0, "sequential"_a = false, "gain_fraction"_a = 0.05, "skew"_a = 0.75,
            "leaf_without_votes"_a = false, "lookahead"_a = std::vector<std::int32_t>(),
            "commit_level"_a = false, "per_cost"_a = true, "level_cost"_a = 0,
            "level_scope"_a = false, "max_cuts"_a = 8, "max_candidates"_a = -1,
            "prices"_a = std::vector<double>(), "state"_a = nb::none())
        .def("advance", &GrowthHandle::advance, "milliseconds"_a,
             "most_sampled_rows"_a = std::numeric_limits<std::uint64_t>::max(),
             "Grow for about this long; True when the tree is finished.")
        .def_prop_ro("finished", &GrowthHandle::finished)
        .def("hurry", &GrowthHandle::hurry, "Choose greedily from now on.")
        .def_prop_ro("nbytes", &GrowthHandle::nbytes)
        .def_prop_ro("sampled_rows", &GrowthHandle::sampled_rows)
        .def("tree", &GrowthHandle::tree, "The finished tree's arrays.")
        .def("state", &GrowthHandle::state, "Arrays from which another Growth goes on.")
        .def("close", &GrowthHandle::close, "Free everything now.");
}
