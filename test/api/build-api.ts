import type { Address } from '@tradepost/solana';
import type { FastifyInstance } from 'fastify';
import { AppError, hasCode } from '../../src/core/errors/app-error.ts';
import type { ApiKey } from '../../src/modules/keys/store/api-key-store-port.ts';
import { checkApiKey } from '../../src/modules/keys/use/check-api-key.ts';
import { createUsageCounter } from '../../src/modules/keys/use/count-usage.ts';
import { issueApiKey } from '../../src/modules/keys/use/issue-api-key.ts';
import { buildToken } from '../../src/modules/mint/use/build-token.ts';
import { createMetadataWay } from '../../src/modules/mint/use/metadata-way.ts';
import { createProgramDesk } from '../../src/modules/personal-keys/use/program-desk.ts';
import { awaitSubmission } from '../../src/modules/submissions/use/await-submission.ts';
import { createCallerLimits } from '../../src/modules/submissions/use/caller-limits.ts';
import { createSubmissionStream } from '../../src/modules/submissions/use/submission-stream.ts';
import { createSubmitTokens } from '../../src/modules/submissions/use/submit-tokens.ts';
import { type SubmitMode, submitTransaction } from '../../src/modules/submissions/use/submit-transaction.ts';
import { createSubmissionWatch } from '../../src/modules/submissions/use/watch-submissions.ts';
import { askedTip, senderFacts } from '../../src/modules/trading/use/asked-tip.ts';
import { buildSwap } from '../../src/modules/trading/use/build-swap.ts';
import { quoteSwap } from '../../src/modules/trading/use/quote-swap.ts';
import type { PnlWindow } from '../../src/modules/wallet-data/rules/wallet-pnl.ts';
import { readHoldings } from '../../src/modules/wallet-data/use/read-holdings.ts';
import { readWalletPnl, readWalletTrades } from '../../src/modules/wallet-data/use/read-wallet-trades.ts';
import { createWebhookWatch } from '../../src/modules/webhooks/use/deliver-webhooks.ts';
import { createWebhookDesk } from '../../src/modules/webhooks/use/manage-webhooks.ts';
import { createHmacSecrets } from '../../src/platform/api-keys/hmac-secrets.ts';
import { personalKeyCheck } from '../../src/platform/certificate-check.ts';
import { createBlockhashLooks } from '../../src/platform/chain/blockhash-looks.ts';
import { rpcMeter } from '../../src/platform/chain/rpc-meter.ts';
import { createSignatureChecks } from '../../src/platform/chain/signature-checks.ts';
import { createHost } from '../../src/platform/http/create-host.ts';
import type { Logger } from '../../src/platform/ports/logger.ts';
import { createMintKeys } from '../../src/platform/vault/mint-keys.ts';
import { createWebhookSender } from '../../src/platform/webhooks/webhook-sender.ts';
import type { DeskRig } from '../modules/trading/desk-rig.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';
import { fakeApiUsageStore } from '../support/fakes/api-usage-store.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { fakeSubmissionStore } from '../support/fakes/submission-store.ts';
import { fakeWebhookStore } from '../support/fakes/webhook-store.ts';
import { tipAccountsOf } from '../support/local-senders.ts';
import { PASSED } from '../support/passed.ts';
import { TEST_CERTIFIER } from '../support/signer.ts';
import { obeyDocument } from './obey-document.ts';
import { pageDeps } from './page-deps.ts';

/** Lamports. */
const TIP_CAP = 5_000_000n;

export const SOL = 'So11111111111111111111111111111111111111112';

