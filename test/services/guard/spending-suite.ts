import { describe, expect, it } from 'vitest';
import { hasCode } from '../../../src/core/errors/app-error.ts';
import type { Doubt } from '../../../src/core/guard/judge-spending.ts';
import type { TradeTerms } from '../../../src/core/intents/terms.ts';
import type { Database } from '../../../src/core/ports/stores.ts';
import type { BuyParams } from '../../../src/intents/buy/params.ts';
import type { SellParams } from '../../../src/intents/sell/params.ts';
import { freezeAccount } from '../../../src/services/guard/freeze-account.ts';
import { createSpendingIntent, whyPin } from '../../../src/services/guard/guard-spending.ts';
import { hashPin, setPin } from '../../../src/services/guard/set-pin.ts';
import { lockTrades, unlockTrades } from '../../../src/services/guard/unlock-trades.ts';
import { cancelIntent } from '../../../src/services/transactions/cancel-intent.ts';
import { MINT } from '../../core/intents/build.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { guardRig, HOUR } from './guard-rig.ts';

const SOL = 1_000_000_000n;
const TERMS: TradeTerms = {
  amountIn: SOL,
  quotedOut: 5n,
  minOut: 4n,
  platformFeeLamports: 0n,
  priceImpactBps: 100,
  slippageBps: 500,
  route: [],
};

