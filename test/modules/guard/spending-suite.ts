import { describe, expect, it } from 'vitest';
import { hasCode } from '../../../src/core/errors/app-error.ts';
import type { BuyParams } from '../../../src/engine/intents/kinds/buy/params.ts';
import type { SellParams } from '../../../src/engine/intents/kinds/sell/params.ts';
import type { TradeTerms } from '../../../src/engine/intents/rules/terms.ts';
import { cancelIntent } from '../../../src/engine/transactions/use/cancel-intent.ts';
import type { Doubt } from '../../../src/modules/guard/rules/doubt.ts';
import { freezeAccount } from '../../../src/modules/guard/use/freeze-account.ts';
import { createSpendingIntent, whyPin } from '../../../src/modules/guard/use/guard-spending.ts';
import { hashPin, setPin } from '../../../src/modules/guard/use/set-pin.ts';
import { lockTrades, unlockTrades } from '../../../src/modules/guard/use/unlock-trades.ts';
import type { Rate } from '../../../src/modules/orders/rules/rate.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { MINT } from '../../engine/intents/build.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { PASSED } from '../../support/passed.ts';
import { guardRig, HOUR } from './guard-rig.ts';

const SOL = 1_000_000_000n;
/** What two landings of a trade may pay at most: six signatures and the priority of the usual tier. */
const FEES = 2n * (6n * 5_000n + 1_000_000n);
/** The same at the lowest priority. */
const FLOOR = 2n * (6n * 5_000n + 100_000n);

