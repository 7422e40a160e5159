# Two stages: the first builds with the development tools, the second holds what runs, as an unprivileged user.
#
#   docker build -t zonewright .
#   docker run -p 53:5300/udp -p 53:5300/tcp -p 127.0.0.1:8080:8080 -v zonewright:/var/lib/zonewright zonewright

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY bin ./bin
COPY build ./build
COPY console ./console
# SQLite is built into this Node: the optional package for Node 20 is not needed (decision 0004).
RUN npm run build && npm prune --omit=dev --no-audit --no-fund && rm -r node_modules/@photostructure

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    ZONEWRIGHT_DATA=/var/lib/zonewright \
    ZONEWRIGHT_HTTP=0.0.0.0:8080 \
    ZONEWRIGHT_DNS=0.0.0.0:5300
WORKDIR /opt/zonewright
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY --from=build /build/bin ./bin
RUN install -d -o node -g node -m 0700 /var/lib/zonewright \
 && ln -s /opt/zonewright/bin/zonewright.js /usr/local/bin/zonewright
USER node
WORKDIR /var/lib/zonewright
VOLUME /var/lib/zonewright
EXPOSE 8080/tcp 5300/udp 5300/tcp
# A process that is still waiting for its database is not ready, but alive: an orchestrator asks /readyz itself.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["zonewright"]
CMD ["serve"]
