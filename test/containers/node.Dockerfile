FROM platen-test/base
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
# The machine's own authorities, for a registry behind one of them.
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
