"""The scikit-learn face: one classifier per published system."""

from niwaki.estimators.greedy import C45Classifier, ID3Classifier
from niwaki.estimators.lookahead import LSID3Classifier
from niwaki.estimators.skewing import SkewingClassifier

__all__ = ["C45Classifier", "ID3Classifier", "LSID3Classifier", "SkewingClassifier"]
