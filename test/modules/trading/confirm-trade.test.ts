import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { emptyGuard } from '../../../src/modules/guard/rules/guard.ts';
import { type ConfirmTradeDeps, confirmTrade } from '../../../src/modules/trading/use/confirm-trade.ts';
import { quoteTrade } from '../../../src/modules/trading/use/quote-trade.ts';
import { confirmable, type TradeQuote } from '../../../src/modules/trading/use/trade-quote.ts';
import { buildIntent, buildWallet, type DeskRig, startDeskRig } from './desk-rig.ts';

let rig: DeskRig;
let quote: TradeQuote;
let created: Parameters<ConfirmTradeDeps['createIntent']>[0][];
let stored: Map<string, Intent>;
const PAUSE = { what: 'trading', reason: 'a venue misquotes', since: 1, until: null } as const;
let paused: boolean;

beforeAll(async () => {
  rig = await startDeskRig('confirm-trade');
});
afterAll(() => rig.stop());
beforeEach(async () => {
  created = [];
  stored = new Map();
  paused = false;
  quote = await quoteTrade(rig.deps, {
    side: 'buy',
    wallet: rig.wallet,
    mint: rig.token('PUP').mint,
    slippageBps: bps(100),
    tier: 'fast',
    amount: { lamports: 250_000_000n },
  });
});

/** The real trade services over the real chain; only the database is held in memory. */
function deps(overrides: Partial<ConfirmTradeDeps> = {}): ConfirmTradeDeps {
  return {
    ...rig.deps,
    db: {
      wallets: { find: async (id) => (id === 'W1' ? buildWallet(rig.wallet) : null) },
      intents: { findByKey: async (key) => stored.get(key) ?? null },
      flags: { pauses: async () => (paused ? [PAUSE] : []) },
      guards: {
        findWithPauses: async (userId) => ({
          guard: emptyGuard(userId),
          paused: new Set(paused ? ['trading-paused' as const] : []),
        }),
      },
      referrals: {
        account: async (userId) =>
          userId === 'U1' ? { userId, code: 'ABC', createdAt: 0, codesChosen: 0 } : null,
      },
    },
    needsReferralAccount: false,
    createIntent: async (input) => {
      created.push(input);
      const intent = { ...buildIntent(input.idemKey, input.params), userId: input.userId };
      stored.set(input.idemKey, intent);
      return { intent, created: true };
    },
    ...overrides,
  };
}

const input = (overrides: Partial<Parameters<typeof confirmTrade>[1]> = {}) => ({
  userId: 'U1',
  walletId: 'W1',
  idemKey: 'K1',
  buttonId: 'B1',
  progress: { chatId: 5n, messageId: 6 },
  trade: confirmable(quote),
  ...overrides,
});

/** A market in which a buyer gets less by `shareBps`. */
function fallen(shareBps: bigint): ConfirmTradeDeps {
  const venues = rig.venues.map((venue) => ({
    ...venue,
    pools: async (...pair: Parameters<typeof venue.pools>) =>
      (await venue.pools(...pair)).map((pool) => ({
        ...pool,
        quote: (...asked: Parameters<typeof pool.quote>) =>
          (pool.quote(...asked) * (10_000n - shareBps)) / 10_000n,
        swap: () => [],
      })),
  }));
  return deps({ venues });
}

describe('confirmTrade', () => {
  it('creates the intent with exactly the confirmed terms', async () => {
    const result = await confirmTrade(deps(), input());
    expect(result.created).toBe(true);
    expect(created).toEqual([
      {
        userId: 'U1',
        walletId: 'W1',
        idemKey: 'K1',
        buttonId: 'B1',
        progress: { chatId: 5n, messageId: 6 },
        address: rig.wallet,
        guard: emptyGuard('U1'),
        params: {
          kind: 'buy',
          mint: quote.token.mint,
          lamportsIn: 250_000_000n,
          terms: quote.terms,
          tier: 'fast',
          quotedSlot: quote.slot,
        },
      },
    ]);
  });

  it('creates nothing for a repeated key, whatever the market or the switch did meanwhile', async () => {
    const first = await confirmTrade(deps(), input());
    rig.advanceClock(60_000);
    paused = true;
    const again = await confirmTrade(fallen(5_000n), input());
    expect(again).toEqual({ intent: first.intent, created: false });
    expect(created).toHaveLength(1);
  });

  it('does not give somebody the intent of another person’s key', async () => {
    await confirmTrade(deps(), input());
    await expect(confirmTrade(deps(), input({ userId: 'U2' }))).rejects.toMatchObject({
      code: 'INTENT_NOT_FOUND',
    });
  });

  it('asks for a referral account first where the operator wants that, and never for a trade that exists', async () => {
    const needing = { needsReferralAccount: true };
    const without = { ...deps().db, referrals: { account: async () => null } };
    await expect(confirmTrade(deps({ ...needing, db: without }), input())).rejects.toMatchObject({
      code: 'REFERRAL_REQUIRED',
    });
    expect(created).toHaveLength(0);
    await confirmTrade(deps(needing), input());
    expect((await confirmTrade(deps({ ...needing, db: without }), input())).created).toBe(false);
  });

  it('asks the market nothing while the quote is fresh', async () => {
    rig.advanceClock(10_000);
    await confirmTrade(deps({ venues: [] }), input());
    expect(created).toHaveLength(1);
  });

  it('lets a stale quote stand when the market still gives the confirmed minimum', async () => {
    rig.advanceClock(10_001);
    await confirmTrade(fallen(50n), input());
    expect(created[0]?.params.terms).toEqual(quote.terms);
  });

  it('throws PRICE_MOVED for a stale quote that the market no longer meets', async () => {
    rig.advanceClock(10_001);
    await expect(confirmTrade(fallen(200n), input())).rejects.toMatchObject({
      code: 'PRICE_MOVED',
      details: { minOut: quote.terms.minOut },
    });
    expect(created).toEqual([]);
  });

  it('refuses a wallet that is not the person’s own, and everything while trading is paused', async () => {
    await expect(confirmTrade(deps(), input({ walletId: 'W2' }))).rejects.toMatchObject({
      code: 'WALLET_NOT_FOUND',
    });
    await expect(confirmTrade(deps(), input({ userId: 'U2' }))).rejects.toMatchObject({
      code: 'WALLET_NOT_FOUND',
    });
    paused = true;
    await expect(confirmTrade(deps(), input())).rejects.toMatchObject({ code: 'PAUSED', details: PAUSE });
    expect(created).toEqual([]);
  });
});
