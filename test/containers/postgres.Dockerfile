FROM platen-test/base
RUN useradd --system --create-home --home-dir /var/lib/postgresql postgres
COPY postgresql /usr/lib/postgresql
COPY postgres-entrypoint.sh /usr/local/bin/
USER postgres
EXPOSE 5432
STOPSIGNAL SIGINT
ENTRYPOINT ["postgres-entrypoint.sh"]
