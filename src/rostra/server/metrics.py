"""What the server counts, for Prometheus (`/metrics`), without any names, tokens or texts.

What happens at every move is counted in plain numbers, which become metrics when `/metrics` is read.
"""

from collections import Counter
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

commands: Counter[str] = Counter()
refusals: Counter[str] = Counter()
requests: Counter[tuple[str, str]] = Counter()
notifications: Counter[tuple[str, str]] = Counter()
"""By channel and what became of them."""


class _Counts(Collector):
    def collect(self) -> Iterable[Metric]:
        for name, means, label, counts in (
            ("rostra_commands", "Commands carried out", "command", commands),
            ("rostra_refusals", "Messages refused", "code", refusals),
        ):
            family = CounterMetricFamily(name, means, labels=[label])
            for value, number in sorted(counts.items()):
                family.add_metric([value], number)
            yield family
        for name, means, labels, pairs in (
            ("rostra_requests", "HTTP requests", ["method", "status"], requests),
            ("rostra_notifications", "Notifications", ["channel", "outcome"], notifications),
        ):
            family = CounterMetricFamily(name, means, labels=labels)
            for values, number in sorted(pairs.items()):
                family.add_metric(values, number)
            yield family


REGISTRY = CollectorRegistry()
REGISTRY.register(_Counts())
COMMIT_SECONDS = Histogram(
    "rostra_commit_seconds", "Time of a transaction with its sync, all entries that waited together", registry=REGISTRY,
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2),
)  # fmt: skip
COMMIT_ENTRIES = Histogram(
    "rostra_commit_entries", "Entries stored in a transaction", registry=REGISTRY, buckets=(1, 2, 5, 10, 50, 200)
)
CONNECTIONS = Gauge("rostra_connections", "Open WebSockets", registry=REGISTRY)
JOBS_WAITING = Gauge(
    "rostra_jobs_waiting", "Moves of bots, hints and reviews that wait for a worker", registry=REGISTRY
)
MATCHES_LOADED = Gauge("rostra_matches_loaded", "Matches in memory", registry=REGISTRY)


def value_of(gauge: Gauge) -> float:
    """What a gauge without labels shows now."""
    return next(sample.value for metric in gauge.collect() for sample in metric.samples)


def text() -> bytes:
    """All of it, as Prometheus reads it."""
    return generate_latest(REGISTRY)
