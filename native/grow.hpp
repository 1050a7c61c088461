// Top-down induction of one tree, suspended and resumed between slices of time.
#pragma once

#include "measures.hpp"
#include "table.hpp"
#include "tree.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace niwaki {

enum class Rules : std::uint8_t { id3 = 0, c45 = 1 };
enum class NominalSplits : std::uint8_t { multiway = 0, value = 1, automatic = 2, subset = 3 };
enum class Threshold : std::uint8_t { midpoint = 0, value = 1, training = 2 };

struct GreedyOptions {
    Measure measure = Measure::gain;
    Rules rules = Rules::id3;
    NominalSplits nominal_splits = NominalSplits::multiway;
    Threshold threshold = Threshold::midpoint;
    bool fractions = false; // rows with missing values go down all branches in parts
    bool mdl_correction = true;
    bool collapse = true;
    int max_depth = -1; // -1: no limit
    double min_leaf = 0.0;
};

enum class NumericCuts : std::uint8_t { best = 0, all = 1, drawn_rows = 2, drawn = 3 };
enum class ObjectiveKind : std::uint8_t { size = 0, error = 1 };

// Lookahead by sample trees under every candidate; no samples: greedy growth.
struct SamplingOptions {
    int samples = 0;
    NumericCuts numeric_cuts = NumericCuts::drawn;
    double drawn_fraction = 1.0; // of the rows, for `drawn_rows`
    ObjectiveKind objective = ObjectiveKind::size;
    double confidence = 0.25;
    double deviate = 0.0;
    bool binomial = false;
    std::uint64_t seed = 0;
    bool remember_statistics = true;
    bool cut_off = true;
    bool known_sizes = true;
    bool bits = true;
    bool count_empty_leaves = true; // in the size of samples
};

// Votes under random weights; no trials: greedy growth.
struct SkewingOptions {
    int trials = 0;
    bool sequential = false;
    double gain_fraction = 0.05;
    double skew = 0.75;
    bool leaf_without_votes = false;
    std::uint64_t seed = 0;
};

enum class LevelCost : std::uint8_t { expected = 0, nodes = 1, distinct_tests = 2 };

// Exhaustive lookahead; no lookahead: greedy growth.
struct HorizonOptions {
    std::vector<std::int32_t> lookahead; // levels, by depth; or the depths where levels end
    bool commit_level = false;           // ask the questions of whole levels, not only the first
    bool per_cost = true;
    LevelCost level_cost = LevelCost::expected;
    bool level_scope = false; // all open nodes are planned for together
    int max_cuts = 8;
    int max_candidates = -1;    // -1: no limit
    std::vector<double> prices; // of the attributes; empty: every question costs 1
};

// One sample tree itself.
struct StochasticOptions {
    bool drawn = false;
    std::uint64_t seed = 0;
    std::uint64_t sample = 0;
};

struct GrowthOptions {
    GreedyOptions greedy;
    StochasticOptions stochastic;
    SamplingOptions sampling;
    SkewingOptions skewing;
    HorizonOptions horizon;
};

// A node that waits to be grown. Its number is given when its turn comes, so numbers are in
// pre-order.
struct OpenNode {
    std::int32_t parent = -1;
    std::int32_t branch = 0;
    std::int32_t depth = 0;
    std::int32_t only_class = -2; // see Branch
    double weight = 0.0;          // only of nodes without rows or with one class
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

// Everything that outlives a suspended growth.
struct GrowthState {
    TreeArrays tree;
    std::vector<OpenNode> open;
    std::vector<std::uint32_t> rows;
    std::vector<double> row_weights; // empty for whole rows
};

class Growth {
public:
    // Whether counts are whole numbers, so that sums are exact and may be subtracted.
    static bool counts_are_whole(const Table& table, bool fractions);

    static std::unique_ptr<Growth> start(Table table, const GrowthOptions& options);
    static std::unique_ptr<Growth> resume(Table table, const GrowthOptions& options,
                                          GrowthState state);
    virtual ~Growth() = default;

    // Grows for about this many milliseconds; true when the tree is finished.
    // It also stops when so many rows have been sampled over in all.
    virtual bool advance(double milliseconds, std::uint64_t most_sampled_rows) = 0;
    virtual bool finished() const = 0;
    // From now on every question is chosen greedily.
    virtual void hurry() = 0;
    virtual GrowthState state() const = 0;
    virtual TreeArrays result() const = 0;
    virtual std::size_t nbytes() const = 0;
    // Rows that sample trees were asked to be drawn over, each tree counting its own.
    virtual std::uint64_t sampled_rows() const { return 0; }
    // Whether the table's codes were copied and are not read again.
    virtual bool owns_rows() const = 0;
};

} // namespace niwaki
