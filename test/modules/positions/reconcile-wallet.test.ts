import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lamportsDelta, tokenDelta } from '../../../src/engine/intents/rules/landed-sums.ts';
import { foldPositions } from '../../../src/modules/positions/use/fold-positions.ts';
import { type ReconcileDeps, reconcileWallet } from '../../../src/modules/positions/use/reconcile-wallet.ts';
import { createRpcHistory } from '../../../src/platform/chain/rpc-history.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import { secretRow } from '../../conformance/store-rows.ts';
import { type MoneyRig, startMoneyRig, until } from '../../engine/transactions/money-rig.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { PASSED } from '../../support/passed.ts';
import { createTraders, type Owned, type Traders } from './traders.ts';

const SOL = 1_000_000_000n;
const STEPS = 24;

let rig: MoneyRig;
let traders: Traders;
let deps: ReconcileDeps;
const db = fakeDatabase();

beforeAll(async () => {
  rig = await startMoneyRig(db, 'positions-day');
  traders = createTraders(rig, db);
  deps = {
    db,
    chain: rig.chain,
    history: createRpcHistory({ urls: [rig.local.rpcUrl] }),
    programs: rig.programs,
    treasury: rig.treasury,
    clock: rig.deps.clock,
    worthOf: async () => 7_000_000n,
  };
  await rig.fund(rig.treasury.address, SOL);
});
afterAll(() => rig?.stop());

/** Everything the chain has of these wallets, in its order. */
async function chainOf(wallets: readonly Owned[]): Promise<readonly LandedTransaction[]> {
  const found = new Map<string, LandedTransaction>();
  for (const { address } of wallets) {
    const accounts = [
      address,
      ...(await rig.chain.holdings(address)).flatMap((holding) => holding.accounts.map((one) => one.address)),
    ];
    for (const account of accounts) {
      for (const { signature } of await deps.history.signatures(account, { before: null, limit: 1_000 })) {
        const landed = found.has(signature) ? null : await rig.chain.landed(signature);
        if (landed !== null) found.set(signature, landed);
      }
    }
  }
  return [...found.values()].sort((a, b) =>
    a.slot === b.slot ? (a.signature < b.signature ? -1 : 1) : a.slot < b.slot ? -1 : 1,
  );
}

/** The table of the design, written a second time and from balances alone: what a wallet paid, holds and made. */
function model(
  transactions: readonly LandedTransaction[],
  wallets: readonly Owned[],
  mints: readonly Address[],
) {
  const books = new Map(
    wallets.flatMap(({ id }) =>
      mints.map((mint) => [`${id}/${mint}`, { q: 0n, c: 0n, r: 0n, bought: false }]),
    ),
  );
  for (const landed of transactions) {
    for (const mint of mints) {
      const changes = wallets.map((wallet) => ({ wallet, units: tokenDelta(landed, wallet.address, mint) }));
      const out = changes.find(({ units }) => units < 0n);
      const into = changes.find(({ units }) => units > 0n);
      // Deposits of accounts that it opened, less those of accounts that it closed.
      const deposits = (wallet: Owned): bigint =>
        landed.balances
          .filter(({ address }) =>
            landed.tokenBalances.some((row) => row.account === address && row.owner === wallet.address),
          )
          .filter(({ before, after }) => before === 0n || after === 0n)
          .reduce((sum, { before, after }) => sum + after - before, 0n);
      const flow = (wallet: Owned): bigint => lamportsDelta(landed, wallet.address) + deposits(wallet);
      let carried = 0n;
      if (out !== undefined) {
        const book = books.get(`${out.wallet.id}/${mint}`)!;
        const left = -out.units;
        const share = left === book.q ? book.c : (book.c * left) / book.q;
        const isSale = flow(out.wallet) > 0n;
        books.set(`${out.wallet.id}/${mint}`, {
          ...book,
          q: book.q - left,
          c: book.c - share,
          r: book.r + (isSale ? flow(out.wallet) - share : 0n),
        });
        carried = share;
      }
      if (into !== undefined) {
        const book = books.get(`${into.wallet.id}/${mint}`)!;
        const paid = out === undefined && landed.balances[0]?.address === into.wallet.address;
        const cost = out !== undefined ? carried : paid ? -flow(into.wallet) : book.bought ? 7_000_000n : 0n;
        books.set(`${into.wallet.id}/${mint}`, {
          q: book.q + into.units,
          c: book.c + cost,
          r: book.r,
          bought: book.bought || paid || out !== undefined,
        });
      }
    }
  }
  return books;
}

