import { AccountState } from '@solana/spl-token';
import { Keypair } from '@solana/web3.js';
import { addressBytes, TOKEN_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { bps } from '../../../src/core/amounts/bps.ts';
import { AppError, hasCode } from '../../../src/core/errors/app-error.ts';
import { createBuyPlanBuilder } from '../../../src/engine/intents/kinds/buy/plan.ts';
import { createSellPlanBuilder } from '../../../src/engine/intents/kinds/sell/plan.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import type { BuyRequest, SellRequest, TradeQuote } from '../../../src/modules/trading/use/trade-quote.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';
import { ATTEMPT, buildIntent, buildWallet, type DeskRig, startDeskRig } from './desk-rig.ts';

let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('quote-trade');
});
afterAll(() => rig.stop());

const fresh = () => address(Keypair.generate().publicKey.toBase58());
const SOL = 1_000_000_000n;

function buy(overrides: Partial<BuyRequest> = {}): BuyRequest {
  return {
    side: 'buy',
    wallet: rig.wallet,
    mint: rig.token('PUP').mint,
    slippageBps: bps(500),
    tier: 'normal',
    amount: { lamports: SOL / 2n },
    ...overrides,
  };
}

function sell(overrides: Partial<SellRequest> = {}): SellRequest {
  return { ...buy(), side: 'sell', amount: { shareBps: bps(10_000) }, ...overrides };
}

function buyPlan(quote: TradeQuote, deps = rig.deps) {
  const { terms, token, tier } = quote;
  const params = { kind: 'buy', mint: token.mint, lamportsIn: terms.amountIn, terms, tier } as const;
  return createBuyPlanBuilder(deps)(
    buildIntent('01J8ZQ6Y7V3M9T2K4C5D6E7F00', params),
    buildWallet(rig.wallet),
    ATTEMPT,
  );
}

function sellPlan(quote: TradeQuote, deps = rig.deps) {
  const { terms, token, tier } = quote;
  const params = { kind: 'sell', mint: token.mint, amountIn: terms.amountIn, terms, tier } as const;
  return createSellPlanBuilder(deps)(
    buildIntent('01J8ZQ6Y7V3M9T2K4C5D6E7F01', params),
    buildWallet(rig.wallet),
    ATTEMPT,
  );
}

