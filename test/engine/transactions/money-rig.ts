import { type Address, toBase58 } from '@tradepost/solana';
import { jobHandlers } from '../../../src/compose/create-worker.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import { feesOf } from '../../../src/engine/fees/rules/fee-table.ts';
import { ensureTreasury } from '../../../src/engine/fees/use/ensure-treasury.ts';
import { createPlatformFee, createReceivableFee } from '../../../src/engine/fees/use/platform-fee.ts';
import { createPlans, SETTLEMENTS } from '../../../src/engine/intents/kinds/index.ts';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import type { Notice } from '../../../src/engine/notices/store-port.ts';
import { firstSignature } from '../../../src/engine/signing/rules/wire-transaction.ts';
import type { CreateIntentDeps } from '../../../src/engine/transactions/use/create-intent.ts';
import { createDeliverNotice } from '../../../src/engine/transactions/use/deliver-notice.ts';
import type { TransactionDeps } from '../../../src/engine/transactions/use/deps.ts';
import { createRehearse } from '../../../src/engine/transactions/use/rehearse-plan.ts';
import { createRelay } from '../../../src/engine/transactions/use/relay-outbox.ts';
import { createStepIntent } from '../../../src/engine/transactions/use/step-intent.ts';
import { sweep } from '../../../src/engine/transactions/use/sweep.ts';
import { startDeskChain } from '../../../src/local/desk/index.ts';
import { collectPayouts } from '../../../src/modules/referrals/use/collect-payouts.ts';
import { DEFAULT_SETTINGS } from '../../../src/modules/settings/rules/settings.ts';
import { hubMints } from '../../../src/modules/tokens/rules/well-known.ts';
import { createPoolQuarantine } from '../../../src/modules/trading/use/pool-quarantine.ts';
import type { TradeDeps } from '../../../src/modules/trading/use/trading-deps.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createOwnTables } from '../../../src/platform/chain/own-tables.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { createRpcChain } from '../../../src/platform/chain/rpc-chain.ts';
import { pause, systemClock } from '../../../src/platform/clock/clock.ts';
import { randomIds } from '../../../src/platform/clock/ids.ts';
import type { Chain } from '../../../src/platform/ports/chain.ts';
import type { JobName, JobQueue, Jobs } from '../../../src/platform/ports/job-queue.ts';
import type { KeyHolder } from '../../../src/platform/ports/key-holder.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import type { Vault } from '../../../src/platform/ports/vault.ts';
import { createVault } from '../../../src/platform/vault/create-vault.ts';
import { keyring } from '../../../src/platform/vault/kek.ts';
import { localKek } from '../../../src/platform/vault/local-kek.ts';
import { createMintKeys } from '../../../src/platform/vault/mint-keys.ts';
import { createVenues } from '../../../src/platform/venues/index.ts';
import { openLaunchpads, type PadOptions } from '../../../src/platform/venues/launchpads.ts';
import { fakeLookupTableStore } from '../../support/fakes/lookup-table-store.ts';
import { fakeMetadataStore } from '../../support/fakes/metadata-store.ts';
import { PASSED } from '../../support/passed.ts';
import { testSigner, WITHOUT_PIN } from '../../support/signer.ts';

const SLOT_MS = 20;

/**
 * The whole money path on the real adapters over a real local chain in this process: real vault, real policy, real clock.
 * Jobs run at once in this process; the notifier keeps what it delivers.
 */
