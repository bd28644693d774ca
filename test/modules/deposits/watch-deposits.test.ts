import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import { decodeDeposit } from '../../../src/modules/deposits/rules/deposit-notice.ts';
import type { AskAgreement } from '../../../src/modules/deposits/use/agree.ts';
import { createDepositWatch } from '../../../src/modules/deposits/use/watch-deposits.ts';
import type { DepositWatchDeps } from '../../../src/modules/deposits/use/watch-state.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import { createWalletFeed } from '../../../src/platform/chain/wallet-feed.ts';
import type { Chain } from '../../../src/platform/ports/chain.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import type { WalletFeed } from '../../../src/platform/ports/wallet-feed.ts';
import { type MoneyRig, startMoneyRig } from '../../engine/transactions/money-rig.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { createTraders, type Owned } from '../positions/traders.ts';

const SOL = 1_000_000_000n;
let rig: MoneyRig;
const db = fakeDatabase();
let serial = 0;

beforeAll(async () => {
  rig = await startMoneyRig(db, 'deposits');
  await rig.fund(rig.treasury.address, SOL);
});
afterAll(() => rig?.stop());

const logged: unknown[] = [];

/** Two nodes that agree on all that this chain serves. */
const bothSay =
  (chain: Pick<Chain, 'landed'>): AskAgreement =>
  async (signature) => {
    const landed = await chain.landed(signature);
    return landed === null ? { kind: 'unserved' } : { kind: 'agreed', landed, sources: 2, final: true };
  };

/** A watcher whose clock and hints are the test's. */
function watcher(
  options: {
    readonly db?: Database;
    readonly feed?: Partial<WalletFeed>;
    readonly owns?: (id: string) => boolean;
  } & Partial<Pick<DepositWatchDeps, 'worthOf' | 'agree'>> & {
      readonly chain?: DepositWatchDeps['chain'] & Pick<Chain, 'landed'>;
    } = {},
) {
  let now = rig.deps.clock.now();
  let hint: (account: Address) => void = () => undefined;
  const followed: Address[][] = [];
  const feed: WalletFeed = {
    ...createWalletFeed({ urls: [rig.local.rpcUrl], wsUrls: [] }),
    follow: (accounts) => followed.push([...accounts]),
    onHint: (listener) => {
      hint = listener;
    },
    ...options.feed,
  };
  const watch = createDepositWatch({
    ...rig.deps,
    programs: rig.programs,
    db: options.db ?? db,
    clock: { ...rig.deps.clock, now: () => now },
    chain: options.chain ?? rig.chain,
    agree: options.agree ?? bothSay(options.chain ?? rig.chain),
    feed,
    owns: options.owns ?? (() => true),
    worthOf: options.worthOf ?? (async () => null),
    log: { warn: (fields) => expect(fields).toBe('no warning'), error: (fields) => logged.push(fields) },
    nudge: () => undefined,
  });
  return {
    followed,
    stop: () => watch.stop(),
    hint: (account: Address) => hint(account),
    /** Rounds, `ms` in all. */
    async pass(ms: number): Promise<void> {
      const end = now + ms;
      while (now < end) now = Math.min(end, now + (await watch.round()));
    },
  };
}

/** What a person was told of a wallet, oldest first, whether the message went out already or not. */
async function told(wallet: Wallet) {
  const waiting = await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 1_000);
  const notices = [...rig.delivered, ...(await Promise.all(waiting.map((id) => db.notices.find(id))))];
  const byId = new Map(notices.flatMap((one) => (one?.kind === 'deposit' ? [[one.id, one] as const] : [])));
  return [...byId.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { payload }]) => decodeDeposit(payload))
    .filter(({ walletId }) => walletId === wallet.id);
}

async function buy(userId: string, wallet: Wallet, mint: Address): Promise<void> {
  const { terms, tier } = await quoteTrade(rig.trade, {
    wallet: wallet.address,
    mint,
    side: 'buy',
    amount: { lamports: SOL / 5n },
    slippageBps: bps(500),
    tier: 'normal',
  });
  serial += 1;
  const { intent } = await createIntent(rig.deps, {
    userId,
    walletId: wallet.id,
    idemKey: `deposit/${serial}`,
    params: { kind: 'buy', mint, tier, terms, lamportsIn: terms.amountIn },
  });
  expect((await rig.settled(intent.id)).status).toBe('SUCCEEDED');
}

