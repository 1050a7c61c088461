// Walks from the root to where a row, or each part of it, stops.
#include "predict.hpp"

namespace niwaki {
namespace {

std::int32_t branch_at(const TreeView& tree, std::size_t node, const Values& values,
                       std::size_t row) {
    const auto first = static_cast<std::size_t>(tree.subset_start[node]);
    const auto last = static_cast<std::size_t>(tree.subset_start[node + 1]);
    return branch_of(static_cast<SplitKind>(tree.kind[node]), tree.threshold[node],
                     tree.value[node], tree.subset_values + first, last - first, values, row);
}

// What a walk reads of a node, side by side in memory.
struct Step {
    double threshold;
    std::int32_t attribute;
    std::int32_t value;
    std::int32_t first_edge;
    std::int16_t missing_branch;
    SplitKind kind;
};

} // namespace

std::vector<std::int32_t> apply_rows(const TreeView& tree, const std::vector<Values>& columns,
                                     std::size_t n_rows, bool hold_missing) {
    std::vector<Step> steps(tree.n_nodes);
    for (std::size_t node = 0; node < tree.n_nodes; ++node)
        steps[node] = {tree.threshold[node],
                       tree.attribute[node],
                       tree.value[node],
                       static_cast<std::int32_t>(tree.child_start[node]),
                       static_cast<std::int16_t>(tree.missing_branch[node]),
                       static_cast<SplitKind>(tree.kind[node])};
    std::vector<std::int32_t> result(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) {
        std::int32_t node = 0;
        while (true) {
            const Step& step = steps[static_cast<std::size_t>(node)];
            if (step.kind == SplitKind::leaf)
                break;
            const Values& values = columns[static_cast<std::size_t>(step.attribute)];
            std::int32_t branch;
            if (step.kind == SplitKind::threshold) {
                const double number = values.number(row);
                branch = number <= step.threshold ? 0
                         : std::isnan(number)     ? step.missing_branch
                                                  : 1;
            } else if (step.kind == SplitKind::value) {
                const std::int32_t code = values.code(row);
                branch = code == step.value                     ? 0
                         : hold_missing && code == missing_code ? no_branch
                                                                : 1;
            } else if (hold_missing && values.code(row) == missing_code) {
                break;
            } else {
                branch = branch_at(tree, static_cast<std::size_t>(node), values, row);
            }
            if (branch < 0)
                break;
            node = tree.children[step.first_edge + branch];
        }
        result[row] = node;
    }
    return result;
}

Stops stops(const TreeView& tree, const std::vector<Values>& columns, std::size_t n_rows) {
    struct Part {
        std::int32_t node;
        double share;
    };
    Stops result;
    std::vector<Part> open;
    for (std::size_t row = 0; row < n_rows; ++row) {
        open.assign(1, {0, 1.0});
        while (!open.empty()) {
            const Part part = open.back();
            open.pop_back();
            const auto node = static_cast<std::size_t>(part.node);
            const auto first = static_cast<std::size_t>(tree.child_start[node]);
            const auto last = static_cast<std::size_t>(tree.child_start[node + 1]);
            std::int32_t branch = no_branch;
            if (first < last) {
                const Values& values = columns[static_cast<std::size_t>(tree.attribute[node])];
                if (values.missing(row)) {
                    for (std::size_t edge = last; edge-- > first;)
                        if (tree.share[edge] > 0)
                            open.push_back({tree.children[edge], part.share * tree.share[edge]});
                    continue;
                }
                branch = branch_at(tree, node, values, row);
            }
            if (branch == no_branch) {
                result.nodes.push_back(part.node);
                result.shares.push_back(part.share);
            } else {
                open.push_back(
                    {tree.children[first + static_cast<std::size_t>(branch)], part.share});
            }
        }
        result.start.push_back(static_cast<std::int64_t>(result.nodes.size()));
    }
    return result;
}

} // namespace niwaki
