import type { FastifyInstance } from 'fastify';
import { createHmacSecrets } from '../../src/adapters/api-keys/hmac-secrets.ts';
import { rpcMeter } from '../../src/adapters/chain/rpc-meter.ts';
import { createMintKeys } from '../../src/adapters/vault/mint-keys.ts';
import { createHost } from '../../src/api/create-host.ts';
import { hasCode } from '../../src/core/errors/app-error.ts';
import type { ApiKey } from '../../src/core/ports/api-key-store.ts';
import type { Logger } from '../../src/core/ports/logger.ts';
import { checkApiKey } from '../../src/services/api-keys/check-api-key.ts';
import { createUsageCounter } from '../../src/services/api-keys/count-usage.ts';
import { issueApiKey } from '../../src/services/api-keys/issue-api-key.ts';
import { buildToken } from '../../src/services/mint/build-token.ts';
import { createMetadataWay } from '../../src/services/mint/metadata-way.ts';
import { buildSwap } from '../../src/services/trading/build-swap.ts';
import { quoteSwap } from '../../src/services/trading/quote-swap.ts';
import type { DeskRig } from '../services/trading/desk-rig.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { fakeApiUsageStore } from '../support/fakes/api-usage-store.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { pageDeps } from './page-deps.ts';

export const SOL = 'So11111111111111111111111111111111111111112';

/** Both hosts over the real services and a real local chain; what the product wires in `app.ts`. */
export function buildApi(rig: DeskRig, rate = { ratePerSecond: 1_000, burst: 1_000 }) {
  const { deps: shared, metadata, advance } = pageDeps();
  const { clock, ids } = shared;
  const logged: string[] = [];
  const denied: string[] = [];
  const log: Logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (fields, message) => {
      const { err } = fields as { err?: unknown };
      logged.push(`${message} ${String(err)}`);
      if (hasCode(err, 'POLICY_DENIED')) denied.push(err.details.rule);
    },
    child: () => log,
  };
  const swap = {
    ...rig.deps,
    compiler: rig.compiler,
    clock,
    ids,
    log,
    venuePrograms: [],
    maxStateAgeMs: 2_000,
  };
  const mint = {
    ...rig.deps,
    compiler: rig.compiler,
    mintKeys: createMintKeys(),
    metadata,
    clock,
    metadataWay: createMetadataWay({ chain: rig.chain, clock }),
  };
  const deps = {
    ...shared,
    buildSwap: (request: Parameters<typeof buildSwap>[1]) => buildSwap(swap, request),
    quoteSwap: (...[request, fee]: [Parameters<typeof quoteSwap>[1], Parameters<typeof quoteSwap>[2]?]) =>
      quoteSwap(swap, request, fee),
    rpcMeter,
    buildToken: (...[draft, mayStore]: [Parameters<typeof buildToken>[1], () => void]) =>
      buildToken(mint, draft, mayStore),
    usage: createUsageCounter({
      store: fakeApiUsageStore(),
      clock,
      onProblem: (err) => logged.push(String(err)),
    }),
    log,
  };
  const { apiKeys: keys } = fakeDatabase();
  const secrets = createHmacSecrets(new Uint8Array(32).fill(7));
  const open = createHost(deps, { kind: 'open', ...rate });
  const pro = createHost(deps, {
    kind: 'pro',
    checkKey: (text) => checkApiKey({ keys, secrets, clock }, text),
    limiter: fakeApiLimiter(),
  });
  return {
    open,
    pro,
    deps,
    keys,
    metadata,
    logged,
    /** Rules of the signing policy that refused a transaction. */
    denied,
    advance,
    issue: (grant: Partial<ApiKey> = {}) =>
      issueApiKey(
        { keys, secrets, clock },
        {
          account: 'acme',
          scopes: ['swap'],
          ratePerSecond: 10,
          burst: 20,
          maxReferrerFeeBps: 500,
          expiresAt: null,
          ...grant,
        },
      ),
    close: () => Promise.all([open.close(), pro.close()]),
  };
}

export type Api = ReturnType<typeof buildApi>;

export type ErrorAnswer = {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly field?: string;
    readonly details: readonly { readonly field: string; readonly code: string; readonly message: string }[];
    readonly retryable: boolean;
    readonly requestId: string;
  };
};

export function post(app: FastifyInstance, body: unknown, headers: Record<string, string> = {}) {
  return app.inject({
    method: 'POST',
    url: '/dex/swap',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