/** What a chat may spend, on any database. */
export function describeSpending(open: () => Promise<Database>): void {
  let seed = 100;
  async function rigOf(doubts: readonly Doubt[] = []) {
    const pins = fakePins();
    seed += 1;
    const rig = await guardRig(await open(), pins, seed);
    const asked: string[] = [];
    const deps = {
      ...rig.deps,
      doubtToken: async (mint: string) => {
        asked.push(mint);
        return doubts;
      },
    };
    let serial = 0;
    const spend = (params: BuyParams | SellParams) => {
      serial += 1;
      const request = { userId: rig.user.id, walletId: rig.wallet.id, params };
      return createSpendingIntent(deps, { ...request, idemKey: `${rig.user.id}-${serial}` });
    };
    const buy = (lamports: bigint) =>
      spend({ kind: 'buy', mint: MINT, lamportsIn: lamports, terms: TERMS, tier: 'normal' });
    const sell = (terms: Partial<TradeTerms> = {}) =>
      spend({ kind: 'sell', mint: MINT, amountIn: SOL, terms: { ...TERMS, ...terms }, tier: 'normal' });
    const reasons = async (work: Promise<unknown>): Promise<readonly string[]> => {
      const error = await work.then(
        () => null,
        (thrown: unknown) => thrown,
      );
      if (error === null) return [];
      if (!hasCode(error, 'TRADE_PIN')) throw error;
      return error.details.reasons;
    };
    return { ...rig, deps, pins, asked, buy, sell, reasons };
  }

  describe('spending from a chat', () => {
    it('lets confirmations that arrive together spend the cap once', async () => {
      const { buy, reasons } = await rigOf();
      const found: (readonly string[])[] = [];
      for (let round = 0; round < 3; round += 1) {
        found.push(...(await Promise.all([0, 1, 2, 3].map(() => reasons(buy((SOL * 3n) / 2n))))));
      }
      expect(found.filter(({ length }) => length === 0)).toHaveLength(3);
      expect(new Set(found.flat())).toEqual(new Set(['cap']));
    });

    it('counts a window of 24 hours, and not what moved nothing', async () => {
      const { deps, db, clock, user, buy, reasons } = await rigOf();
      const { intent } = await buy(5n * SOL);
      expect(await reasons(buy(1n))).toEqual(['cap']);
      await cancelIntent(deps, { intentId: intent.id, userId: user.id });
      await buy(4n * SOL);
      clock.advance(24 * HOUR - 1);
      expect(await reasons(buy(2n * SOL))).toEqual(['cap']);
      clock.advance(2);
      await buy(5n * SOL);
      expect(await db.guards.spentSince(user.id, clock.now() - 24 * HOUR)).toBe(5n * SOL);
    });

    it('takes the PIN for a token in doubt whatever the amount, and asks nothing about it once trades are unlocked', async () => {
      const { deps, db, pins, user, clock, asked, buy, sell, reasons } = await rigOf(['young', 'poor-exit']);
      expect(await reasons(buy(1n))).toEqual(['young', 'poor-exit']);
      // Getting out is not made to wait for a first PIN; where there is one, it is asked for.
      expect(await reasons(sell())).toEqual([]);
      await givePin(db, pins, user.id);
      expect(await reasons(sell())).toEqual(['young']);
      const { until } = await unlockTrades(deps, { userId: user.id, pin: TEST_PIN });
      expect(until - clock.now()).toBe(12 * HOUR);
      const before = asked.length;
      await buy(50n * SOL);
      await sell();
      expect(asked).toHaveLength(before);
      expect(await db.guards.spentSince(user.id, 0)).toBe(0n);
      clock.advance(12 * HOUR - 1);
      await buy(1n);
      clock.advance(1);
      expect(await reasons(buy(1n))).toEqual(['young', 'poor-exit']);
    });

    it('takes the PIN for a sale that may bring less than 85 % of the price', async () => {
      const { sell, reasons } = await rigOf();
      expect(await reasons(sell({ slippageBps: 1_400, priceImpactBps: 100 }))).toEqual([]);
      expect(await reasons(sell({ slippageBps: 1_500, priceImpactBps: 1 }))).toEqual(['steep']);
      expect(await reasons(sell({ slippageBps: 50, priceImpactBps: 1_500 }))).toEqual(['steep']);
      expect(await reasons(sell({ slippageBps: 10_000, priceImpactBps: 0 }))).toEqual(['steep']);
    });

    it('asks about the token after all when trades were locked between the look and the commit', async () => {
      const { deps, db, pins, user, wallet, reasons } = await rigOf(['home-made']);
      await givePin(db, pins, user.id);
      await unlockTrades(deps, { userId: user.id, pin: TEST_PIN });
      let locks = 0;
      const racing = {
        ...deps,
        db: {
          ...db,
          transact: async <T>(
            work: (stores: Parameters<Parameters<Database['transact']>[0]>[0]) => Promise<T>,
          ) => {
            if (locks === 0) {
              locks += 1;
              await lockTrades(deps, { userId: user.id });
            }
            return db.transact(work);
          },
        },
      };
      const params: BuyParams = { kind: 'buy', mint: MINT, lamportsIn: 1n, terms: TERMS, tier: 'normal' };
      const request = { userId: user.id, walletId: wallet.id, params, idemKey: `race-${user.id}` };
      expect(await reasons(createSpendingIntent(racing, request))).toEqual(['home-made']);
    });

    it('says beforehand what confirming would say, and changes nothing by it', async () => {
      const { deps, user, wallet, db, buy } = await rigOf();
      await buy(4n * SOL);
      const params: BuyParams = {
        kind: 'buy',
        mint: MINT,
        lamportsIn: 2n * SOL,
        terms: TERMS,
        tier: 'normal',
      };
      const request = { userId: user.id, walletId: wallet.id, params };
      expect(await whyPin(deps, request)).toEqual({ reasons: ['cap'], cap: 5n * SOL, left: SOL });
      expect(await whyPin(deps, { ...request, params: { ...params, lamportsIn: SOL } })).toMatchObject({
        reasons: [],
      });
      expect(await db.guards.spentSince(user.id, 0)).toBe(4n * SOL);
    });

    it('lets a PIN that was just set unlock nothing before its wait, unless the person is new', async () => {
      const { deps, user, clock } = await rigOf();
      const set = async (): Promise<void> => {
        const hash = await hashPin(deps, { userId: user.id, pin: TEST_PIN });
        const replaces = (await deps.db.guards.find(user.id)).pinHash;
        await setPin(deps, { userId: user.id, hash, again: TEST_PIN, replaces });
      };
      const unlock = () => unlockTrades(deps, { userId: user.id, pin: TEST_PIN });
      await set();
      await expect(unlock()).rejects.toMatchObject({ code: 'PIN_TOO_NEW' });
      clock.advance(2 * HOUR);
      await unlock();
      await freezeAccount(deps, { userId: user.id });
      expect((await deps.db.guards.find(user.id)).unlockedUntil).toBeNull();
      await expect(unlock()).rejects.toMatchObject({ code: 'ACCOUNT_FROZEN' });

      const fresh = { ...user, id: deps.ids.ulid(), telegramId: user.telegramId + 50_000n };
      await deps.db.users.insert({ ...fresh, activeWalletId: null, createdAt: clock.now() - 23 * HOUR });
      const hash = await hashPin(deps, { userId: fresh.id, pin: TEST_PIN });
      await setPin(deps, { userId: fresh.id, hash, again: TEST_PIN, replaces: null });
      await unlockTrades(deps, { userId: fresh.id, pin: TEST_PIN });
    });
  });
}
