"""niwaki: one readable decision tree, improved for as long as it is given time."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from niwaki import datasets as datasets
    from niwaki.budget import Budget as Budget
    from niwaki.budget import StopReason as StopReason
    from niwaki.choosers import Greedy as Greedy
    from niwaki.choosers import Horizon as Horizon
    from niwaki.choosers import Sampling as Sampling
    from niwaki.choosers import Skewing as Skewing
    from niwaki.choosers import Stochastic as Stochastic
    from niwaki.costs import Costs as Costs
    from niwaki.estimators import C45Classifier as C45Classifier
    from niwaki.estimators import GOTAClassifier as GOTAClassifier
    from niwaki.estimators import ID3Classifier as ID3Classifier
    from niwaki.estimators import IDXClassifier as IDXClassifier
    from niwaki.estimators import LSID3Classifier as LSID3Classifier
    from niwaki.estimators import SkewingClassifier as SkewingClassifier
    from niwaki.growth import grow as grow
    from niwaki.improve import Improve as Improve
    from niwaki.prune import cost_complexity_path as cost_complexity_path
    from niwaki.prune import prune_complexity as prune_complexity
    from niwaki.prune import prune_errors as prune_errors
    from niwaki.prune import prune_to_leaves as prune_to_leaves
    from niwaki.search import Search as Search
    from niwaki.splits import Split as Split
    from niwaki.splits import SplitKind as SplitKind
    from niwaki.table import Attribute as Attribute
    from niwaki.table import Schema as Schema
    from niwaki.table import Table as Table
    from niwaki.tree import Tree as Tree
    from niwaki.tree.files import read_tree

    load = read_tree

try:
    import_module("niwaki._core")
except ImportError as error:
    raise ImportError(
        "niwaki's compiled core is missing or cannot be loaded; "
        "build it with `pip install .` from the source folder"
    ) from error

__version__ = _version("niwaki")

_ROOMS = {
    "Attribute": "table",
    "Budget": "budget",
    "C45Classifier": "estimators",
    "Costs": "costs",
    "GOTAClassifier": "estimators",
    "Greedy": "choosers",
    "Horizon": "choosers",
    "ID3Classifier": "estimators",
    "IDXClassifier": "estimators",
    "Improve": "improve",
    "LSID3Classifier": "estimators",
    "Sampling": "choosers",
    "Schema": "table",
    "Search": "search",
    "Skewing": "choosers",
    "SkewingClassifier": "estimators",
    "Split": "splits",
    "SplitKind": "splits",
    "Stochastic": "choosers",
    "StopReason": "budget",
    "Table": "table",
    "Tree": "tree",
    "cost_complexity_path": "prune",
    "datasets": "datasets",
    "grow": "growth",
    "load": "tree.files:read_tree",
    "prune_complexity": "prune",
    "prune_errors": "prune",
    "prune_to_leaves": "prune",
}

__all__ = [*_ROOMS]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'niwaki' has no attribute {name!r}")
    room, _, member = _ROOMS[name].partition(":")
    module = import_module(f"niwaki.{room}")
    value = module if room == name and name == "datasets" else getattr(module, member or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_ROOMS])
