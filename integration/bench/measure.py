"""Rounds in turn, so that a busy moment of the machine hits all; medians of wall and of processor time."""
import statistics
import subprocess


class Meter:
    """Runs commands through meter.c."""

    def __init__(self, path):
        self.path = path

    def __call__(self, words, accept=("0",)):
        done = subprocess.run([self.path, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        fields = done.stdout.split()[-5:]
        if done.returncode != 0 or len(fields) != 5 or fields[4] not in accept:
            raise RuntimeError(f"{' '.join(words[:6])}: {done.stdout}{done.stderr}")
        wall, processor, resident, faults = (int(field) for field in fields[:4])
        return {"wall": wall / 1000, "processor": processor / 1000, "resident": resident, "faults": faults}


def summary(samples):
    """Medians of the values, and the best wall time: what is left when nothing disturbs."""
    if not samples:
        return None
    values = {key: round(statistics.median(s[key] for s in samples), 3) for key in samples[0]}
    values["wall_best"] = round(min(s["wall"] for s in samples), 3)
    values["rounds"] = len(samples)
    return values


def interleaved(meter, contenders, words_of, rounds, before=None):
    """{name: summary} of words_of(contender), each round all of them in turn; one round warms up."""
    samples = {c.name: [] for c in contenders}
    for number in range(rounds + 1):
        for contender in contenders:
            if before is not None:
                before()
            sample = meter(words_of(contender))
            if number > 0:
                samples[contender.name].append(sample)
    return {name: summary(found) for name, found in samples.items()}


def ratio(figures, ours, theirs, key="processor"):
    """ours / theirs, or None when one of them was not measured."""
    if not figures.get(ours) or not figures.get(theirs) or not figures[theirs].get(key):
        return None
    return round(figures[ours][key] / figures[theirs][key], 3)
