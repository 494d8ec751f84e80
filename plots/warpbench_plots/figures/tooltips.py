"""What a figure says of a point that the reader points at."""

from warpbench_plots.fields.field import plain
from warpbench_plots.figures.axes import seconds, words_for
from warpbench_plots.figures.points import FigureData, Point
from warpbench_plots.figures.published import PublishedValue
from warpbench_plots.results.records import Record, Scalar

_BOX = ("least", "first quartile", "median", "third quartile", "most")


class Tooltips:
    """The words for points of one figure: place, value, trial, and the parameters in which its trials differ."""

    def __init__(self, data: FigureData, label: str) -> None:
        """`label` names the value axis."""
        self._spec, self._label = data.spec, label
        values: dict[str, set[str]] = {}
        for point in data.points:
            records = [record for record in (point.record, point.below) if record is not None]
            for key, value in (item for record in records for item in record.solver.parameters.items()):
                values.setdefault(key, set()).add(repr(value))  # repr keeps true apart from 1
        self._differing = [key for key, seen in values.items() if len(seen) > 1]

    def __call__(self, point: Point) -> list[str]:
        lines = [point.facet, point.series, self._place(point.x), *self._value(point)]
        for record in (point.record, point.below):
            lines += self._trial(record) if record is not None else ()
        return list(dict.fromkeys(line for line in lines if line))

    def _place(self, x: Scalar) -> str:
        if x is None:
            return ""
        if not isinstance(x, int | float) or isinstance(x, bool):
            return plain(x)
        words = words_for(self._spec.x_label, x) if isinstance(x, float) else str(x)
        return f"{_short(self._spec.x_label)}: {words}"

    def _value(self, point: Point) -> list[str]:
        if point.y is None:
            return [point.failure]
        label = self._spec.right_label if point.on_right else self._label
        line = f"{_short(label)}: {words_for(label, point.y)}"
        if point.low is not None and point.high is not None:
            line += f" [{words_for(label, point.low)}, {words_for(label, point.high)}]"
        if self._spec.kind == "boxes":
            parts = [f"{name} {words_for(label, v)}" for name, (_, v) in zip(_BOX, point.parts, strict=True)]
        else:
            parts = [f"{name} {seconds(value)}" for name, value in point.parts]
        of_cut = " (full data)" if point.is_cut else ""
        printed = [f"published {words_for(label, p.value)}{self._at(p)}{of_cut}: {p.label}" for p in point.published]
        return [line, ", ".join(parts), *printed]

    def _at(self, published: PublishedValue) -> str:
        """`at recall 0.795` of a number that does not stand at its trial's place."""
        return "" if published.x is None else f" at {_short(self._spec.x_label)} {plain(published.x)}"

    def _trial(self, record: Record) -> list[str]:
        own = record.solver.parameters
        parameters = ", ".join(f"{key}={plain(own[key])}" for key in self._differing if key in own)
        return [
            f"{record.solver.shown} on {record.dataset.name}" + (f": {parameters}" if parameters else ""),
            f"trial {record.trial} ({record.place.path.name}:{record.place.line})",
            record.verification,
        ]


def _short(label: str) -> str:
    """The label without the unit of durations, which their words have."""
    return label.replace(" (s)", "")