describe('quoting a buy', () => {
  it('fills the confirm screen', async () => {
    const quote = await quoteTrade(rig.deps, buy());
    const { terms } = quote;
    expect(quote).toMatchObject({
      side: 'buy',
      amountIn: SOL / 2n,
      networkFeeUpToLamports: 1_010_000n,
      newAccountRentLamports: 2_039_280n,
      leavesWalletUpToLamports: SOL / 2n + 1_010_000n + 2_039_280n,
      walletLamports: 20n * SOL,
      safety: { level: 'OK', warnings: [{ code: 'METADATA_CHANGEABLE', severity: 'NOTE' }] },
      warnings: [],
      quotedAt: rig.deps.clock.now(),
      expiresAt: rig.deps.clock.now() + 10_000,
    });
    expect(terms.platformFeeLamports).toBe(5_000_000n);
    expect(terms.minOut).toBe((terms.quotedOut * 95n + 99n) / 100n);
    expect(terms.route).toHaveLength(1);
    expect(terms.route[0]).toMatchObject({ venue: 'Desk North', percent: 100 });
    expect(terms.priceImpactBps).toBeGreaterThan(0);
    expect(terms.priceImpactBps).toBeLessThan(100);
    expect(quote.slot).toBeGreaterThan(0n);
  });

  it('takes the pool that gives more, which is another one for another size', async () => {
    const routeOf = async (lamports: bigint) =>
      (await quoteTrade(rig.deps, buy({ amount: { lamports } }))).terms.route[0]?.venue;
    // The smaller desk asks a lower fee; the larger one moves less.
    const [small, large] = [await routeOf(SOL / 1_000n), await routeOf(10n * SOL)];
    const best = async (lamports: bigint) => {
      const pools = await rig.venues[0]!.pools(WSOL_MINT, rig.token('PUP').mint);
      const swapped = lamports - lamports / 100n;
      return pools.toSorted((a, b) => (a.quote(WSOL_MINT, swapped) > b.quote(WSOL_MINT, swapped) ? -1 : 1))[0]
        ?.label;
    };
    expect(small).toBe(await best(SOL / 1_000n));
    expect(large).toBe(await best(10n * SOL));
  });

  it('shows the token’s own warnings and a transfer fee inside the quote', async () => {
    const quote = await quoteTrade(rig.deps, buy({ mint: rig.token('TAX').mint }));
    expect(quote.safety.warnings.map((warning) => warning.code)).toContain('TRANSFER_FEE');
    expect(quote.newAccountRentLamports).toBe(2_157_600n);
    const known = { ...rig.deps, wellKnown: [{ symbol: 'tax', mint: fresh() }] };
    expect((await quoteTrade(known, buy({ mint: rig.token('TAX').mint }))).safety.warnings[0]?.code).toBe(
      'SAME_SYMBOL',
    );
  });

  it('warns of impact and slippage, and refuses what would lose half', async () => {
    const rich = fresh();
    await rig.airdrop(rich, 2_000n * SOL);
    const quote = (lamports: bigint, mint = rig.token('PUP').mint) =>
      quoteTrade(rig.deps, buy({ wallet: rich, mint, amount: { lamports }, slippageBps: bps(2_001) }));
    expect((await quote(20n * SOL)).warnings).toMatchObject([
      { code: 'PRICE_IMPACT', secondTap: false },
      { code: 'HIGH_SLIPPAGE', slippageBps: 2_001 },
    ]);
    expect((await quote(100n * SOL)).warnings[0]).toMatchObject({ code: 'PRICE_IMPACT', secondTap: true });
    await expect(quote(1_000n * SOL)).rejects.toMatchObject({
      code: 'PRICE_IMPACT_TOO_HIGH',
      details: { maxBps: 5_000 },
    });
  });

  it('knows the exact least balance: one lamport less is refused, that balance trades', async () => {
    const poor = fresh();
    const needed = SOL / 2n + 1_010_000n + 2n * 2_039_280n;
    await rig.airdrop(poor, needed - 1n);
    await expect(quoteTrade(rig.deps, buy({ wallet: poor }))).rejects.toMatchObject({
      code: 'INSUFFICIENT_LAMPORTS',
      details: { needed, available: needed - 1n, amount: SOL / 2n, fees: needed - SOL / 2n },
    });
    await rig.airdrop(poor, 1n);
    expect((await quoteTrade(rig.deps, buy({ wallet: poor }))).walletLamports).toBe(needed);
    await expect(quoteTrade(rig.deps, buy({ wallet: fresh() }))).rejects.toMatchObject({
      details: { available: 0n },
    });
  });

  it('names missing SOL before what the market lacks', async () => {
    const poor = fresh();
    await rig.airdrop(poor, SOL);
    const asked = (lamports: bigint) => quoteTrade(rig.deps, buy({ wallet: poor, amount: { lamports } }));
    // The first would move the price by half, the second is more than any pool takes.
    for (const lamports of [1_000n * SOL, 1_000_000_000n * SOL])
      await expect(asked(lamports)).rejects.toMatchObject({
        code: 'INSUFFICIENT_LAMPORTS',
        details: { available: SOL, amount: lamports },
      });
    const refused: unknown = await asked(1_000n * SOL).catch((error: unknown) => error);
    const most = hasCode(refused, 'INSUFFICIENT_LAMPORTS') ? (refused.details.most ?? 0n) : 0n;
    expect((await asked(most)).amountIn).toBe(most);
  });

  it('keeps an account’s rent and 0.003 SOL when told to spend the maximum', async () => {
    const quote = await quoteTrade(rig.deps, buy({ amount: 'max' }));
    const left = quote.walletLamports - quote.leavesWalletUpToLamports;
    expect(left).toBe(2_039_280n + 3_000_000n);
    const poor = fresh();
    await rig.airdrop(poor, 5_000_000n);
    await expect(quoteTrade(rig.deps, buy({ wallet: poor, amount: 'max' }))).rejects.toMatchObject({
      code: 'INSUFFICIENT_LAMPORTS',
    });
  });

  it.each<[string, () => Partial<BuyRequest>, string]>([
    ['SOL for SOL', () => ({ mint: WSOL_MINT }), 'SAME_TOKEN'],
    ['an address that is no mint', () => ({ mint: fresh() }), 'TOKEN_NOT_FOUND'],
    ['a single lamport', () => ({ amount: { lamports: 1n }, mint: rig.token('USDC').mint }), 'AMOUNT_DUST'],
  ])('refuses %s', async (_, overrides, code) => {
    await expect(quoteTrade(rig.deps, buy(overrides()))).rejects.toMatchObject({ code });
  });

  it('is refused for a wallet whose account of the token the issuer froze: nothing could arrive', async () => {
    const wallet = fresh();
    await rig.airdrop(wallet, 2n * SOL);
    const { mint } = rig.token('PUP');
    const data = new Uint8Array(165);
    data.set(addressBytes(mint), 0);
    data.set(addressBytes(wallet), 32);
    data[108] = AccountState.Frozen;
    const account = rig.deps.programs.associatedTokenAddress(wallet, mint, TOKEN_PROGRAM);
    const state = { lamports: 2_039_280n, owner: TOKEN_PROGRAM, executable: false };
    rig.local.chain.writeAccount(account, { ...state, data });
    rig.confirmSlots();
    await expect(quoteTrade(rig.deps, buy({ wallet }))).rejects.toMatchObject({
      code: 'TOKEN_NOT_TRANSFERABLE',
      details: { mint, reason: 'frozen' },
    });
    data[108] = AccountState.Initialized;
    rig.local.chain.writeAccount(account, { ...state, data });
    rig.confirmSlots();
    expect(await quoteTrade(rig.deps, buy({ wallet }))).toMatchObject({ newAccountRentLamports: 0n });
  });

  it('finds no route for a mint without a pool against SOL', async () => {
    await expect(quoteTrade({ ...rig.deps, venues: [] }, buy())).rejects.toMatchObject({ code: 'NO_ROUTE' });
  });

  it('passes over a venue that is down while another answers', async () => {
    const down: Venue = {
      name: 'down',
      pools: () => Promise.reject(new AppError('CHAIN_UNREACHABLE', { endpoint: 'x', cause: 'down' })),
      counterparts: async () => [],
    };
    const both = { ...rig.deps, venues: [down, ...rig.venues] };
    expect((await quoteTrade(both, buy())).terms.quotedOut).toBeGreaterThan(0n);
    await expect(quoteTrade({ ...rig.deps, venues: [down] }, buy())).rejects.toMatchObject({
      code: 'CHAIN_UNREACHABLE',
    });
  });
});

