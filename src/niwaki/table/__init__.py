"""Tables: encoded, immutable rows, and the schema that says what they mean."""

from niwaki.table.schema import MISSING, UNSEEN, Attribute, Label, Schema
from niwaki.table.table import MissingPolicy, Table, encode_rows

__all__ = [
    "MISSING",
    "UNSEEN",
    "Attribute",
    "Label",
    "MissingPolicy",
    "Schema",
    "Table",
    "encode_rows",
]
