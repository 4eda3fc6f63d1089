# One image for everything: by default the web server with a worker, with another command one more worker.
# How to run it, and how far it was tried: docs/deploying.md. Why it is built this way: ADR 021.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No package runs anything while it is installed; what the client of the database needs, the build makes.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && rm -rf .next/cache

FROM node:24.21.0-bookworm-slim AS production
WORKDIR /app
COPY package.json package-lock.json ./
# Without what only the build uses: its compilers, and icons that are in the bundles by now.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@next/swc-* node_modules/@tabler node_modules/typescript \
    node_modules/@playwright node_modules/playwright node_modules/playwright-core

FROM node:24.21.0-bookworm-slim AS runtime
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
RUN install -d -o node -g node -m 0700 /data
COPY --from=production /app/node_modules ./node_modules
COPY --from=build /app/.next ./.next
COPY --from=build /app/prisma ./prisma
# The launcher compares the build with these, and the other processes run from them.
COPY package.json package-lock.json tsconfig.json next.config.mjs prisma.config.ts proxy.ts ./
COPY app ./app
COPY components ./components
COPY docs ./docs
COPY server ./server

# Everything above belongs to root: the product writes to its data directory and the system's temporary one only.
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "tsx", "server/launcher/start.ts"]
