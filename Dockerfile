# One image for every role; ROLES picks what a container runs. `ops` commands are in it as well.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The stand-ins' folders are not here: without them nothing asks for their packages, and the pruning takes them away.
COPY packages/router/package.json packages/router/
COPY packages/solana/package.json packages/solana/
COPY packages/tape/package.json packages/tape/
COPY packages/venues/package.json packages/venues/
COPY scripts/setup.mjs scripts/
COPY prisma prisma
COPY prisma.config.ts ./
# Every dependency is installed to generate the database client; install scripts stay off.
RUN npm ci --ignore-scripts --no-audit --no-fund \
 && PRISMA_SCHEMA_ENGINE_BINARY="$(command -v node)" node node_modules/prisma/build/index.js generate \
 && npm prune --omit=dev --ignore-scripts --no-audit --no-fund
COPY packages/router/src packages/router/src
COPY packages/solana/src packages/solana/src
COPY packages/tape/src packages/tape/src
COPY packages/venues/src packages/venues/src
COPY src src
COPY scripts/bundle.mjs scripts/build.mjs scripts/
RUN node scripts/build.mjs

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
# The stand-ins' packages are devDependencies: this image cannot start a fake chain or a fake Telegram.
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/src/platform/db/generated src/platform/db/generated
COPY package.json tsconfig.json LICENSE ./
COPY prisma/migrations prisma/migrations
COPY scripts/register.mjs scripts/hold-back.mjs scripts/ops.ts scripts/
COPY scripts/ops scripts/ops
COPY packages/router/package.json packages/router/
COPY packages/solana/package.json packages/solana/
COPY packages/tape/package.json packages/tape/
COPY packages/venues/package.json packages/venues/
COPY packages/router/src packages/router/src
COPY packages/solana/src packages/solana/src
COPY packages/tape/src packages/tape/src
COPY packages/venues/src packages/venues/src
COPY src src
# The roles run the bundle; the operator's tools, and the files that the bundle reads, are the sources beside it.
COPY --from=build /app/dist dist
# A volume over one takes this owner: the signer makes the socket of a role there, and the role opens it by its group.
RUN mkdir -m 0755 /run/tradepost && cd /run/tradepost && mkdir -m 0750 bot worker api indexer && chown node:node bot worker api indexer
# What the signer writes down before a signature leaves: a volume takes these rights over.
RUN mkdir -p -m 0700 /var/lib/tradepost/journal && chown -R node:node /var/lib/tradepost
USER node
CMD ["node", "--enable-source-maps", "--import", "./scripts/hold-back.mjs", "dist/main.js"]
