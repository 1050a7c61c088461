// A tree under construction: arrays in pre-order, in the order that Python's Nodes has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace niwaki {

enum class SplitKind : std::uint8_t {
    leaf = 0,
    multiway = 1,
    value = 2,
    threshold = 3,
    subset = 4
};

struct TreeArrays {
    int n_classes = 0;
    std::vector<std::uint8_t> kind;
    std::vector<std::int32_t> attribute;
    std::vector<double> threshold;
    std::vector<std::int32_t> value;
    std::vector<std::int64_t> subset_start{0};
    std::vector<std::int32_t> subset_values;
    std::vector<std::int64_t> child_start{0};
    std::vector<std::int32_t> children;
    std::vector<double> share;
    std::vector<std::int32_t> missing_branch;
    std::vector<std::int32_t> label;
    std::vector<double> counts;

    std::size_t size() const { return kind.size(); }

    // Appends a leaf; `set_split` may follow before the next node is appended.
    std::int32_t add(std::span<const double> class_counts, std::int32_t node_label) {
        kind.push_back(static_cast<std::uint8_t>(SplitKind::leaf));
        attribute.push_back(-1);
        threshold.push_back(std::numeric_limits<double>::quiet_NaN());
        value.push_back(-1);
        subset_start.push_back(static_cast<std::int64_t>(subset_values.size()));
        child_start.push_back(static_cast<std::int64_t>(children.size()));
        missing_branch.push_back(-1);
        label.push_back(node_label);
        counts.insert(counts.end(), class_counts.begin(), class_counts.end());
        return static_cast<std::int32_t>(size() - 1);
    }

    // Turns the last node into a test whose children are still to be appended.
    void set_split(SplitKind split, std::int32_t asked, double cut, std::int32_t code,
                   std::int32_t missing, std::span<const double> shares) {
        kind.back() = static_cast<std::uint8_t>(split);
        attribute.back() = asked;
        threshold.back() = cut;
        value.back() = code;
        missing_branch.back() = missing;
        children.insert(children.end(), shares.size(), -1);
        share.insert(share.end(), shares.begin(), shares.end());
        child_start.back() = static_cast<std::int64_t>(children.size());
    }

    // The set of a test `in S` that was appended last, one bit per code.
    void set_subset(std::uint64_t members) {
        for (std::int32_t code = 0; code < 64; ++code)
            if (members >> code & 1)
                subset_values.push_back(code);
        subset_start.back() = static_cast<std::int64_t>(subset_values.size());
    }

    std::span<const double> counts_of(std::int32_t node) const {
        const auto width = static_cast<std::size_t>(n_classes);
        return {counts.data() + static_cast<std::size_t>(node) * width, width};
    }
    std::size_t branches(std::int32_t node) const {
        const auto place = static_cast<std::size_t>(node);
        return static_cast<std::size_t>(child_start[place + 1] - child_start[place]);
    }
    std::int32_t child(std::int32_t node, std::size_t branch) const {
        return children[static_cast<std::size_t>(child_start[static_cast<std::size_t>(node)]) +
                        branch];
    }
};

// A tree of Python's, borrowed.
struct TreeView {
    std::size_t n_nodes = 0;
    int n_classes = 0;
    const std::uint8_t* kind = nullptr;
    const std::int32_t* attribute = nullptr;
    const double* threshold = nullptr;
    const std::int32_t* value = nullptr;
    const std::int64_t* subset_start = nullptr;
    const std::int32_t* subset_values = nullptr;
    const std::int64_t* child_start = nullptr;
    const std::int32_t* children = nullptr;
    const double* share = nullptr;
    const std::int32_t* missing_branch = nullptr;
    const std::int32_t* label = nullptr;
    const double* counts = nullptr;
};

// What follows from the numbers of branches alone when nodes are in pre-order.
struct PreorderLinks {
    std::vector<std::int32_t> children, parent, depth, end;
};

// Nothing if the offsets do not describe one tree.
inline std::optional<PreorderLinks> preorder_links(const std::int64_t* child_start,
                                                   std::size_t n_nodes) {
    PreorderLinks links;
    links.parent.assign(n_nodes, -1);
    links.depth.assign(n_nodes, 0);
    links.end.assign(n_nodes, 0);
    if (n_nodes == 0 || child_start[0] != 0 ||
        child_start[n_nodes] != static_cast<std::int64_t>(n_nodes) - 1)
        return std::nullopt;
    links.children.assign(n_nodes - 1, -1);
    struct Open {
        std::int32_t node;
        std::int64_t edge;
    };
    std::vector<Open> open; // ancestors that still expect children, and where the next one goes
    for (std::size_t node = 0; node < n_nodes; ++node) {
        const auto number = static_cast<std::int32_t>(node);
        if (node > 0) {
            if (open.empty())
                return std::nullopt;
            Open& above = open.back();
            links.parent[node] = above.node;
            links.depth[node] = links.depth[static_cast<std::size_t>(above.node)] + 1;
            links.children[static_cast<std::size_t>(above.edge++)] = number;
        }
        if (child_start[node + 1] < child_start[node] ||
            child_start[node + 1] > static_cast<std::int64_t>(n_nodes) - 1)
            return std::nullopt;
        if (child_start[node + 1] > child_start[node]) {
            open.push_back({number, child_start[node]});
            continue;
        }
        links.end[node] = number + 1;
        while (!open.empty() &&
               open.back().edge == child_start[static_cast<std::size_t>(open.back().node) + 1]) {
            links.end[static_cast<std::size_t>(open.back().node)] = number + 1;
            open.pop_back();
        }
    }
    if (!open.empty())
        return std::nullopt;
    return links;
}

inline std::int32_t heaviest(std::span<const double> counts) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < counts.size(); ++k)
        if (counts[k] > counts[best])
            best = k;
    return static_cast<std::int32_t>(best);
}

// The tree with some nodes made leaves and everything below them left out.
inline TreeArrays collapsed(const TreeArrays& tree, const std::vector<bool>& make_leaf) {
    TreeArrays result;
    result.n_classes = tree.n_classes;
    struct Place {
        std::int32_t node;
        std::int64_t edge; // where the parent expects the new number, -1 at the root
    };
    std::vector<Place> stack{{0, -1}};
    while (!stack.empty()) {
        const Place place = stack.back();
        stack.pop_back();
        const auto node = static_cast<std::size_t>(place.node);
        const std::int32_t number = result.add(tree.counts_of(place.node), tree.label[node]);
        if (place.edge >= 0)
            result.children[static_cast<std::size_t>(place.edge)] = number;
        const std::size_t branches = tree.branches(place.node);
        if (branches == 0 || make_leaf[node])
            continue;
        const auto first = static_cast<std::size_t>(tree.child_start[node]);
        const auto edge = static_cast<std::int64_t>(result.children.size());
        result.set_split(static_cast<SplitKind>(tree.kind[node]), tree.attribute[node],
                         tree.threshold[node], tree.value[node], tree.missing_branch[node],
                         {tree.share.data() + first, branches});
        for (auto at = tree.subset_start[node]; at < tree.subset_start[node + 1]; ++at)
            result.subset_values.push_back(tree.subset_values[static_cast<std::size_t>(at)]);
        result.subset_start.back() = static_cast<std::int64_t>(result.subset_values.size());
        for (std::size_t branch = branches; branch-- > 0;)
            stack.push_back(
                {tree.child(place.node, branch), edge + static_cast<std::int64_t>(branch)});
    }
    return result;
}

} // namespace niwaki
