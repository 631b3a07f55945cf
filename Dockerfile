# The two commands of the README, where Docker is:
#   docker build -t ordojo .
#   docker run --rm ordojo make demo
#   docker run --rm ordojo make test
FROM python:3.12-slim-bookworm

# Any make will do.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends make \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 ordojo

USER 1000
WORKDIR /home/ordojo
COPY --chown=1000 . .
RUN make .venv/demo.stamp && .venv/bin/ordojo models pull smollm2

CMD ["make", "demo"]
