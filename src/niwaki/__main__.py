"""Entry point of `python -m niwaki`."""

import sys

from niwaki.cli import main

sys.exit(main())
