FROM python:3.11-slim

RUN useradd --create-home --uid 1000 rox && mkdir /data && chown rox /data
WORKDIR /app
COPY pyproject.toml README.md LICENSE ./
COPY game game
COPY bot bot
COPY migrations migrations
RUN pip install --no-cache-dir .

USER rox
WORKDIR /data
VOLUME /data
ENV ROX_DATABASE_URL=sqlite+aiosqlite:////data/rox.sqlite3
STOPSIGNAL SIGTERM
ENTRYPOINT ["rox"]
CMD ["run"]
