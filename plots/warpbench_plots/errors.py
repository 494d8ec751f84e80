"""The two ways in which a request can fail; each carries one sentence for the user."""


class PlotsError(Exception):
    """Base of everything the command line reports without a traceback."""

    exit_code = 2


class InputError(PlotsError):
    """The request or a file is bad: names the file, the line where it matters, and what was expected."""

    exit_code = 2


class Refused(PlotsError):
    """The inputs are readable but may not be put together (other machine, revision, terms): names the runs."""

    exit_code = 1