/** Both hosts over the real services and a real local chain; what the product wires in `app.ts`. */
export function buildApi(
  rig: DeskRig,
  rate = { ratePerSecond: 1_000, burst: 1_000 },
  publicUrl?: string,
  takes: SubmitMode = 'any',
) {
  const { deps: shared, metadata, advance } = pageDeps(publicUrl);
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
  const paid = { senders: rig.senders, tipCapLamports: TIP_CAP, random: Math.random };
  const swap = {
    ...rig.deps,
    compiler: rig.compiler,
    clock,
    ids,
    log,
    venuePrograms: [],
    tips: { accounts: tipAccountsOf(rig.senders), capLamports: TIP_CAP },
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
  const webhooks = fakeWebhookStore();
  const submissions = fakeSubmissionStore(webhooks.tell);
  const db = fakeDatabase();
  const { apiKeys: keys } = db;
  const secrets = createHmacSecrets(new Uint8Array(32).fill(7));
  const sender = createWebhookSender({ allowsLoopback: true });
  const hooking = createWebhookWatch({
    webhooks,
    sender,
    secrets,
    db,
    clock,
    ids,
    log,
    nudge: () => undefined,
    random: () => 0.5,
  });
  const submitting = {
    submissions,
    chain: rig.chain,
    blockhashes: createBlockhashLooks([rig.local.rpcUrl]),
    signatureChecks: createSignatureChecks(),
    clock,
    // The chain moves only when it is moved: waiting changes nothing.
    pause: async () => undefined,
    log,
    wake: () => undefined,
    takes,
    tokens: createSubmitTokens({ secrets, clock }),
    senders: rig.senders,
    limits: createCallerLimits({ submissions, clock }),
  };
  const watch = createSubmissionWatch({ ...submitting, owns: () => true });
  const unsealed = {
    walletFlows: { days: async () => [], sums: async () => [], since: async () => null },
    tape: { faults: async () => [] },
    market: shared.market,
    clock,
  };
  const deps = {
    ...shared,
    submissions: {
      tokenOf: (transaction: Uint8Array) => (takes === 'off' ? null : submitting.tokens.of(transaction)),
      subscribe: createSubmissionStream({ submissions, log, lookMs: 20 }).subscribe,
      submit: (request: Parameters<typeof submitTransaction>[1]) => submitTransaction(submitting, request),
      find: (...[signature, until]: [string, Parameters<typeof awaitSubmission>[2]]) =>
        awaitSubmission(submitting, signature, until),
    },
    webhooks: createWebhookDesk({
      webhooks,
      secrets,
      sender,
      rule: () => ({ allowsLoopback: true, ownHosts: [] }),
      clock,
      ids,
      wake: () => undefined,
    }),
    programDesk: createProgramDesk({
      db,
      clock,
      signatureChecks: createSignatureChecks(),
      endOrder: async () => Promise.reject(new AppError('ORDER_NOT_FOUND', {})),
      makeTrade: async () => ({ kind: 'blocked' }),
      placeOrder: async () => ({ kind: 'blocked' }),
      isCertified: personalKeyCheck(TEST_CERTIFIER.publicKey),
      log,
    }),
    tradeStream: { ...shared.tradeStream, takePlace: () => () => undefined },
    buildSwap: (request: Parameters<typeof buildSwap>[1]) => buildSwap(swap, request),
    quoteSwap: (...[request, fee]: [Parameters<typeof quoteSwap>[1], Parameters<typeof quoteSwap>[2]?]) =>
      quoteSwap(swap, request, fee),
    venues: rig.deps.venues.map(({ name, programId = null }) => ({ name, programId })),
    senders: {
      list: senderFacts(paid),
      tip: (asked: Parameters<typeof askedTip>[1]) => askedTip(paid, asked),
    },
    genesisHash: () => rig.chain.genesisHash(),
    rpcMeter,
    // The desk's tape has sealed nothing.
    walletTrades: (...[wanted, page]: [Address, Parameters<typeof readWalletTrades>[2]]) =>
      readWalletTrades(unsealed, wanted, page),
    walletPnl: (...[wanted, window]: [Address, PnlWindow]) => readWalletPnl(unsealed, wanted, window),
    walletHoldings: (wanted: Parameters<typeof readHoldings>[1]) =>
      readHoldings({ chain: rig.chain, tokens: shared.tokens }, wanted),
    buildToken: (...[draft, mayStore]: [Parameters<typeof buildToken>[1], () => void]) =>
      buildToken(mint, draft, mayStore),
    usage: createUsageCounter({
      store: fakeApiUsageStore(),
      clock,
      onProblem: (err) => logged.push(String(err)),
    }),
    log,
  };
  const open = obeyDocument(createHost(deps, { kind: 'open', ...rate }), 'open');
  const proHost = createHost(deps, {
    kind: 'pro',
    checkKey: (text) => checkApiKey({ keys, secrets, clock }, text),
    limiter: fakeApiLimiter(),
  });
  const pro = obeyDocument(proHost, 'pro');
  return {
    open,
    pro,
    deps,
    keys,
    metadata,
    submissions,
    db,
    webhooks,
    /** Everything that is due goes to its webhook, and is answered. */
    deliver: async () => {
      await hooking.round();
      await hooking.stop();
    },
    /** One look at everything that was submitted. */
    follow: () => watch.round(),
    logged,
    /** Rules of the signing policy that refused a transaction. */
    denied,
    advance,
    issue: (grant: Partial<ApiKey> = {}) =>
      issueApiKey({ keys, secrets, clock }, PASSED, {
        account: 'acme',
        scopes: ['swap'],
        ratePerSecond: 10,
        burst: 20,
        maxReferrerFeeBps: 500,
        expiresAt: null,
        ...grant,
      }),
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
