"""The best or worst of several candidates: its interval and its doubt are those of all that may be it."""

from warpbench_plots.claims.measured import Measured, Timed, largest, smallest
from warpbench_plots.claims.spread import Known

SOUND = Timed(6, 0.97, Known(1.02, "executions of the trial"), varies=True)
FEW = Timed(5, 0.94, Known(1.02, "executions of the trial"), varies=True)


def made(value: float, low: float, high: float, time: Timed = SOUND) -> Measured:
    return Measured(value, low, high, (), times=(time,))


def test_the_interval_is_that_of_the_extreme_whichever_candidate_it_is() -> None:
    candidates = [made(1.0, 0.9, 1.3), made(1.1, 0.7, 1.2), made(1.2, 1.15, 1.25)]
    best, worst = smallest(candidates), largest(candidates)
    assert (best.value, best.low, best.high) == (1.0, 0.7, 1.2)
    assert (worst.value, worst.low, worst.high) == (1.2, 1.15, 1.3)


def test_a_candidate_with_few_samples_that_may_be_ahead_leaves_doubt() -> None:
    sound, near, far = made(1.0, 0.9, 1.1), made(1.05, 1.0, 1.2, FEW), made(3.0, 2.9, 3.1, FEW)
    assert "5 samples a point" in str(smallest([sound, near, far]).doubt)
    assert smallest([sound, far]).doubt is None
    assert largest([sound, near]).doubt and largest([sound, made(0.1, 0.1, 0.2, FEW)]).doubt is None


def test_the_widest_spread_is_that_of_any_candidate_that_may_be_ahead() -> None:
    unsteady = Timed(6, 0.97, Known(1.5, "executions of the trial"), varies=True)
    assert smallest([made(1.0, 0.9, 1.1), made(1.05, 0.8, 1.4, unsteady)]).widest == unsteady.spread
