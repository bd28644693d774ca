import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createBuyPlanBuilder } from '../../../src/engine/intents/kinds/buy/plan.ts';
import { createSellPlanBuilder } from '../../../src/engine/intents/kinds/sell/plan.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import type { TradeQuote } from '../../../src/modules/trading/use/trade-quote.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import { ATTEMPT, buildIntent, buildWallet, type DeskRig, startDeskRig } from './desk-rig.ts';

let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('round-trip');
});
afterAll(() => rig.stop());

const settings = { slippageBps: bps(500), tier: 'normal' } as const;

function lamportsDelta(landed: LandedTransaction, account: string): bigint {
  const row = landed.balances.find((balance) => balance.address === account);
  return row === undefined ? 0n : row.after - row.before;
}

function tokenDelta(landed: LandedTransaction, owner: string, mint: string): bigint {
  return landed.tokenBalances
    .filter((row) => row.owner === owner && row.mint === mint)
    .reduce((sum, row) => sum + row.after - row.before, 0n);
}

function planFor(quote: TradeQuote, id: string, attempt = ATTEMPT) {
  const wallet = buildWallet(rig.wallet);
  const { terms, tier, token, side } = quote;
  const common = { mint: token.mint, terms, tier };
  return side === 'buy'
    ? createBuyPlanBuilder(rig.deps)(
        buildIntent(id, { kind: 'buy', ...common, lamportsIn: terms.amountIn }),
        wallet,
        attempt,
      )
    : createSellPlanBuilder(rig.deps)(
        buildIntent(id, { kind: 'sell', ...common, amountIn: terms.amountIn }),
        wallet,
        attempt,
      );
}

/** Ids as long as a real one: the wrapped-SOL seed and the memo are counted in the packet. */
const id = (n: number) => `01J8ZQ6Y7V3M9T2K4C5D6E7F${String(n).padStart(2, '0')}`;

describe.each([
  { symbol: 'PUP', what: 'an SPL token in two pools', n: 10 },
  { symbol: 'KOI', what: 'an SPL token in one pool', n: 20 },
  { symbol: 'TAX', what: 'a Token-2022 token with a transfer fee', n: 30 },
  { symbol: 'LAN', what: 'a token on its launch curve', n: 40 },
])('a trade of $symbol, $what', ({ symbol, n }) => {
  it('buys and sells exactly what the quotes said, to the unit', async () => {
    const { mint } = rig.token(symbol);
    const buy = await quoteTrade(rig.deps, {
      side: 'buy',
      wallet: rig.wallet,
      mint,
      ...settings,
      amount: { lamports: 500_000_000n },
    });
    expect(buy.terms.platformFeeLamports).toBe(5_000_000n);
    expect(buy.newAccountRentLamports).toBeGreaterThan(2_039_279n);
    const bought = await rig.execute(await planFor(buy, id(n)), id(n));
    expect(bought.err).toBeNull();
    expect(tokenDelta(bought, rig.wallet, mint)).toBe(buy.terms.quotedOut);
    expect(lamportsDelta(bought, rig.wallet)).toBe(
      -(500_000_000n + buy.newAccountRentLamports + bought.feeLamports),
    );
    expect(lamportsDelta(bought, rig.treasury)).toBe(5_000_000n);
    expect(bought.signatureCount).toBe(2);
    expect(buy.networkFeeUpToLamports).toBe(2n * 5_000n + 1_000_000n);

    const sell = await quoteTrade(rig.deps, {
      side: 'sell',
      wallet: rig.wallet,
      mint,
      ...settings,
      amount: { shareBps: bps(10_000) },
    });
    expect(sell.amountIn).toBe(buy.terms.quotedOut);
    const sold = await rig.execute(await planFor(sell, id(n + 1)), id(n + 1));
    expect(sold.err).toBeNull();
    expect(tokenDelta(sold, rig.wallet, mint)).toBe(-sell.amountIn);
    expect(lamportsDelta(sold, rig.wallet)).toBe(sell.terms.quotedOut - sold.feeLamports);
    expect(lamportsDelta(sold, rig.treasury)).toBe(sell.terms.platformFeeLamports);
    expect(sell.terms.platformFeeLamports).toBeGreaterThan(0n);
  });
});