export async function startMoneyRig(
  db: Database,
  seed: string,
  options: {
    /** Real programs and accounts to load. */
    readonly programsDir?: string;
    /** False: a cluster without transactions of version 1, where tables make room. */
    readonly version1?: boolean;
    readonly pads?: PadOptions;
    readonly venuePrograms?: readonly Address[];
    /** Whether the vault looks at accounts of the chain before it signs, as where closing is judged by their content. */
    readonly looks?: boolean;
    /** Instead of a signer in this process. */
    readonly vault?: Vault;
  } = {},
) {
  const {
    pads = { meteoraDbcConfig: null, launchlabPlatform: null },
    venuePrograms = [],
    programsDir,
  } = options;
  const local = await startDeskChain({
    slotMs: SLOT_MS,
    seed,
    wsPort: null,
    version1: options.version1 ?? true,
    ...(programsDir === undefined ? {} : { programsDir }),
  });
  const rpc = createRpcChain({ urls: [local.rpcUrl], rentKeptMs: 0 });
  /** Faults of the way to the chain, and a witness: what was sent although no committed attempt holds it. */
  const network = { deliver: true, answer: true, sent: 0, uncommitted: [] as string[] };
  const chain: Chain = {
    ...rpc,
    async send(bytes) {
      const signature = toBase58(firstSignature(bytes));
      network.sent += 1;
      if (!(await isCommitted(db, bytes))) network.uncommitted.push(signature);
      if (!network.deliver) return { kind: 'unknown', cause: 'dropped on the way' };
      const outcome = await rpc.send(bytes);
      return network.answer ? outcome : { kind: 'unknown', cause: 'the answer was lost' };
    },
  };
  const programs = createPrograms();
  const compiler = createMessageCompiler();
  const clock = systemClock();
  const ids = randomIds(() => clock.now());
  const kek = localKek(new Uint8Array(32).fill(7));
  const warnings: string[] = [];
  const tableStore = fakeLookupTableStore();
  /** The operator's tables by what this chain says of them. */
  const lookupTables = (source: Pick<Chain, 'accounts'> = rpc) =>
    createOwnTables({
      store: tableStore,
      chain: source,
      clock,
      log: {
        warn: (fields, message) => warnings.push(`${message} ${JSON.stringify(fields)}`),
        error: (fields, message) => warnings.push(`${message} ${JSON.stringify(fields)}`),
      },
    });
  const vaultWith = (tables: ReturnType<typeof lookupTables>) =>
    createVault({
      keyring: keyring(kek),
      secrets: db.wallets,
      venuePrograms,
      lookupTables: tables,
      ...(options.looks === true ? { chain: rpc } : {}),
    });
  const signerWith = (keys: KeyHolder): Vault => testSigner({ db, clock }, { keys, ring: keyring(kek) });
  const vault = options.vault ?? signerWith(vaultWith(lookupTables()));
  const treasury = await ensureTreasury({ db, vault, clock, ids });
  const venues = createVenues({ chain, programs, deskUrl: local.deskUrl });

  const running = new Set<Promise<void>>();
  let stopped = false;
  const added: (() => Promise<void>)[] = [];
  const queue: JobQueue = {
    add: async (name, data, { delayMs = 0 }) => {
      added.push(() => run(name, data, delayMs));
    },
  };
  // A job must not start in the context of the transaction that relays it.
  const pump = setInterval(() => {
    for (const start of added.splice(0)) {
      const job = start().finally(() => running.delete(job));
      running.add(job);
    }
  }, 2);
  const relay = createRelay({ db, queue, clock });
  const trade: TradeDeps = {
    maxStateAgeMs: 2_000,
    chain,
    venues,
    programs,
    clock,
    treasury: treasury.address,
    platformFee: createPlatformFee({
      discountBps: async () => bps(0),
      chain,
      clock,
      treasury: treasury.address,
      fees: feesOf(),
    }),
    wellKnown: [],
    hubs: hubMints(false, null),
    poolQuarantine: createPoolQuarantine({ clock, log: { warn: () => undefined } }),
  };
  const launch = {
    chain,
    programs,
    metadata: fakeMetadataStore(),
    mintKeys: createMintKeys(),
    launchpads: await openLaunchpads({ chain, programs, deskUrl: local.deskUrl, pads }),
    treasury: treasury.address,
    launchFeeLamports: () => 20_000_000n,
    receivableFee: createReceivableFee({ chain, clock, treasury: treasury.address }),
    lookupTables: lookupTables(),
    rehearse: createRehearse({ chain, compiler, programs }),
  };
  const deps: TransactionDeps & CreateIntentDeps = {
    db,
    chain,
    compiler,
    programs,
    // A request that a test makes without a PIN is confirmed without one.
    vault: {
      ...vault,
      confirm: (request, pin) => (pin === null ? WITHOUT_PIN : vault).confirm(request, pin),
    },
    clock,
    ids,
    plans: createPlans({
      chain,
      programs,
      trade,
      launch,
      mint: {
        chain,
        programs,
        mintKeys: createMintKeys(),
        treasury: treasury.address,
        receivableFee: createReceivableFee({ chain, clock, treasury: treasury.address }),
      },
    }),
    settlements: SETTLEMENTS,
    treasury,
    fees: feesOf(),
    relay,
    log: {
      info: () => undefined,
      warn: (fields, message) => warnings.push(`${message} ${JSON.stringify(fields)}`),
    },
    pause,
    owner: 'rig',
    pace: {
      observe: [[Number.POSITIVE_INFINITY, 20]],
      untilFinalMs: 50,
      rebroadcastMs: 2_000,
      probeAfterMs: 3_500,
      retryMs: 50,
      receiptPatienceMs: { confirmed: 5_000, finalized: 60_000 },
    },
    rules: {
      death: { secondLookAfterMs: 300, reviewAfterMs: 600_000 },
      landing: { secondLookAfterMs: 100, reviewAfterMs: 600_000 },
    },
  };
  const delivered: Notice[] = [];
  const payoutDeps = { db, chain, clock, ids, treasury, minimumLamports: 0n, relay };
  const handlers = jobHandlers({
    services: {
      stepIntent: createStepIntent(deps, { stretchMs: 1_000 }),
      sendMail: async () => ({ kind: 'done' }),
      sweepMails: async () => undefined,
      deliverNotice: createDeliverNotice({
        db,
        clock,
        notifier: {
          deliver: async ({ notice }) => {
            delivered.push(notice);
            return { kind: 'delivered' };
          },
        },
      }),
      collectPayouts: () => collectPayouts(payoutDeps),
      refreshPools: async () => undefined,
      watchBuilds: async () => undefined,
      judgeTrades: async () => undefined,
      moveMarketWindows: async () => undefined,
      indexTokens: async () => undefined,
      workOutTrending: async () => undefined,
      keepTape: async () => undefined,
      watchLaunches: async () => undefined,
      settlePoints: async () => undefined,
      keepPositions: async () => undefined,
      cleanUp: async () => undefined,
      sweep: () => sweep({ db, queue, clock, relay }),
    },
    log: {
      warn: (fields, message) => warnings.push(`${message} ${JSON.stringify(fields)}`),
      error: (fields, message) => warnings.push(`${message} ${String((fields as { err: unknown }).err)}`),
    },
  });

  async function run<N extends JobName>(name: N, data: Jobs[N], delayMs: number): Promise<void> {
    let wait = delayMs;
    for (;;) {
      if (wait > 0) await pause(Math.min(wait, 1_000));
      if (stopped) return;
      const result = await handlers[name](data).catch((): { kind: 'again'; afterMs: number } => ({
        kind: 'again',
        afterMs: 100,
      }));
      if (result.kind === 'done') return;
      wait = result.afterMs;
    }
  }

  return {
    local,
    chain,
    programs,
    deps,
    payoutDeps,
    launch,
    trade,
    vault,
    vaultWith,
    signerWith,
    /** The same signer over another database, with the same keys. */
    signerFor: (other: Database): Vault =>
      testSigner(
        { db: other, clock },
        {
          ring: keyring(kek),
          keys: createVault({
            keyring: keyring(kek),
            secrets: other.wallets,
            venuePrograms,
            lookupTables: lookupTables(),
          }),
        },
      ),
    tableStore,
    lookupTables,
    treasury,
    delivered,
    warnings,
    queue,
    network,
    token(symbol: string) {
      const token = local.world.tokens.find((one) => one.symbol === symbol);
      if (token === undefined) throw new Error(`the local world has no ${symbol}`);
      return token;
    },
    /** A person with a wallet holding so many lamports. */
    async person(
      name: string,
      lamports: bigint,
      inviterId: string | null = null,
    ): Promise<{ userId: string; wallet: Wallet }> {
      const userId = ids.ulid();
      const walletId = ids.ulid();
      await db.users.insert({
        id: userId,
        telegramId: BigInt(Math.floor(Math.random() * 1e12)),
        firstName: name,
        telegramLanguage: null,
        settings: DEFAULT_SETTINGS,
        activeWalletId: null,
        inviterId,
        screenMessageId: null,
        blockedAt: null,
        createdAt: clock.now(),
      });
      const secret = await vault.create({ walletId, userId });
      const wallet: Wallet = {
        id: walletId,
        userId,
        name: 'Main',
        address: secret.publicKey,
        createdAt: clock.now(),
        deletedAt: null,
        origin: 'made',
        confirmedAt: null,
        payoutFrom: null,
      };
      await db.wallets.insert(PASSED, wallet, secret);
      await db.users.activate(PASSED, userId, walletId);
      await this.fund(wallet.address, lamports);
      return { userId, wallet };
    },
    async fund(to: Address, lamports: bigint): Promise<void> {
      if (lamports === 0n) return;
      const before = await chain.balance(to);
      await fetch(local.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'requestAirdrop',
          params: [to, Number(lamports)],
        }),
      });
      await until(async () => (await chain.balance(to)) >= before + lamports, 'the lamports to arrive');
    },
    /** The intent once it is final. */
    async settled(intentId: string): Promise<Intent> {
      return until(async () => {
        const intent = await db.intents.find(intentId);
        return intent !== null && intent.status !== 'CREATED' && intent.status !== 'ACTIVE' ? intent : null;
      }, `the end of intent ${intentId}`);
    },
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(pump);
      await Promise.allSettled(running);
      await local.stop();
    },
  };
}

const UNTIL_MS = 90_000;

/** Whether an attempt with exactly these bytes is stored; the memo in them names the intent. */
async function isCommitted(db: Database, bytes: Uint8Array): Promise<boolean> {
  const id = /[0-9A-HJKMNP-TV-Z]{26}/.exec(Buffer.from(bytes).toString('latin1'))?.[0] ?? '';
  const attempts = await db.intents.attempts(id);
  return attempts.some((attempt) => Buffer.from(attempt.signedTransaction).equals(bytes));
}

export type MoneyRig = Awaited<ReturnType<typeof startMoneyRig>>;

/** Polls until the answer is truthy; after a minute and a half it says for what it waited in vain. */
export async function until<T>(
  ask: () => Promise<T>,
  what = 'what the test expects',
): Promise<Exclude<T, null | false | undefined>> {
  for (const endsAt = Date.now() + UNTIL_MS; ; ) {
    if (Date.now() > endsAt) throw new Error(`waited ${UNTIL_MS / 1_000} s in vain for ${what}`);
    const answer = await ask();
    if (answer) return answer as Exclude<T, null | false | undefined>;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}
