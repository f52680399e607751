FROM platen-test/base
COPY package/usr/sbin/nats-server /
EXPOSE 4222
ENTRYPOINT ["/nats-server"]