describe.each([
  { symbol: 'BAO', what: 'a token without a pool against SOL', n: 60 },
  { symbol: 'INK', what: 'a token with hardly anything against SOL', n: 70 },
])('a trade of $symbol, $what', ({ symbol, n }) => {
  it('goes through another token both ways, exactly as quoted, and leaves nothing of it behind', async () => {
    const { mint } = rig.token(symbol);
    const usdc = rig.token('USDC').mint;
    const settled = { ...settings, wallet: rig.wallet, mint };
    const buy = await quoteTrade(rig.deps, { side: 'buy', ...settled, amount: { lamports: 500_000_000n } });
    expect(buy.terms.route.map(({ from, to }) => [from, to])).toEqual([
      [null, usdc],
      [usdc, null],
    ]);
    expect(buy.route.remainders).toEqual([]);
    if (symbol === 'INK') expect(buy.route.savesBps).toBeGreaterThan(1_000);
    else expect(buy.route.savesBps).toBeNull();
    // The account in the middle is closed again: only the bought token's own stays.
    const bought = await rig.execute(await planFor(buy, id(n)), id(n));
    expect(bought.err).toBeNull();
    expect(tokenDelta(bought, rig.wallet, mint)).toBe(buy.terms.quotedOut);
    expect(tokenDelta(bought, rig.wallet, usdc)).toBe(0n);
    expect(lamportsDelta(bought, rig.wallet)).toBe(
      -(500_000_000n + buy.newAccountRentLamports + bought.feeLamports),
    );

    const sell = await quoteTrade(rig.deps, { side: 'sell', ...settled, amount: { shareBps: bps(10_000) } });
    const sold = await rig.execute(await planFor(sell, id(n + 1)), id(n + 1));
    expect(sold.err).toBeNull();
    expect(tokenDelta(sold, rig.wallet, mint)).toBe(-sell.amountIn);
    expect(lamportsDelta(sold, rig.wallet)).toBe(sell.terms.quotedOut - sold.feeLamports);
  });
});

describe('a stranger who reads the first attempt on the wire', () => {
  it('cannot spoil the next one by sending lamports where its wrapped SOL would be', async () => {
    const { mint } = rig.token('KOI');
    const buy = await quoteTrade(rig.deps, {
      side: 'buy',
      wallet: rig.wallet,
      mint,
      ...settings,
      amount: { lamports: 100_000_000n },
    });
    const wrappedOf = async (attempt: string) => {
      const { instructions } = await planFor(buy, id(80), attempt);
      // CreateAccountWithSeed: the account that is opened is its second.
      return instructions.find(({ data }) => data[0] === 3)?.accounts[1]?.address;
    };
    const first = await wrappedOf(id(81));
    expect(first).toBeDefined();
    expect(await wrappedOf(id(82))).not.toBe(first);
    if (first === undefined) return;
    await rig.airdrop(first, 1_000_000_000n);
    await expect(rig.execute(await planFor(buy, id(80), id(81)), id(80))).rejects.toThrow(/Custom/);
    const landed = await rig.execute(await planFor(buy, id(80), id(82)), id(80));
    expect(landed.err).toBeNull();
  });
});

describe('a large trade', () => {
  it('is split over both desks and brings exactly the sum of what they quoted', async () => {
    const { mint } = rig.token('PUP');
    const buy = await quoteTrade(rig.deps, {
      side: 'buy',
      wallet: rig.wallet,
      mint,
      ...settings,
      amount: { lamports: 5_000_000_000n },
    });
    expect(buy.terms.route.map(({ venue }) => venue)).toEqual(['Desk North', 'Desk South']);
    expect(buy.terms.route.reduce((sum, { percent }) => sum + percent, 0)).toBe(100);
    const bought = await rig.execute(await planFor(buy, id(50)), id(50));
    expect(bought.err).toBeNull();
    expect(bought.signatureCount).toBe(3);
    expect(tokenDelta(bought, rig.wallet, mint)).toBe(buy.terms.quotedOut);

    const sell = await quoteTrade(rig.deps, {
      side: 'sell',
      wallet: rig.wallet,
      mint,
      ...settings,
      amount: { shareBps: bps(10_000) },
    });
    expect(sell.terms.route).toHaveLength(2);
    const sold = await rig.execute(await planFor(sell, id(51)), id(51));
    expect(lamportsDelta(sold, rig.wallet)).toBe(sell.terms.quotedOut - sold.feeLamports);
  });
});
