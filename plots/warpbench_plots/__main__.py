"""`python -m warpbench_plots`."""

import sys

from warpbench_plots.cli import main

sys.exit(main())