describe('positions after a random day', () => {
  it('are a fold of the chain’s own transactions, to the lamport', async () => {
    const main = await traders.owned('Ann', 20n * SOL);
    const side = await traders.secondWallet(main, 5n * SOL);
    const stranger = await traders.owned('Bob', 10n * SOL);
    const mints = [rig.token('PUP').mint, rig.token('TAX').mint] as Address[];
    for (const mint of mints) await traders.trade(stranger, mint, 'buy', 3);
    let state = 20_260_226;
    const next = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    for (let step = 0; step < STEPS; step += 1) {
      const [wallet, other] = next(2) === 0 ? [main, side] : [side, main];
      const mint = mints[next(mints.length)]!;
      const share = 1_000 + next(9_001);
      const holds = (await traders.heldOf(wallet, mint)) > 100n;
      switch (holds ? next(5) : 0) {
        case 1:
        case 2:
          await traders.trade(wallet, mint, 'sell', share > 9_000 ? 10_000 : share);
          break;
        case 3:
          await traders.send(wallet, next(2) === 0 ? other.address : stranger.address, mint, share);
          break;
        case 4:
          await traders.send(stranger, wallet.address, mint, 1_000);
          break;
        default:
          await traders.trade(wallet, mint, 'buy', share);
      }
    }
    const wallets = [main, side];
    // What came from outside is found in the history of the accounts, once it is final.
    await until(async () => {
      for (const wallet of wallets) await reconcileWallet(deps, wallet, { asked: true });
      const { positions } = await foldPositions(db, main.userId);
      const open = await Promise.all(
        wallets.flatMap((wallet) =>
          mints.map(async (mint) => {
            const units = positions.find((one) => one.walletId === wallet.id && one.mint === mint)?.units;
            return (units ?? 0n) === (await traders.heldOf(wallet, mint));
          }),
        ),
      );
      return open.every(Boolean);
    }, 'positions to hold what the chain holds');

    const books = model(await chainOf(wallets), wallets, mints);
    const { positions } = await foldPositions(db, main.userId);
    expect(positions.length).toBeGreaterThanOrEqual(3);
    for (const { walletId, mint, units, cost, realized, adjustedUnits } of positions) {
      const { q, c, r } = books.get(`${walletId}/${mint}`)!;
      expect({ units, cost, realized, adjustedUnits }).toEqual({
        units: q,
        cost: c,
        realized: r,
        adjustedUnits: 0n,
      });
    }
    // A second look reads nothing new.
    for (const wallet of wallets) {
      expect(await reconcileWallet(deps, wallet, { asked: true })).toEqual({ recorded: 0, adjusted: [] });
    }
  }, 900_000);

  it('find what no commit told: trades from before there were events, in the order of the chain', async () => {
    const early = await traders.owned('Cleo', 5n * SOL);
    const mint = rig.token('PUP').mint as Address;
    for (let index = 0; index < 3; index += 1) await traders.trade(early, mint, 'buy', index);
    await traders.trade(early, mint, 'sell', 4_000);
    const [kept] = (await foldPositions(db, early.userId)).positions;
    // The same rows without the events, as a database has them that was just migrated.
    const old = fakeDatabase();
    const user = await db.users.find(early.userId);
    if (user === null) throw new Error('no user');
    await old.users.insert({ ...user, activeWalletId: null });
    await old.wallets.insert(PASSED, early, secretRow(early));
    for (const intent of await db.intents.listByUser(early.userId, { limit: 10 })) {
      await old.intents.insert(intent);
      for (const attempt of await db.intents.attempts(intent.id)) await old.intents.insertAttempt(attempt);
    }
    await until(async () => {
      await reconcileWallet({ ...deps, db: old }, early, { asked: false });
      return ((await foldPositions(old, early.userId)).positions[0]?.units ?? 0n) === kept?.units;
    });
    expect((await foldPositions(old, early.userId)).positions).toEqual([kept]);
    expect(await old.positions.checkedAt(early.id)).not.toBeNull();
  });

  it('take a difference that no transaction explains for an adjustment only after a minute', async () => {
    const odd = await traders.owned('Dan', 3n * SOL);
    const mint = rig.token('PUP').mint as Address;
    await traders.trade(odd, mint, 'buy', 1);
    const units = await traders.heldOf(odd, mint);
    let now = rig.deps.clock.now();
    const lying: ReconcileDeps = {
      ...deps,
      clock: { ...deps.clock, now: () => now },
      chain: {
        ...deps.chain,
        holdings: async (owner) =>
          (await rig.chain.holdings(owner)).map((one) => ({ ...one, amount: one.amount - 5n })),
      },
    };
    await until(async () => {
      await reconcileWallet(lying, odd, { asked: true });
      return (await foldPositions(db, odd.userId)).positions[0]?.odd?.units === -5n;
    });
    now += 30_000;
    expect((await reconcileWallet(lying, odd, { asked: true })).adjusted).toEqual([]);
    now += 31_000;
    const looks = await Promise.all([1, 2].map(() => reconcileWallet(lying, odd, { asked: true })));
    expect(looks.flatMap(({ adjusted }) => adjusted)).toContain(mint);
    expect((await foldPositions(db, odd.userId)).positions).toMatchObject([
      { units: units - 5n, adjustedUnits: -5n, odd: null },
    ]);
    expect((await reconcileWallet(lying, odd, { asked: true })).adjusted).toEqual([]);
  });
});
