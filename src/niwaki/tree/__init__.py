"""Trees: immutable arrays that predict, compare, print themselves and go to files."""

from niwaki.tree.nodes import Nodes, leaf_nodes, no_nodes
from niwaki.tree.tree import Smoothing, Tree, leaf_tree, node_impurity

__all__ = ["Nodes", "Smoothing", "Tree", "leaf_nodes", "leaf_tree", "no_nodes", "node_impurity"]