describe('building a buy', () => {
  it('encodes accounts and limits that the simulation is held to', async () => {
    const quote = await quoteTrade(rig.deps, buy());
    const plan = await buyPlan(quote);
    const account = rig.programs.associatedTokenAddress(rig.wallet, quote.token.mint, TOKEN_PROGRAM);
    expect(plan.expect).toEqual({
      maxLamportsOut: SOL / 2n + 2_039_280n,
      minLamportsIn: null,
      tokens: [{ account, mint: quote.token.mint, minDelta: quote.terms.minOut }],
    });
    expect(plan.terms).toEqual(quote.terms);
    const message = await rig.compile(plan, '01J8ZQ6Y7V3M9T2K4C5D6E7F00');
    expect(1 + 64 * message.signers.length + message.bytes.length).toBeLessThanOrEqual(1_232);
  });

  it('throws PRICE_MOVED when the market no longer gives the confirmed minimum', async () => {
    const quote = await quoteTrade(rig.deps, buy());
    const minOut = quote.terms.quotedOut + 1n;
    await expect(buyPlan({ ...quote, terms: { ...quote.terms, minOut } })).rejects.toMatchObject({
      code: 'PRICE_MOVED',
      details: { minOut, got: quote.terms.quotedOut },
    });
  });

  it('never takes a higher fee than confirmed, and swaps what a waived fee leaves', async () => {
    const quote = await quoteTrade(rig.deps, buy());
    const dearer = await buyPlan(quote, {
      ...rig.deps,
      platformFee: async () => ({ lamports: 9_000_000n, discountBps: bps(0) }),
    });
    expect(dearer.terms?.platformFeeLamports).toBe(5_000_000n);
    const waived = await buyPlan(quote, {
      ...rig.deps,
      platformFee: async () => ({ lamports: 0n, discountBps: bps(0) }),
    });
    expect(waived.terms?.platformFeeLamports).toBe(0n);
    expect(waived.terms?.quotedOut).toBeGreaterThan(quote.terms.quotedOut);
    expect(waived.instructions).toHaveLength(dearer.instructions.length - 1);
  });

  it('raises the minimum with a market that rose', async () => {
    const quote = await quoteTrade(rig.deps, buy());
    const low = { ...quote.terms, quotedOut: quote.terms.quotedOut / 2n, minOut: quote.terms.minOut / 2n };
    const plan = await buyPlan({ ...quote, terms: low });
    expect(plan.expect.tokens[0]?.minDelta).toBe(quote.terms.minOut);
  });
});