describe('SOL that arrives', () => {
  it('is told once, with the amount, whether a hint or the balance woke, and not again after a restart', async () => {
    const { userId, wallet } = await rig.person('Ann', 0n);
    const first = watcher();
    await first.pass(2_000);
    expect(first.followed.at(-1)).toContain(wallet.address);
    await rig.fund(wallet.address, 2n * SOL);
    first.hint(wallet.address);
    await first.pass(50);
    expect(await told(wallet)).toMatchObject([{ mint: null, units: 2n * SOL, known: true }]);
    first.hint(wallet.address);
    await first.pass(5_000);
    await rig.fund(wallet.address, SOL);
    await first.pass(6_000);
    expect((await told(wallet)).map(({ units }) => units)).toEqual([2n * SOL, SOL]);
    // As after a crash whose commits were kept and whose place was not.
    const [known] = await db.deposits.load([wallet.id]);
    await db.deposits.saveCursors(
      (known?.cursors ?? []).map((one) => ({ ...one, signature: null, held: null })),
    );
    const second = watcher();
    await second.pass(20_000);
    await second.stop();
    expect(await told(wallet)).toHaveLength(2);
    expect(await db.deposits.toldSince(userId, 0)).toBe(2);
  });

  it('while nobody watched is told by the next start', async () => {
    const { wallet } = await rig.person('Away', 0n);
    const first = watcher();
    await first.pass(3_000);
    await first.stop();
    await rig.fund(wallet.address, 3n * SOL);
    const second = watcher();
    await second.pass(20_000);
    expect((await told(wallet)).map(({ units }) => units)).toEqual([3n * SOL]);
  });

  it('while nobody watched is told although the node serves it late', async () => {
    const { wallet } = await rig.person('Late', 0n);
    const first = watcher();
    await first.pass(3_000);
    await first.stop();
    await rig.fund(wallet.address, 4n * SOL);
    let refusals = 6;
    const second = watcher({
      chain: {
        ...rig.chain,
        landed: async (signature) => {
          const landed = await rig.chain.landed(signature);
          if (landed?.balances.some(({ address }) => address === wallet.address) !== true) return landed;
          refusals -= 1;
          return refusals >= 0 ? null : landed;
        },
      },
    });
    await second.pass(120_000);
    expect(refusals).toBeLessThan(0);
    expect((await told(wallet)).map(({ units }) => units)).toEqual([4n * SOL]);
  });

  it('in a block that may still die is not told: only what is confirmed is read', async () => {
    const { wallet } = await rig.person('Fork', 0n);
    const unconfirmed = watcher({ feed: { recent: async () => [] } });
    await unconfirmed.pass(1_500);
    await rig.fund(wallet.address, SOL);
    unconfirmed.hint(wallet.address);
    await unconfirmed.pass(10_000);
    expect(await told(wallet)).toEqual([]);
    const asked: unknown[] = [];
    const unserved = watcher({
      feed: {},
      chain: {
        ...rig.chain,
        landed: async (signature) => {
          asked.push(signature);
          return null;
        },
      },
    });
    await unserved.pass(20_000);
    expect(asked.length).toBeGreaterThan(0);
    expect(await told(wallet)).toEqual([]);
  });

  it('is the news of the process that watches the wallet, and of both once when it moves', async () => {
    const { wallet } = await rig.person('Shard', 0n);
    let here = true;
    const [one, two] = [watcher({ owns: () => here }), watcher({ owns: () => !here })];
    await Promise.all([one.pass(2_000), two.pass(2_000)]);
    expect(two.followed.flat()).toEqual([]);
    here = false;
    await rig.fund(wallet.address, SOL);
    await one.pass(2_000);
    await two.pass(30_000);
    expect(one.followed.at(-1)).toEqual([]);
    expect((await told(wallet)).map(({ units }) => units)).toEqual([SOL]);
  });

  it.each([
    { lag: 65_000, is: 'nobody’s news: it came before the wallet was here', told: 0 },
    { lag: 50_000, is: 'news: the cluster’s clock may lie behind', told: 1 },
  ])(
    '$lag ms before its wallet, by its block time, is $is',
    async ({ lag, told: times }) => {
      const { userId, wallet } = await rig.person('Old', 0n);
      await rig.fund(wallet.address, SOL);
      const since = rig.deps.clock.now() + lag;
      await db.deposits.saveCursors([
        { account: wallet.address, walletId: wallet.id, signature: null, held: null, since },
      ]);
      const watch = watcher();
      await watch.pass(20_000);
      expect(await db.deposits.toldSince(userId, 0)).toBe(times);
    },
    60_000,
  );
});

