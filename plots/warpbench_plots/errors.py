"""The two ways in which a request can fail; the message is one sentence for the user."""

import difflib
from collections.abc import Iterable


class PlotsError(Exception):
    """Base of everything the command line reports without a traceback."""

    exit_code = 2


class InputError(PlotsError):
    """The request or a file is bad: names the file, the line where it matters, and what was expected."""

    exit_code = 2


class Refused(PlotsError):
    """The inputs are readable but must not be combined (other machine, revision, terms): names the runs."""

    exit_code = 1


def nearest(word: object, known: Iterable[str], similarity: float = 0.6) -> str:
    """`; did you mean 'bars'?` where one of the known words is at least so similar, else nothing."""
    near = difflib.get_close_matches(str(word), sorted(known), n=1, cutoff=similarity)
    return f"; did you mean {near[0]!r}?" if near else ""