const TERMS: TradeTerms = {
  amountIn: SOL,
  quotedOut: 1_000n,
  minOut: 950n,
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
    const usual: { price: Rate | null } = { price: null };
    const deps = {
      ...rig.deps,
      // Three sales at the lowest priority, and not quite four.
      guardRules: { ...rig.deps.guardRules, floorFeesLamports: 4n * FLOOR - 1n },
      doubtToken: async (mint: string) => {
        asked.push(mint);
        return doubts;
      },
      usualPrice: async () => usual.price,
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
    return { ...rig, deps, pins, asked, usual, buy, sell, reasons };
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
      const { intent } = await buy(5n * SOL - FEES);
      expect(await reasons(buy(1n))).toEqual(['cap']);
      await cancelIntent(deps, { intentId: intent.id, userId: user.id });
      await buy(4n * SOL);
      clock.advance(24 * HOUR - 1);
      expect(await reasons(buy(2n * SOL))).toEqual(['cap']);
      clock.advance(2);
      await buy(5n * SOL - FEES);
      expect((await db.guards.sumsSince(user.id, clock.now() - 24 * HOUR)).s).toBe(5n * SOL);
    });

    it('counts the fees of a trade with it, to the lamport', async () => {
      const { db, user, buy, sell, reasons } = await rigOf();
      expect(await reasons(buy(5n * SOL - FEES + 1n))).toEqual(['cap']);
      await buy(SOL);
      await sell();
      const sums = await db.guards.sumsSince(user.id, 0);
      expect(sums).toMatchObject({ s: SOL + 2n * FEES, k: SOL + 2n * FEES, d: 0n, floor: 0n });
    });

    it('sells at the lowest priority once its fees pass the cap, for a sum of such fees and no more', async () => {
      const { db, user, buy, sell, reasons } = await rigOf();
      await buy(5n * SOL - 2n * FEES);
      const { intent: usual } = await sell();
      expect(usual.params).toMatchObject({ tier: 'normal' });
      expect(await reasons(buy(1n))).toEqual(['cap']);
      for (let count = 0; count < 3; count += 1) {
        const { intent } = await sell();
        expect(intent.params).toMatchObject({ tier: 'economy', amountIn: SOL });
      }
      expect(await db.guards.sumsSince(user.id, 0)).toMatchObject({ s: 5n * SOL, floor: 3n * FLOOR });
      expect(await reasons(sell())).toEqual(['cap']);
      expect(await reasons(sell({ minOut: 0n }))).toContain('steep');
    });

    it('leaves by no more than that many sales, also when they come together', async () => {
      const { db, user, buy, sell, reasons } = await rigOf();
      await buy(5n * SOL - FEES);
      await sell();
      const found = await Promise.all([0, 1, 2, 3].map(() => reasons(sell())));
      expect(found.filter(({ length }) => length === 0)).toHaveLength(2);
      expect((await db.guards.sumsSince(user.id, 0)).floor).toBe(3n * FLOOR);
    });

    it('takes the PIN for a purchase of a token in doubt whatever the amount, and asks nothing about its sale', async () => {
      const { deps, db, pins, user, clock, asked, buy, sell, reasons } = await rigOf(['young', 'poor-exit']);
      expect(await reasons(buy(1n))).toEqual(['young', 'poor-exit']);
      expect(await reasons(sell())).toEqual([]);
      await givePin(db, pins, user.id);
      expect(await reasons(sell())).toEqual([]);
      const { until } = await unlockTrades(deps, { userId: user.id, pin: TEST_PIN });
      expect(until - clock.now()).toBe(12 * HOUR);
      await buy(9n * SOL);
      // Of tokens in doubt there is no more than 10 SOL a day, even with the PIN.
      await expect(buy(2n * SOL)).rejects.toMatchObject({
        code: 'SPENDING_LIMIT',
        details: { of: 'doubted', available: SOL - FEES, cap: 10n * SOL },
      });
      const before = asked.length;
      await sell();
      expect(asked).toHaveLength(before);
      // Of all that, the most that the first two sales may have paid the network.
      expect((await db.guards.sumsSince(user.id, 0)).s).toBe(2n * FEES);
      clock.advance(12 * HOUR - 1);
      await buy(1n);
      clock.advance(1);
      expect(await reasons(buy(1n))).toEqual(['young', 'poor-exit']);
    });

    it('takes the PIN for a sale that may bring less than 85 % of the price', async () => {
      const { sell, reasons } = await rigOf();
      // The signed minimum counts, and no setting.
      expect(await reasons(sell({ minOut: 850n, priceImpactBps: 0 }))).toEqual([]);
      expect(await reasons(sell({ minOut: 849n, priceImpactBps: 0, slippageBps: 50 }))).toEqual(['steep']);
      expect(await reasons(sell({ minOut: 850n, priceImpactBps: 10 }))).toEqual(['steep']);
      expect(await reasons(sell({ minOut: 1_000n, priceImpactBps: 1_500 }))).toEqual([]);
      expect(await reasons(sell({ minOut: 999n, priceImpactBps: 1_500 }))).toEqual(['steep']);
      expect(await reasons(sell({ minOut: 1_000n, priceImpactBps: 10_000 }))).toEqual(['steep']);
    });

    it('takes the PIN, where there is one that counts, for a sale below 85 % of the last hour', async () => {
      const { db, pins, clock, user, usual, sell, reasons } = await rigOf();
      usual.price = { got: 1_118n, given: SOL };
      // Who has no PIN can always leave a falling market.
      expect(await reasons(sell())).toEqual([]);
      await givePin(db, pins, user.id);
      expect(await reasons(sell())).toEqual(['fallen']);
      usual.price = { got: 1_117n, given: SOL };
      expect(await reasons(sell())).toEqual([]);
      usual.price = { got: 1_118n, given: SOL };
      await db.guards.save({ ...(await db.guards.find(user.id)), unlocksFrom: clock.now() + 1 }, PASSED);
      expect(await reasons(sell())).toEqual([]);
      clock.advance(1);
      expect(await reasons(sell())).toEqual(['fallen']);
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
      expect(await whyPin(deps, request)).toEqual({ reasons: ['cap'], cap: 5n * SOL, left: SOL - FEES });
      expect(
        await whyPin(deps, { ...request, params: { ...params, lamportsIn: SOL - 2n * FEES } }),
      ).toMatchObject({
        reasons: [],
      });
      expect((await db.guards.sumsSince(user.id, 0)).s).toBe(4n * SOL + FEES);
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
      clock.advance(24 * HOUR);
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
