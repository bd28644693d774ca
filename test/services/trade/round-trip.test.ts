import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { LandedTransaction } from '../../../src/core/ports/chain.ts';
import { createBuyPlanBuilder } from '../../../src/services/trade/build-buy-plan.ts';
import { createSellPlanBuilder } from '../../../src/services/trade/build-sell-plan.ts';
import { quoteTrade } from '../../../src/services/trade/quote-trade.ts';
import type { TradeQuote } from '../../../src/services/trade/trade-quote.ts';
import { ATTEMPT, buildIntent, buildWallet, type DeskRig, startDeskRig } from './desk-rig.ts';

let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('round-trip');
}, 30_000);
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
      const { instructions } = await planFor(buy, id(60), attempt);
      // CreateAccountWithSeed: the account that is opened is its second.
      return instructions.find(({ data }) => data[0] === 3)?.accounts[1]?.address;
    };
    const first = await wrappedOf(id(61));
    expect(first).toBeDefined();
    expect(await wrappedOf(id(62))).not.toBe(first);
    if (first === undefined) return;
    await rig.airdrop(first, 1_000_000_000n);
    await expect(rig.execute(await planFor(buy, id(60), id(61)), id(60))).rejects.toThrow(/Custom/);
    const landed = await rig.execute(await planFor(buy, id(60), id(62)), id(60));
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
