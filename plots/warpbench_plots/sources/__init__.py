"""The sources that a record was measured with, and the sources as they are."""
