"""What the server counts, for Prometheus (`/metrics`); no name, token or text of anybody is in it."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

REGISTRY = CollectorRegistry()
COMMANDS = Counter("rostra_commands", "Commands carried out", ["command"], registry=REGISTRY)
REFUSALS = Counter("rostra_refusals", "Messages refused", ["code"], registry=REGISTRY)
ENTRIES = Counter("rostra_entries", "Entries stored", registry=REGISTRY)
STORE_SECONDS = Histogram(
    "rostra_store_seconds", "Time until an entry was on disk", registry=REGISTRY,
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2),
)  # fmt: skip
REQUESTS = Counter("rostra_requests", "HTTP requests", ["method", "status"], registry=REGISTRY)
CONNECTIONS = Gauge("rostra_connections", "Open WebSockets", registry=REGISTRY)
MATCHES_LOADED = Gauge("rostra_matches_loaded", "Matches in memory", registry=REGISTRY)
MATCHES = Gauge("rostra_matches", "Matches in the database", ["status"], registry=REGISTRY)


def text() -> bytes:
    """All of it, as Prometheus reads it."""
    return generate_latest(REGISTRY)
