"""The same algorithms in plain Python, written to be read and to check the native core."""

from niwaki.reference.expected import expected_errors
from niwaki.reference.greedy import grow_greedy
from niwaki.reference.horizon import grow_horizon
from niwaki.reference.nodes import Node, Question, root_of, tree_of
from niwaki.reference.prediction import apply_row, predict_row, stops_of_row
from niwaki.reference.pruning import prune_errors
from niwaki.reference.sampling import grow_sampling
from niwaki.reference.skewing import grow_skewing
from niwaki.reference.stochastic import sample_tree

__all__ = [
    "Node",
    "Question",
    "apply_row",
    "expected_errors",
    "grow_greedy",
    "grow_horizon",
    "grow_sampling",
    "grow_skewing",
    "predict_row",
    "prune_errors",
    "root_of",
    "sample_tree",
    "stops_of_row",
    "tree_of",
]
