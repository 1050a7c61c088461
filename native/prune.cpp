// Error-based pruning: bottom-up, every subtree is kept, made a leaf, or replaced by its heaviest
// child. No recursion: trees may be as deep as they have rows.
#include "prune.hpp"

#include "counts.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace niwaki {
namespace {

constexpr double slack = 0.1; // of expected errors

struct Part {
    std::size_t row;
    double weight;
};
using Parts = std::vector<Part>;

struct Node {
    SplitKind kind = SplitKind::leaf;
    std::int32_t attribute = -1;
    double threshold = std::numeric_limits<double>::quiet_NaN();
    std::int32_t value = -1;
    std::int32_t missing_branch = -1;
    std::int32_t label = 0;
    std::vector<std::int32_t> subset;
    std::vector<std::size_t> children;
    std::vector<double> shares;
    std::vector<double> counts;

    void make_leaf() {
        kind = SplitKind::leaf;
        attribute = -1;
        threshold = std::numeric_limits<double>::quiet_NaN();
        value = -1;
        missing_branch = -1;
        subset.clear();
        children.clear();
        shares.clear();
    }
};

class Pruner {
public:
    Pruner(const TreeView& tree, const PruneRows& rows, const ExpectedErrors& expected,
           const PruneOptions& options)
        : rows_(rows), expected_(expected), options_(options),
          width_(static_cast<std::size_t>(tree.n_classes)), nodes_(tree.n_nodes) {
        for (std::size_t i = 0; i < tree.n_nodes; ++i) {
            Node& node = nodes_[i];
            node.kind = static_cast<SplitKind>(tree.kind[i]);
            node.attribute = tree.attribute[i];
            node.threshold = tree.threshold[i];
            node.value = tree.value[i];
            node.missing_branch = tree.missing_branch[i];
            node.label = tree.label[i];
            node.subset.assign(tree.subset_values + tree.subset_start[i],
                               tree.subset_values + tree.subset_start[i + 1]);
            for (auto edge = tree.child_start[i]; edge < tree.child_start[i + 1]; ++edge) {
                node.children.push_back(static_cast<std::size_t>(tree.children[edge]));
                node.shares.push_back(tree.share[edge]);
            }
            node.counts.assign(tree.counts + i * width_, tree.counts + (i + 1) * width_);
        }
    }

    TreeArrays run() {
        Parts all(rows_.n_rows);
        for (std::size_t row = 0; row < all.size(); ++row)
            all[row] = {row, rows_.weights ? rows_.weights[row] : 1.0};
        refill(0, all, 0);
        prune(std::move(all));
        return flattened();
    }

private:
    struct Frame {
        std::size_t node;
        Parts parts;
        std::vector<Parts> children;
        std::size_t next = 0;
        double below = 0.0; // expected errors of the children pruned so far
        bool divided = false;
    };

    std::vector<double> class_counts(const Parts& parts) const {
        std::vector<double> counts(width_, 0.0);
        for (const Part& part : parts)
            counts[static_cast<std::size_t>(rows_.classes[part.row])] += part.weight;
        return counts;
    }

    double leaf_errors(const std::vector<double>& counts) const {
        double weight = 0.0;
        double most = 0.0;
        for (const double count : counts) {
            weight += count;
            most = std::max(most, count);
        }
        return expected_(weight, weight - most);
    }

