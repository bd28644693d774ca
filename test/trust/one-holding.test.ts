import type { Address } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../src/core/amounts/bps.ts';
import { createFireMarket } from '../../src/modules/orders/use/fire-market.ts';
import { foldPositions } from '../../src/modules/positions/use/fold-positions.ts';
import { reconcileWallet } from '../../src/modules/positions/use/reconcile-wallet.ts';
import { findShare } from '../../src/modules/trading/use/find-sellable.ts';
import { quoteTrade } from '../../src/modules/trading/use/quote-trade.ts';
import { tradeCard } from '../../src/modules/trading/use/trade-card.ts';
import { walletFunds } from '../../src/modules/wallets/use/list-wallets.ts';
import { prepareWithdrawal } from '../../src/modules/withdrawals/use/prepare-withdrawal.ts';
import { createRpcHistory } from '../../src/platform/chain/rpc-history.ts';
import { type MoneyRig, startMoneyRig, until } from '../engine/transactions/money-rig.ts';
import { createTraders, type Owned, type Traders } from '../modules/positions/traders.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { createTokenMaker, type TokenMaker } from '../support/token-maker.ts';

const SOL = 1_000_000_000n;
const SEED = 'one-holding';
const [IN_ASSOCIATED, IN_OTHER] = [40_000_000n, 60_000_001n];
const ALL = IN_ASSOCIATED + IN_OTHER;

const db = fakeDatabase();
let rig: MoneyRig;
let traders: Traders;
let maker: TokenMaker;

beforeAll(async () => {
  rig = await startMoneyRig(db, SEED);
  traders = createTraders(rig, db);
  maker = createTokenMaker(rig.local.rpcUrl, SEED);
  await rig.fund(rig.treasury.address, SOL);
});
afterAll(() => rig?.stop());

/** A person who holds one mint in two accounts: the associated one, and a fuller one that another person opened. */
async function holder(name: string, symbol: string): Promise<{ who: Owned; mint: Address; other: Address }> {
  const who = await traders.owned(name, 3n * SOL);
  const token = rig.token(symbol);
  const made = { mint: token.mint as Address, program: token.program as Address, decimals: token.decimals };
  const other = await maker.openOther(who.address, made);
  await maker.give(who.address, made, IN_ASSOCIATED);
  await maker.give(who.address, made, IN_OTHER, other);
  await until(async () => (await traders.heldOf(who, made.mint)) === ALL);
  return { who, mint: made.mint, other };
}

const sell = (who: Owned, mint: Address, units: bigint) =>
  quoteTrade(rig.trade, {
    side: 'sell',
    wallet: who.address,
    mint,
    amount: { units },
    slippageBps: bps(500),
    tier: 'normal',
  });

/** Each reader of what a wallet holds of a mint, as a screen or a rule uses it. A new reader is added here. */
const READERS: Readonly<Record<string, (who: Owned, mint: Address) => Promise<bigint>>> = {
  'the chain’s holding of one mint': async ({ address }, mint) =>
    (await rig.chain.holding(address, mint)).amount,
  'the chain’s list of holdings': ({ address }, mint) => traders.heldOf({ address }, mint),
  'the token card': async ({ address }, mint) =>
    (await tradeCard({ ...rig.trade, solPrice: async () => null }, { wallet: address, mint })).holdingUnits,
  'the wallet, home and backup screens': async (who, mint) =>
    (await walletFunds(rig.chain, who)).tokens.find((one) => one.mint === mint)?.amount ?? 0n,
  'a withdrawal of everything': async (who, mint) => {
    const quote = await prepareWithdrawal(
      { db, chain: rig.chain, programs: rig.programs },
      {
        userId: who.userId,
        walletId: who.id,
        destination: rig.treasury.address,
        asset: { kind: 'token', mint },
        amount: { kind: 'max' },
        tier: 'economy',
      },
    );
    return quote.asset === 'token' ? quote.amount : 0n;
  },
  'a sale of all, with what it leaves elsewhere': async (who, mint) => {
    const { amountIn, elsewhereUnits } = await traders.quote(who, mint, 'sell', 10_000);
    return amountIn + elsewhereUnits;
  },
  'a sale of a half, doubled': async (who, mint) => {
    const { amountIn, elsewhereUnits } = await traders.quote(who, mint, 'sell', 5_000);
    expect(elsewhereUnits).toBe(0n);
    return amountIn * 2n + 1n;
  },
  'the position': async (who, mint) => {
    const deps = {
      db,
      chain: rig.chain,
      history: createRpcHistory({ urls: [rig.local.rpcUrl] }),
      programs: rig.programs,
      treasury: rig.treasury,
      clock: rig.deps.clock,
      worthOf: async () => null,
    };
    // Its history is final a little later than the look at the chain.
    return until(async () => {
      await reconcileWallet(deps, who, { asked: true });
      const { positions } = await foldPositions(db, who.userId);
      return positions.find((one) => one.mint === mint && one.odd === null && one.units > IN_OTHER)?.units;
    });
  },
};

describe('a wallet with two accounts of one mint', () => {
  it.each(['PUP', 'KOI'])('holds the same amount of %s for every reader', async (symbol) => {
    const { who, mint } = await holder(`All ${symbol}`, symbol);
    const said = Object.fromEntries(
      await Promise.all(
        Object.entries(READERS).map(async ([name, read]) => [name, await read(who, mint)] as const),
      ),
    );
    expect(said).toEqual(Object.fromEntries(Object.keys(READERS).map((name) => [name, ALL])));
  });

  it('sells the fuller account first, says what is elsewhere, and sells that next', async () => {
    const { who, mint, other } = await holder('Twice', 'PUP');
    const first = await traders.quote(who, mint, 'sell', 10_000);
    expect(first).toMatchObject({ amountIn: IN_OTHER, elsewhereUnits: IN_ASSOCIATED });
    await traders.trade(who, mint, 'sell', 10_000);
    expect(await traders.heldOf(who, mint)).toBe(IN_ASSOCIATED);
    const accounts = (await rig.chain.holding(who.address, mint)).accounts;
    expect(accounts.find(({ address }) => address === other)?.amount).toBe(0n);
    expect(await traders.quote(who, mint, 'sell', 10_000)).toMatchObject({
      amountIn: IN_ASSOCIATED,
      elsewhereUnits: 0n,
    });
    await traders.trade(who, mint, 'sell', 10_000);
    expect(await traders.heldOf(who, mint)).toBe(0n);
  });

  it('gives to an order what its fullest account gives', async () => {
    const { who, mint } = await holder('Order', 'PUP');
    expect(await createFireMarket(rig.trade).sellable(who.address, mint)).toMatchObject({
      units: IN_OTHER,
      elsewhere: IN_ASSOCIATED,
    });
  });

  it('refuses to sell more than one account has, with the most that is accepted and what all hold', async () => {
    const { who, mint } = await holder('Typed', 'PUP');
    const token = await rig.chain.token(mint);
    if (token === null) throw new Error('no token');
    const associated = rig.programs.associatedTokenAddress(who.address, mint, token.tokenProgram);
    const wanted = { wallet: who.address, token, associated };
    expect(await findShare(rig.trade, { ...wanted, shareBps: bps(10_000) })).toMatchObject({
      units: IN_OTHER,
    });
    await expect(sell(who, mint, ALL)).rejects.toMatchObject({
      code: 'INSUFFICIENT_TOKENS',
      details: { available: IN_OTHER, together: ALL },
    });
    expect((await sell(who, mint, IN_OTHER)).amountIn).toBe(IN_OTHER);
  });
});
