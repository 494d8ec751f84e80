"""The documents' claims, evaluated on measured records."""
