"""The scikit-learn face: one classifier per published system."""

from niwaki.estimators.greedy import C45Classifier, ID3Classifier
from niwaki.estimators.horizon import GOTAClassifier, IDXClassifier
from niwaki.estimators.lookahead import LSID3Classifier
from niwaki.estimators.skewing import SkewingClassifier

__all__ = [
    "C45Classifier",
    "GOTAClassifier",
    "ID3Classifier",
    "IDXClassifier",
    "LSID3Classifier",
    "SkewingClassifier",
]
