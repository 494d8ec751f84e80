"""Reading run directories: records, environments, specs."""