    // Sends rows down one question; parts of rows with a missing value follow the known rows.
    std::vector<Parts> divide(Node& node, const Parts& parts, bool update) const {
        const std::size_t branches = node.children.size();
        const Values& values = rows_.columns[static_cast<std::size_t>(node.attribute)];
        std::vector<std::int32_t> taken(parts.size(), no_branch);
        std::vector<double> cells(branches * width_, 0.0);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::size_t row = parts[i].row;
            if (values.missing(row))
                continue;
            taken[i] = branch_of(node.kind, node.threshold, node.value, node.subset.data(),
                                 node.subset.size(), values, row);
            if (taken[i] != no_branch)
                cells[static_cast<std::size_t>(taken[i]) * width_ +
                      static_cast<std::size_t>(rows_.classes[row])] += parts[i].weight;
        }
        const BranchShares known(cells, branches);
        const bool cut = node.kind == SplitKind::threshold;
        if (update && cut && !options_.fractions)
            node.missing_branch = known.weights[0] >= known.weights[1] ? 0 : 1;
        const std::int32_t whole_branch = cut                                ? node.missing_branch
                                          : node.kind == SplitKind::multiway ? no_branch
                                                                             : 1;
        std::vector<Parts> divided(branches);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const Part part = parts[i];
            if (values.missing(part.row) && options_.fractions) {
                for (std::size_t b = 0; b < branches; ++b)
                    if (known.shares[b] > 0)
                        divided[b].push_back({part.row, part.weight * known.shares[b]});
                continue;
            }
            const std::int32_t branch = values.missing(part.row) ? whole_branch : taken[i];
            if (branch != no_branch)
                divided[static_cast<std::size_t>(branch)].push_back(part);
        }
        if (update)
            node.shares = options_.fractions ? known.shares : shares_of_all(divided);
        return divided;
    }

    std::vector<double> shares_of_all(const std::vector<Parts>& divided) const {
        std::vector<double> cells;
        for (const Parts& parts : divided) {
            const std::vector<double> counts = class_counts(parts);
            cells.insert(cells.end(), counts.begin(), counts.end());
        }
        return BranchShares(cells, divided.size()).shares;
    }

    // Sets counts, labels and shares of a subtree from the rows that reach it.
    void refill(std::size_t root, const Parts& rows, std::int32_t parent_label) {
        struct Open {
            std::size_t node;
            Parts parts;
            std::int32_t parent_label;
        };
        std::vector<Open> open;
        open.push_back({root, rows, parent_label});
        while (!open.empty()) {
            Open here = std::move(open.back());
            open.pop_back();
            Node& node = nodes_[here.node];
            node.counts = class_counts(here.parts);
            node.label = here.parts.empty() ? here.parent_label : heaviest(node.counts);
            if (node.children.empty())
                continue;
            std::vector<Parts> divided = divide(node, here.parts, true);
            for (std::size_t b = divided.size(); b-- > 0;)
                open.push_back({node.children[b], std::move(divided[b]), node.label});
        }
    }

    // Expected errors of a subtree's leaves for rows sent down afresh.
    double errors_below(std::size_t root, const Parts& rows) {
        std::vector<std::pair<std::size_t, Parts>> open;
        open.emplace_back(root, rows);
        double sum = 0.0;
        while (!open.empty()) {
            const auto [at, parts] = std::move(open.back());
            open.pop_back();
            if (parts.empty())
                continue;
            Node& node = nodes_[at];
            if (node.children.empty()) {
                sum += leaf_errors(class_counts(parts));
                continue;
            }
            std::vector<Parts> divided = divide(node, parts, false);
            for (std::size_t b = divided.size(); b-- > 0;)
                open.emplace_back(node.children[b], std::move(divided[b]));
        }
        return sum;
    }

    void prune(Parts all) {
        std::vector<Frame> stack;
        stack.push_back({0, std::move(all), {}, 0, 0.0, false});
        while (!stack.empty()) {
            Frame& frame = stack.back();
            Node& node = nodes_[frame.node];
            if (frame.parts.empty())
                node.make_leaf(); // nothing is expected to go wrong in either form
            if (!node.children.empty()) {
                if (!frame.divided) {
                    frame.children = divide(node, frame.parts, false);
                    frame.divided = true;
                }
                if (frame.next < node.children.size()) {
                    const std::size_t branch = frame.next++;
                    Parts parts = std::move(frame.children[branch]);
                    const std::size_t child = node.children[branch];
                    stack.push_back({child, std::move(parts), {}, 0, 0.0, false});
                    continue;
                }
            }
            double errors = 0.0;
            if (!decide(frame, errors))
                continue;
            stack.pop_back();
            if (!stack.empty())
                stack.back().below += errors;
        }
    }

    // Decides on a node whose children are pruned; false if the node must be looked at again.
    bool decide(Frame& frame, double& errors) {
        Node& node = nodes_[frame.node];
        const double as_leaf = leaf_errors(class_counts(frame.parts));
        if (node.children.empty()) {
            errors = as_leaf;
            return true;
        }
        const double as_tree = frame.below;
        const std::size_t big = heaviest_child(node);
        const double as_branch = options_.raise_subtrees ? errors_below(big, frame.parts)
                                                         : std::numeric_limits<double>::infinity();
        if (as_leaf <= as_tree + slack && as_leaf <= as_branch + slack) {
            node.make_leaf();
            errors = as_leaf;
            return true;
        }
        if (as_branch <= as_tree + slack) {
            const std::int32_t label = node.label;
            Node raised = nodes_[big];
            node = std::move(raised);
            refill(frame.node, frame.parts, label);
            frame.children.clear();
            frame.next = 0;
            frame.below = 0.0;
            frame.divided = false;
            return false;
        }
        errors = as_tree;
        return true;
    }

    std::size_t heaviest_child(const Node& node) const {
        std::size_t big = node.children.front();
        double most = -1.0;
        for (const std::size_t child : node.children) {
            double weight = 0.0;
            for (const double count : nodes_[child].counts)
                weight += count;
            if (weight >= most) {
                most = weight;
                big = child;
            }
        }
        return big;
    }

    TreeArrays flattened() const {
        TreeArrays tree;
        tree.n_classes = static_cast<int>(width_);
        std::vector<std::pair<std::size_t, std::int64_t>> open{{0, -1}};
        while (!open.empty()) {
            const auto [at, edge] = open.back();
            open.pop_back();
            const Node& node = nodes_[at];
            const std::int32_t number = tree.add(node.counts, node.label);
            if (edge >= 0)
                tree.children[static_cast<std::size_t>(edge)] = number;
            if (node.children.empty())
                continue;
            const auto first = static_cast<std::int64_t>(tree.children.size());
            tree.set_split(node.kind, node.attribute, node.threshold, node.value,
                           node.missing_branch, node.shares);
            tree.subset_values.insert(tree.subset_values.end(), node.subset.begin(),
                                      node.subset.end());
            tree.subset_start.back() = static_cast<std::int64_t>(tree.subset_values.size());
            for (std::size_t b = node.children.size(); b-- > 0;)
                open.emplace_back(node.children[b], first + static_cast<std::int64_t>(b));
        }
        return tree;
    }

    const PruneRows& rows_;
    const ExpectedErrors& expected_;
    const PruneOptions& options_;
    std::size_t width_;
    std::vector<Node> nodes_;
};

} // namespace

TreeArrays prune_errors(const TreeView& tree, const PruneRows& rows, const ExpectedErrors& expected,
                        const PruneOptions& options) {
    return Pruner(tree, rows, expected, options).run();
}

} // namespace niwaki
