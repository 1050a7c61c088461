"""Artificial concepts to draw samples from, and the data sets of the papers."""

from niwaki.datasets.concept import Concept
from niwaki.datasets.corral import make_corral
from niwaki.datasets.enumerated import make_balance_scale, make_tic_tac_toe
from niwaki.datasets.loaders import Dataset, load
from niwaki.datasets.manifest import available
from niwaki.datasets.monks import make_monks
from niwaki.datasets.parity import (
    make_categorical_parity,
    make_dear_parity,
    make_numeric_parity,
    make_parity,
    make_split_bias,
)
from niwaki.datasets.selectors import (
    make_multi_and_or,
    make_multiplex_xor,
    make_multiplexer,
    make_selected_parity,
    make_switched_parity,
)

__all__ = [
    "Concept",
    "Dataset",
    "available",
    "load",
    "make_balance_scale",
    "make_categorical_parity",
    "make_corral",
    "make_dear_parity",
    "make_monks",
    "make_multi_and_or",
    "make_multiplex_xor",
    "make_multiplexer",
    "make_numeric_parity",
    "make_parity",
    "make_selected_parity",
    "make_split_bias",
    "make_switched_parity",
    "make_tic_tac_toe",
]
