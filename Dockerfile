# The service (docs/how-to/serve.md). The image is built from the wheel and runs as a user without rights.

FROM python:3.13-slim AS build
WORKDIR /src
COPY . .
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin usim
COPY constraints.txt /wheels/constraints.txt
COPY --from=build /wheels /wheels
RUN for wheel in /wheels/*.whl; do python -m pip install --no-cache-dir -c /wheels/constraints.txt "$wheel[serve,harper]" || exit 1; done
ENV OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
USER 10001
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://localhost:8080/health', timeout=4)"]
ENTRYPOINT ["usim", "serve"]
CMD ["--host", "0.0.0.0", "--port", "8080", "--api-key-file", "/run/secrets/keys", "--harper"]