describe('quoting and building a sale', () => {
  it('sells a share or an amount, and names what is missing', async () => {
    const mint = rig.token('KOI').mint;
    await expect(quoteTrade(rig.deps, sell({ mint }))).rejects.toMatchObject({
      code: 'INSUFFICIENT_TOKENS',
      details: { available: 0n, decimals: 9 },
    });
    const bought = await quoteTrade(rig.deps, buy({ mint }));
    await rig.execute(await buyPlan(bought), 'buy-for-sale');
    const held = bought.terms.quotedOut;
    expect((await quoteTrade(rig.deps, sell({ mint, amount: { shareBps: bps(2_500) } }))).amountIn).toBe(
      held / 4n,
    );
    expect((await quoteTrade(rig.deps, sell({ mint, amount: { units: held } }))).amountIn).toBe(held);
    await expect(quoteTrade(rig.deps, sell({ mint, amount: { units: held + 1n } }))).rejects.toMatchObject({
      code: 'INSUFFICIENT_TOKENS',
      details: { needed: held + 1n, available: held },
    });

    const quote = await quoteTrade(rig.deps, sell({ mint }));
    const gross = quote.terms.quotedOut + quote.terms.platformFeeLamports;
    expect(quote.terms.platformFeeLamports).toBe(gross / 100n);
    expect(quote.leavesWalletUpToLamports).toBe(quote.networkFeeUpToLamports);
    const plan = await sellPlan(quote);
    expect(plan.expect.minLamportsIn).toBe(quote.terms.minOut);
    expect(plan.expect.tokens[0]?.minDelta).toBe(-held);
    const minOut = quote.terms.quotedOut + 1n;
    await expect(sellPlan({ ...quote, terms: { ...quote.terms, minOut } })).rejects.toMatchObject({
      code: 'PRICE_MOVED',
    });
    const dearer = await sellPlan(quote, {
      ...rig.deps,
      platformFee: async (amount) => ({ lamports: amount / 10n, discountBps: bps(0) }),
    });
    expect(dearer.terms?.platformFeeLamports).toBe(quote.terms.platformFeeLamports);
  });

  it('says that a sale, too, needs a little SOL', async () => {
    const mint = rig.token('PUP').mint;
    const holder = rig.local.world.pools.find((pool) => pool.mintA === mint)!.id;
    const lamports = await rig.chain.balance(holder);
    expect(lamports).toBeLessThan(2_039_280n);
    await expect(
      quoteTrade(rig.deps, sell({ wallet: holder, mint, amount: { units: 1_000_000n } })),
    ).rejects.toMatchObject({
      code: 'INSUFFICIENT_LAMPORTS',
      details: { amount: 0n, needed: 1_010_000n + 2_039_280n, available: lamports },
    });
  });
});
