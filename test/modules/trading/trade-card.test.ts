import { WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { createBuyPlanBuilder } from '../../../src/engine/intents/kinds/buy/plan.ts';
import { createSolPrice } from '../../../src/modules/market/use/sol-price.ts';
import { valueAt } from '../../../src/modules/trading/rules/price.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import { tradeCard } from '../../../src/modules/trading/use/trade-card.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';
import { ATTEMPT, buildIntent, buildWallet, type DeskRig, startDeskRig } from './desk-rig.ts';

let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('trade-card');
});
afterAll(() => rig.stop());

const card = (symbol: string) => {
  const solPrice = createSolPrice({ ...rig.deps, usdMint: rig.token('USDC').mint });
  return tradeCard({ ...rig.deps, solPrice }, { wallet: rig.wallet, mint: rig.token(symbol).mint });
};

describe('tradeCard', () => {
  it('prices a token in SOL and dollars and tells liquidity, holding and the way out', async () => {
    const shown = await card('PUP');
    // 25,000,000 PUP against 250 SOL in the deepest pool: 0.00001 SOL each, SOL at 150 dollars.
    expect(shown.token).toMatchObject({ symbol: 'PUP', name: 'Puppy' });
    expect(valueAt(shown.price!, 1_000_000_000_000n, 6)).toBeGreaterThan(9_999_000_000n);
    expect(valueAt(shown.price!, 1_000_000_000_000n, 6)).toBeLessThan(10_001_000_000n);
    expect(shown.microUsdPerSol).toBeGreaterThan(149_900_000n);
    expect(shown.microUsdPerSol).toBeLessThan(150_100_000n);
    expect(shown.picoUsd).toBeGreaterThan(1_498_000_000n);
    expect(shown.picoUsd).toBeLessThan(1_502_000_000n);
    expect(shown.liquidityLamports).toBeGreaterThan(720n * 1_000_000_000n);
    expect(shown.liquidityLamports).toBeLessThanOrEqual(740n * 1_000_000_000n);
    expect(shown).toMatchObject({ holdingUnits: 0n, walletLamports: 20_000_000_000n });
    expect(shown.safety.level).toBe('OK');
    // One percent to the service each way leaves 98.01 %; the pools' own fees come off that.
    expect(shown.testSale?.returnedBps).toBeGreaterThan(9_750);
    expect(shown.testSale?.returnedBps).toBeLessThan(9_801);
  });

  it('shows in the test sale what a transfer fee takes twice', async () => {
    const shown = await card('TAX');
    expect(shown.testSale?.returnedBps).toBeGreaterThan(9_500);
    expect(shown.testSale?.returnedBps).toBeLessThan(9_606);
    expect(shown.safety.warnings[0]).toMatchObject({ code: 'TRANSFER_FEE', bps: 100 });
  });

  it('counts only the real SOL of a launch curve as liquidity', async () => {
    expect((await card('LAN')).liquidityLamports).toBe(10_000_000_000n);
  });

  it('prices a curve that nobody has bought from yet, and tries no sale that only the purchase could pay', async () => {
    const { mint } = rig.token('LAN');
    const unsold: readonly Venue[] = rig.deps.venues.map((venue) => ({
      ...venue,
      pools: async (...pair) =>
        (await venue.pools(...pair)).map((pool): Pool => {
          if (pool.shape?.kind !== 'launch-curve') return pool;
          const [tokens] = pool.shape.realReserves;
          return {
            ...pool,
            shape: { ...pool.shape, realReserves: [tokens, 0n] },
            quote: (mintIn, amountIn) => (mintIn === mint ? 0n : pool.quote(mintIn, amountIn)),
          };
        }),
    }));
    const solPrice = createSolPrice({ ...rig.deps, usdMint: rig.token('USDC').mint });
    const shown = await tradeCard({ ...rig.deps, venues: unsold, solPrice }, { wallet: rig.wallet, mint });
    expect(shown).toMatchObject({ liquidityLamports: 0n, testSale: null });
    expect(shown.price).toBe((await card('LAN')).price);
  });

  it('shows the holding after a purchase', async () => {
    const mint = rig.token('KOI').mint;
    const quote = await quoteTrade(rig.deps, {
      side: 'buy',
      wallet: rig.wallet,
      mint,
      slippageBps: bps(100),
      tier: 'economy',
      amount: { lamports: 100_000_000n },
    });
    const { terms, tier } = quote;
    const params = { kind: 'buy', mint, lamportsIn: terms.amountIn, terms, tier } as const;
    const plan = createBuyPlanBuilder(rig.deps)(
      buildIntent('held', params),
      buildWallet(rig.wallet),
      ATTEMPT,
    );
    await rig.execute(await plan, 'held');
    expect((await card('KOI')).holdingUnits).toBe(terms.quotedOut);
  });

  it('leaves unknown what no pool tells', async () => {
    const shown = await tradeCard(
      { ...rig.deps, venues: [], solPrice: async () => null },
      { wallet: rig.wallet, mint: rig.token('PUP').mint },
    );
    expect(shown).toMatchObject({ price: null, picoUsd: null, testSale: null, liquidityLamports: 0n });
  });
});

describe('createSolPrice', () => {
  it('asks once in ten seconds and again afterwards', async () => {
    let asked = 0;
    let now = 0;
    const venues = rig.venues.map((venue) => ({
      ...venue,
      pools: (...pair: Parameters<typeof venue.pools>) => {
        asked++;
        return venue.pools(...pair);
      },
    }));
    const usdMint = rig.token('USDC').mint;
    const price = createSolPrice({ chain: rig.chain, venues, clock: { now: () => now }, usdMint });
    expect(await Promise.all([price(), price()])).toEqual([await price(), await price()]);
    now = 9_999;
    await price();
    expect(asked).toBe(1);
    now = 10_000;
    expect(await price()).not.toBeNull();
    expect(asked).toBe(2);
  });

  it('is unknown without a dollar token, without pools, for an unknown mint and when the source fails', async () => {
    const base = { chain: rig.chain, clock: rig.deps.clock, venues: rig.venues };
    const usdMint = rig.token('USDC').mint;
    expect(await createSolPrice({ ...base, usdMint: null })()).toBeNull();
    expect(await createSolPrice({ ...base, venues: [], usdMint })()).toBeNull();
    expect(await createSolPrice({ ...base, usdMint: WSOL_MINT })()).toBeNull();
    const broken = rig.venues.map((venue) => ({ ...venue, pools: () => Promise.reject(new Error('down')) }));
    expect(await createSolPrice({ ...base, venues: broken, usdMint })()).toBeNull();
  });
});
