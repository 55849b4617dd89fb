# Rostra with its page and its compiled code. `docker build --tag rostra .`, and docs/operating.md.
# tests/fresh/image runs these lines in a Debian root and plays a match with what comes out.
ARG BASE=python:3.13-slim-trixie

FROM ${BASE} AS build
RUN pip install --no-cache-dir --disable-pip-version-check uv==0.13.7
WORKDIR /src
COPY . .
# The build brings its own Node, as a wheel.
RUN uv build --wheel --out-dir /wheel
# The lock has versions and hashes of everything that could be asked for.
RUN uv venv /opt/rostra \
 && uv pip install --python /opt/rostra/bin/python --no-cache --constraint requirements.lock \
      "rostra[server,postgres,notify] @ file://$(echo /wheel/rostra-*.whl)"
RUN /opt/rostra/bin/python -m compileall -q /opt/rostra/lib

FROM ${BASE}
LABEL org.opencontainers.image.title="Rostra" \
      org.opencontainers.image.description="Alea Iacta Est and Quo Vadis?: a place to play, with bots" \
      org.opencontainers.image.licenses="MIT"
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin rostra \
 && install --directory --owner=rostra --group=rostra --mode=0700 /data /var/cache/rostra
COPY --from=build /opt/rostra /opt/rostra
# `generic`: code that every processor of this architecture can run. Otherwise code compiled here would be
# compiled again wherever the processor differs. It costs learned bots 10 to 13 % of their speed.
ENV PATH=/opt/rostra/bin:/usr/local/bin:/usr/bin:/bin \
    NUMBA_CPU_NAME=generic \
    XDG_CACHE_HOME=/var/cache \
    ROSTRA_HOST=0.0.0.0 \
    ROSTRA_PORT=8765 \
    ROSTRA_DATABASE=sqlite:/data/rostra.db
USER rostra
RUN python -c "from rostra.bots import prepare; from rostra.games import all_games; [*map(prepare, all_games().values())]"
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --start-interval=1s \
  CMD ["python", "-c", "import http.client, os; link = http.client.HTTPConnection('127.0.0.1', int(os.environ['ROSTRA_PORT']), timeout=4); link.request('GET', '/healthz'); raise SystemExit(link.getresponse().status != 200)"]
CMD ["rostra", "serve"]
