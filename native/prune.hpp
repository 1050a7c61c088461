// Error-based pruning with subtree raising.
#pragma once

#include "objectives.hpp"
#include "predict.hpp"
#include "tree.hpp"

namespace niwaki {

struct PruneOptions {
    bool raise_subtrees = true;
    bool fractions = false;
};

struct PruneRows {
    std::vector<Values> columns;
    const std::int32_t* classes = nullptr;
    const double* weights = nullptr; // null: all 1
    std::size_t n_rows = 0;
};

TreeArrays prune_errors(const TreeView& tree, const PruneRows& rows, const ExpectedErrors& expected,
                        const PruneOptions& options);

} // namespace niwaki
