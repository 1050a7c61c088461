"""The same algorithms in plain Python, written to be read and to check the native core."""

from niwaki.reference.expected import expected_errors
from niwaki.reference.greedy import grow_greedy
from niwaki.reference.nodes import Node, Question, root_of, tree_of
from niwaki.reference.prediction import apply_row, predict_row, stops_of_row
from niwaki.reference.pruning import prune_errors

__all__ = [
    "Node",
    "Question",
    "apply_row",
    "expected_errors",
    "grow_greedy",
    "predict_row",
    "prune_errors",
    "root_of",
    "stops_of_row",
    "tree_of",
]