describe('what a person moves between wallets of their own', () => {
  it('is told by its own result and is no deposit, and the same from somebody else is one', async () => {
    const traders = createTraders(rig, db);
    const ann = await traders.owned('Own', 3n * SOL);
    const side = await traders.secondWallet(ann, SOL);
    const bob = await traders.owned('Other', 3n * SOL);
    const watch = watcher();
    await watch.pass(20_000);
    const before = await told(side);
    await sendSol(ann, side.address, SOL / 4n);
    await watch.pass(20_000);
    expect(await told(side)).toEqual(before);
    await sendSol(bob, side.address, SOL / 5n);
    await watch.pass(20_000);
    expect((await told(side)).slice(before.length)).toMatchObject([{ mint: null, units: SOL / 5n }]);
  });

  async function sendSol(from: Owned, destination: Address, lamports: bigint): Promise<void> {
    serial += 1;
    const { intent } = await createIntent(rig.deps, {
      userId: from.userId,
      walletId: from.id,
      idemKey: `deposit/${serial}`,
      params: { kind: 'withdraw-sol', destination, lamports, everything: false, tier: 'normal' },
    });
    expect((await rig.settled(intent.id)).status).toBe('SUCCEEDED');
  }
});

describe('a heap of small deposits', () => {
  it('is told twenty times an hour, and what is larger is told all the same', async () => {
    const { userId, wallet } = await rig.person('Heap', 0n);
    const at = rig.deps.clock.now();
    await db.deposits.add(
      Array.from({ length: 20 }, (_, index) => ({
        walletId: wallet.id,
        userId,
        asset: 'SOL' as const,
        units: 1_000_000n,
        signature: `small-${index}`,
        slot: 1n,
        at,
        told: true,
      })),
    );
    const watch = watcher();
    await watch.pass(2_000);
    await rig.fund(wallet.address, 2_000_000n);
    await watch.pass(6_000);
    expect(await told(wallet)).toEqual([]);
    await rig.fund(wallet.address, SOL);
    await watch.pass(6_000);
    expect((await told(wallet)).map(({ units }) => units)).toEqual([SOL]);
  });
});

describe('a token that arrives', () => {
  const programOfPup = async (): Promise<Address> => {
    const token = await rig.chain.token(mint());
    if (token === null) throw new Error('no PUP');
    return token.tokenProgram;
  };
  const mint = () => rig.token('PUP').mint as Address;

  it('is told to whoever bought it here, and its position is compared with the chain again', async () => {
    const ann = await rig.person('Buyer', 3n * SOL);
    const bob = await rig.person('Giver', 3n * SOL);
    for (const one of [ann, bob]) await buy(one.userId, one.wallet, mint());
    const watch = watcher();
    await watch.pass(2_000);
    expect(await told(ann.wallet)).toMatchObject([{ mint: null, units: 3n * SOL }]);
    const units = await give(bob, ann.wallet.address);
    const account = rig.programs.associatedTokenAddress(ann.wallet.address, mint(), await programOfPup());
    watch.hint(account);
    await watch.pass(6_000);
    expect((await told(ann.wallet)).slice(1)).toMatchObject([{ mint: mint(), units, known: true }]);
    const due = await db.positions.toCheck({
      askedSince: 0,
      checkedBefore: rig.deps.clock.now() - 3_600_000 + 60_000,
      limit: 100,
    });
    expect(due).toContain(ann.wallet.id);
  });

  it('and was never bought is silence without a market, and a warning with one', async () => {
    const bob = await rig.person('Sender', 3n * SOL);
    await buy(bob.userId, bob.wallet, mint());
    const [poor, rich] = [await rig.person('Poor', 0n), await rig.person('Rich', 0n)];
    await give(bob, poor.wallet.address);
    const silent = watcher();
    await silent.pass(60_000);
    expect(await told(poor.wallet)).toEqual([]);
    const units = await give(bob, rich.wallet.address);
    const loud = watcher({ worthOf: async () => 10_000_000n });
    loud.hint(rich.wallet.address);
    await loud.pass(60_000);
    expect(await told(rich.wallet)).toMatchObject([{ mint: mint(), units, known: false }]);
  });

  async function give(from: { userId: string; wallet: Wallet }, destination: Address): Promise<bigint> {
    const token = rig.token('PUP');
    const amount = 12_345n;
    serial += 1;
    const { intent } = await createIntent(rig.deps, {
      userId: from.userId,
      walletId: from.wallet.id,
      idemKey: `deposit/${serial}`,
      params: {
        kind: 'withdraw-token',
        mint: token.mint as Address,
        tokenProgram: await programOfPup(),
        decimals: token.decimals,
        destination,
        amount,
        tier: 'normal',
      },
    });
    expect((await rig.settled(intent.id)).status).toBe('SUCCEEDED');
    return amount;
  }
});
