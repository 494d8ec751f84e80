"""The figure grammar and how each kind of figure is drawn."""
