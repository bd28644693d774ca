import { isAppError } from '../../src/core/errors/app-error.ts';
import { feesUpTo } from '../../src/engine/intents/kinds/rules.ts';
import { ACT_NAMES, type Act, RATES, type Rate, ruleOf } from '../../src/modules/guard/rules/acts.ts';
import { PRODUCTION_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { unlocked } from '../../src/modules/guard/rules/unlock.ts';
import { createSpendingIntent } from '../../src/modules/guard/use/guard-spending.ts';
import { passGate } from '../../src/modules/guard/use/pass-gate.ts';
import { provenBefore } from '../../src/modules/guard/use/verify-pin.ts';
import { confirmWithdrawal } from '../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { secretRow, walletRow } from '../conformance/store-rows.ts';
import { addressOf, MINT } from '../engine/intents/build.ts';
import { guardRig } from '../modules/guard/guard-rig.ts';
import { fakePins, givePin, TEST_PIN } from '../support/fakes/pins.ts';
import { PASSED } from '../support/passed.ts';
import { testSigner } from '../support/signer.ts';

export const SOL = 1_000_000_000n;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const DOUBTED = addressOf(12);

/** `done`, or the code of the refusal. */
export async function outcome(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'done';
  } catch (error) {
    if (!isAppError(error)) throw error;
    return error.code;
  }
}

const purchase = (lamportsIn: bigint, mint = MINT) =>
  ({
    kind: 'buy',
    mint,
    lamportsIn,
    terms: {
      amountIn: SOL,
      quotedOut: 1_000n,
      minOut: 950n,
      platformFeeLamports: 0n,
      priceImpactBps: 0,
      slippageBps: 500,
      route: [],
    },
    tier: 'normal',
  }) as const;

/** Network fees at most of a purchase of this rig. They count with its amount. */
const FEES = feesUpTo(purchase(1n));

/** The least that a purchase can count: one lamport and its fees. */
export const LEAST = FEES + 1n;

let seed = 7_000;

/** A person on production's limits, whose PIN is ripe unless `hasPin` is false, and what the limits bound. */
export async function edgeRig(db: Database, hasPin = true) {
  seed += 1;
  const pins = fakePins();
  const rig = await guardRig(db, pins, seed);
  const { clock, ids } = rig;
  const userId = rig.user.id;
  const backups = {
    seal: async () => new Uint8Array(1),
    adopt: async () => secretRow(walletRow()),
  };
  const vault = testSigner({ db, clock }, { pins, ids, backups, guardRules: PRODUCTION_RULES });
  const deps = {
    ...rig.deps,
    vault,
    guardRules: PRODUCTION_RULES,
    doubtToken: async (mint: string) => (mint === DOUBTED ? (['young'] as const) : []),
    usualPrice: async () => null,
  };
  if (hasPin) await givePin(db, pins, userId);
  const account = { userId, walletId: rig.wallet.id };
  let serial = 0;
  const request = () => {
    serial += 1;
    return { ...account, idemKey: `${userId}-${serial}` };
  };
  return {
    ...rig,
    deps,
    vault,
    ...account,
    /** Lamports of the purchase alone: `FEES` count beside them. */
    buy: (lamports: bigint, mint = MINT): Promise<string> =>
      outcome(() => createSpendingIntent(deps, { ...request(), params: purchase(lamports, mint) })),
    /** When it leaves; null = at once. */
    withdraw: async (lamports: bigint, destination = addressOf(7)): Promise<number | null> => {
      const { intent } = await confirmWithdrawal(deps, {
        ...request(),
        pin: TEST_PIN,
        params: { kind: 'withdraw-sol', destination, lamports, everything: false, tier: 'normal' },
      });
      return intent.notBefore;
    },
    unlock: async (): Promise<void> =>
      db.guards.save(unlocked(await db.guards.find(userId), clock.now()), PASSED),
    pass: (act: Act): Promise<string> =>
      outcome(() =>
        db.transact((stores) => passGate(stores, deps, { act, userId, proof: provenBefore(userId) })),
      ),
  };
}

export type EdgeRig = Awaited<ReturnType<typeof edgeRig>>;

/** An act that counts for the rate. */
/** Wrong codes of a mail are counted by their own use case (`test/modules/guard/notice-mail.test.ts`); all others by an act's gate. */
export const RATES_OF_ACTS = RATES.filter((rate) => rate !== 'mail-code');

export function actOf(rate: Rate): Act {
  const found = ACT_NAMES.find((act) => ruleOf(act).rate === rate);
  if (found === undefined) throw new Error(`no act counts for ${rate}`);
  return found;
}

/** A bounded sum, its rest after `before`, and the refusal of more. */
export type Sum = {
  readonly name: string;
  readonly hasPin: boolean;
  readonly before: (rig: EdgeRig) => Promise<unknown>;
  /** Buys so that exactly these lamports count, fees included; `LEAST` or more. */
  readonly spend: (rig: EdgeRig, counted: bigint) => Promise<string>;
  readonly left: bigint;
  readonly refusal: string;
  /** Whether it is of 24 hours; else it counts since the last right PIN. */
  readonly isOfADay: boolean;
  /** Whether trades are unlocked for it: a day later they are not any more. */
  readonly needsUnlock?: boolean;
};

const { spendCapLamports, sinceRightPinLamports, allSpendingLamports, doubtedLamports } = PRODUCTION_RULES;
const known = (rig: EdgeRig, counted: bigint): Promise<string> => rig.buy(counted - FEES);
const nothing = async (): Promise<void> => undefined;

/** Spent on three days, so that the rest since the right PIN is less than the rest of the day. */
async function threeDays(rig: EdgeRig): Promise<void> {
  for (const lamports of [5n * SOL, 5n * SOL, 3n * SOL]) {
    if ((await known(rig, lamports)) !== 'done') throw new Error('what went before is refused');
    rig.clock.advance(DAY + 1);
  }
}

export const SUMS: readonly Sum[] = [
  {
    name: 'spent in 24 hours by a person without a PIN',
    hasPin: false,
    before: nothing,
    spend: known,
    left: spendCapLamports,
    refusal: 'TRADE_PIN',
    isOfADay: true,
  },
  {
    name: 'spent in 24 hours without the ripe PIN',
    hasPin: true,
    before: nothing,
    spend: known,
    left: spendCapLamports,
    refusal: 'TRADE_PIN',
    isOfADay: true,
  },
  {
    name: 'spent since the PIN was right',
    hasPin: true,
    before: threeDays,
    spend: known,
    left: sinceRightPinLamports - 13n * SOL,
    refusal: 'TRADE_PIN',
    isOfADay: false,
  },
  {
    name: 'spent in 24 hours in all',
    hasPin: true,
    before: (rig) => rig.unlock(),
    needsUnlock: true,
    spend: known,
    left: allSpendingLamports,
    refusal: 'SPENDING_LIMIT',
    isOfADay: true,
  },
  {
    name: 'spent in 24 hours on doubted tokens',
    hasPin: true,
    before: (rig) => rig.unlock(),
    needsUnlock: true,
    spend: (rig, counted) => rig.buy(counted - FEES, DOUBTED),
    left: doubtedLamports,
    refusal: 'SPENDING_LIMIT',
    isOfADay: true,
  },
];
