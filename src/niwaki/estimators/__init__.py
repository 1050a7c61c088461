"""The scikit-learn face: one classifier per published system."""

from niwaki.estimators.greedy import C45Classifier, ID3Classifier

__all__ = ["C45Classifier", "ID3Classifier"]
