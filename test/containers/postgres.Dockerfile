FROM platen-test/base
RUN useradd --system --create-home --home-dir /var/lib/postgresql postgres
# As in the official image: a file system of the run may be mounted here.
RUN chmod 1777 /var/lib/postgresql
COPY postgresql /usr/lib/postgresql
COPY postgres-entrypoint.sh /usr/local/bin/
USER postgres
EXPOSE 5432
STOPSIGNAL SIGINT
ENTRYPOINT ["postgres-entrypoint.sh"]
