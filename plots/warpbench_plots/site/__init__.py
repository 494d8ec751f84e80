"""Static pages of committed results: a page a document, a dataset, a solver and an experiment's records."""
