import { type Address, maxBigint, minBigint } from '@tradepost/solana';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasCode, isAppError } from '../../../src/core/errors/app-error.ts';
import { assertMaySign } from '../../../src/engine/switches/use/assert-may-sign.ts';
import { addAddress, blockAddress, removeAddress } from '../../../src/modules/guard/use/address-book.ts';
import { changeCap } from '../../../src/modules/guard/use/change-cap.ts';
import { freezeAccount, unfreezeAccount } from '../../../src/modules/guard/use/freeze-account.ts';
import { beginPinChange, hashPin, setPin } from '../../../src/modules/guard/use/set-pin.ts';
import { verifyPin } from '../../../src/modules/guard/use/verify-pin.ts';
import { confirmWithdrawal } from '../../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakePins, givePin, TEST_PIN } from '../../support/fakes/pins.ts';
import { testSigner } from '../../support/signer.ts';
import { type GuardRig, guardRig, HOUR, RULES } from './guard-rig.ts';

/** Sequences of up to 40 steps; GUARD_RUNS=20000 for the full size. */
const RUNS = Number(process.env['GUARD_RUNS'] ?? 400);
const DAY = 24 * HOUR;
const PINS = ['739154', '402917', '551188'] as const;
const ADDRESSES = [1, 2, 3].map((n) => addressOf(n));

/**
 * What the rules mean, written a second time and in the plainest way: whole history, no row, no clever bookkeeping. It says
 * when something may leave; the product must never let anything leave when the model says no.
 */
type Model = {
  pin: string | null;
  pinChangedAt: number;
  wrong: number;
  locks: number;
  lockedUntil: number;
  frozen: boolean;
  frozenAt: number;
  /** When PINs were changed, the first one aside. */
  changes: number[];
  unfreezeAt: number;
  paused: boolean;
  cap: bigint;
  raise: { cap: bigint; at: number } | null;
  /** When each address came into the book; removed ones are not here. */
  book: Map<Address, number>;
  /** Everything that left or is to leave. */
  written: { id: string; at: number; dueAt: number; address: Address; lamports: bigint; alive: boolean }[];
};

type World = { readonly rig: GuardRig; serial: number; left: number; refused: Map<string, number> };

/** Mostly the first of the PINs, so that most tries are right. */
const whichPin = fc.constantFrom(0, 0, 0, 0, 0, 1, 2);

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('withdraw' as const),
      pin: whichPin,
      to: fc.nat(2),
      amount: fc.bigInt(1n, 2_600_000_000n),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.constantFrom(1, 60_000, HOUR - 1, HOUR, 2 * HOUR, 12 * HOUR, DAY),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('sign' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('setPin' as const),
      old: whichPin,
      pin: whichPin,
      same: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const), pin: whichPin, to: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), to: fc.nat(2), block: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('cap' as const),
      pin: whichPin,
      cap: fc.bigInt(0n, 12_000_000_000n),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('freeze' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unfreeze' as const), pin: whichPin }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('guess' as const), times: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), on: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const pinAt = (index: number): string => PINS[index] ?? '';
const addressAt = (index: number): Address => ADDRESSES[index] ?? addressOf(1);

/** Whether the model takes this PIN now; counts the try. */
function modelPin(model: Model, pin: string, now: number): boolean {
  if (model.pin === null || now < model.lockedUntil) return false;
  if (model.lockedUntil > 0) Object.assign(model, { wrong: 0, lockedUntil: 0 });
  if (pin === model.pin) {
    Object.assign(model, { wrong: 0, locks: 0 });
    return true;
  }
  model.wrong += 1;
  if (model.wrong === 5) {
    model.lockedUntil = now + Math.min(DAY, 15 * 60_000 * 2 ** model.locks);
    model.locks += 1;
  }
  return false;
}

const modelFrozen = (model: Model, now: number): boolean => model.frozen && now < model.unfreezeAt;
const modelCap = (model: Model, now: number): bigint =>
  model.raise !== null && now >= model.raise.at ? model.raise.cap : model.cap;
/** A PIN of a day ago. */
const modelRipe = (model: Model, at: number): boolean =>
  model.pin !== null && at >= model.pinChangedAt + RULES.longDelayMs;
function modelFreeze(model: Model, now: number): void {
  if (!modelFrozen(model, now)) model.frozenAt = now;
  Object.assign(model, { frozen: true, unfreezeAt: Number.POSITIVE_INFINITY });
}
const modelUsable = (model: Model, address: Address, now: number): number =>
  Math.max(model.book.get(address) ?? now, model.pinChangedAt) + RULES.delayMs;

function kill(model: Model, now: number, matches: (item: Model['written'][number]) => boolean): void {
  const killed = model.written.filter((item) => item.alive && matches(item));
  for (const item of killed) item.alive = false;
  // The address of what still waited goes with it, unless something else is written for it.
  for (const { address, dueAt } of killed)
    if (dueAt > now && !model.written.some((item) => item.alive && item.address === address))
      model.book.delete(address);
}

/** The most that any window of 24 hours holds, this one included. */
function fullestDay(model: Model): bigint {
  let most = 0n;
  for (const start of model.written) {
    const sum = model.written
      .filter((item) => item.alive && item.dueAt >= start.dueAt && item.dueAt < start.dueAt + DAY)
      .reduce((total, item) => total + item.lamports, 0n);
    if (sum > most) most = sum;
  }
  return most;
}

async function attempt(world: World, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!isAppError(error)) throw error;
    world.refused.set(error.code, (world.refused.get(error.code) ?? 0) + 1);
    return false;
  }
}

async function run(world: World, model: Model, s: Step): Promise<void> {
  const { deps, clock, user, wallet, db } = world.rig;
  const now = clock.now();
  const userId = user.id;
  switch (s.kind) {
    case 'pass':
      clock.advance(s.ms);
      return;
    case 'withdraw': {
      const to = addressAt(s.to);
      world.serial += 1;
      const idemKey = `w-${world.serial}`;
      const done = await attempt(world, () =>
        confirmWithdrawal(deps, {
          userId,
          walletId: wallet.id,
          idemKey,
          pin: pinAt(s.pin),
          params: {
            kind: 'withdraw-sol',
            destination: to,
            lamports: s.amount,
            everything: false,
            tier: 'normal',
          },
        }),
      );
      const rightPin = modelPin(model, pinAt(s.pin), now);
      const dueAt = Math.max(now, modelUsable(model, to, now));
      const counted = model.written
        .filter((item) => item.alive && item.dueAt >= dueAt - DAY)
        .reduce((sum, item) => sum + item.lamports, 0n);
      const most = modelRipe(model, now)
        ? modelCap(model, now)
        : minBigint(modelCap(model, now), RULES.unripeCapLamports);
      const lastHour = model.written.filter(({ at }) => at > now - HOUR).length;
      const allowed =
        rightPin && !model.paused && !modelFrozen(model, now) && counted + s.amount <= most && lastHour < 10;
      expect(done).toBe(allowed);
      if (!done) return;
      if (!model.book.has(to)) model.book.set(to, now);
      const intent = await db.intents.findByKey(idemKey);
      expect(intent?.notBefore ?? now).toBe(dueAt);
      model.written.push({
        id: intent?.id ?? '',
        at: now,
        dueAt,
        address: to,
        lamports: s.amount,
        alive: true,
      });
      world.left += 1;
      return;
    }
    case 'sign': {
      // What the signing path asks about everything that is written down and not signed yet.
      for (const item of model.written) {
        const intent = await db.intents.find(item.id);
        if (intent === null) throw new Error('written, and not there');
        expect(intent.status === 'CREATED').toBe(item.alive);
        if (!item.alive) continue;
        const may = await attempt(world, () => assertMaySign(deps, intent));
        const waited = item.dueAt > item.at;
        const restarted =
          model.pinChangedAt > item.at ||
          (model.book.get(item.address) ?? Number.POSITIVE_INFINITY) > item.at;
        expect(may).toBe(!modelFrozen(model, now) && !model.paused && !(waited && restarted));
      }
      return;
    }
    case 'setPin': {
      const had = model.pin !== null;
      const typed = s.same ? pinAt(s.pin) : '880713';
      const done = await attempt(world, async () => {
        const replaces = had ? await beginPinChange(deps, { userId, pin: pinAt(s.old) }) : null;
        const hash = await hashPin(deps, { userId, pin: pinAt(s.pin) });
        if (!(await setPin(deps, { userId, hash, again: typed, replaces }))) throw new Error('differs');
      }).catch((error: unknown) => {
        if (error instanceof Error && error.message === 'differs') return false;
        throw error;
      });
      const proven = !had || modelPin(model, pinAt(s.old), now);
      const lastDay = model.changes.filter((at) => at > now - DAY).length;
      const allowed = proven && s.same && !modelFrozen(model, now) && (!had || lastDay < 3);
      expect(done).toBe(allowed);
      if (!done) return;
      if (had) model.changes.push(now);
      Object.assign(model, { pin: pinAt(s.pin), pinChangedAt: now, wrong: 0, locks: 0, lockedUntil: 0 });
      if (model.raise !== null && model.raise.at > now) model.raise.at = now + RULES.longDelayMs;
      kill(model, now, () => true);
      return;
    }
    case 'add': {
      const to = addressAt(s.to);
      const done = await attempt(world, () =>
        addAddress(deps, { userId, walletId: wallet.id, address: to, name: 'x', pin: pinAt(s.pin) }),
      );
      const proven = modelPin(model, pinAt(s.pin), now);
      expect(done).toBe(proven && !modelFrozen(model, now));
      if (done && !model.book.has(to)) model.book.set(to, now);
      return;
    }
    case 'remove': {
      const to = addressAt(s.to);
      if (s.block) {
        await blockAddress(deps, { userId, walletId: wallet.id, address: to });
        modelFreeze(model, now);
        kill(model, now, () => true);
      } else {
        const entry = await db.addressBook.find(wallet.id, to);
        if (entry !== null) await removeAddress(deps, { userId, id: entry.id });
        if (model.book.has(to)) kill(model, now, (item) => item.address === to);
      }
      model.book.delete(to);
      return;
    }
    case 'cap': {
      const done = await attempt(world, () =>
        changeCap(deps, { userId, pin: pinAt(s.pin), lamports: s.cap }),
      );
      const current = modelCap(model, now);
      const proven = modelPin(model, pinAt(s.pin), now);
      const mayRaise = modelRipe(model, now) && !modelFrozen(model, now);
      expect(done).toBe(proven && (s.cap <= current || mayRaise));
      if (!done) return;
      model.cap = minBigint(s.cap, current);
      model.raise = s.cap > current ? { cap: s.cap, at: now + RULES.longDelayMs } : null;
      return;
    }
    case 'freeze':
      await freezeAccount(deps, { userId });
      modelFreeze(model, now);
      kill(model, now, () => true);
      return;
    case 'unfreeze': {
      const done = await attempt(world, () => unfreezeAccount(deps, { userId, pin: pinAt(s.pin) }));
      const frozen = modelFrozen(model, now);
      const takesPin = frozen && modelRipe(model, model.frozenAt);
      expect(done).toBe(!takesPin || modelPin(model, pinAt(s.pin), now));
      if (done && frozen && model.unfreezeAt === Number.POSITIVE_INFINITY) {
        model.unfreezeAt = now + (takesPin ? RULES.delayMs : 7 * RULES.longDelayMs);
      }
      return;
    }
    case 'guess':
      // Somebody who tries one and the same PIN; it may even be the right one.
      for (let n = 0; n < s.times; n += 1) await run(world, model, { kind: 'add', to: 0, pin: 2 });
      return;
    case 'pause':
      await deps.db.flags.set('withdrawals-paused', s.on, deps.clock.now());
      model.paused = s.on;
  }
}

describe('the withdrawal guard', () => {
  it('lets nothing leave but with the right PIN, to an aged address, within the cap, unfrozen and unpaused', async () => {
    const totals = { left: 0, refused: new Map<string, number>() };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        // Without the watch for stray calls, which costs more than all the rest; the tests beside it have it.
        const rig = await guardRig(fakeDatabase({ trusting: true }), fakePins());
        const world: World = { rig, serial: 0, left: 0, refused: totals.refused };
        const model: Model = {
          pin: null,
          pinChangedAt: Number.NEGATIVE_INFINITY,
          wrong: 0,
          locks: 0,
          lockedUntil: 0,
          frozen: false,
          unfreezeAt: 0,
          frozenAt: 0,
          changes: [],
          paused: false,
          cap: RULES.dailyCapLamports,
          raise: null,
          book: new Map(),
          written: [],
        };
        const capsSeen: bigint[] = [RULES.dailyCapLamports];
        // Most sequences should get past the first PIN.
        await run(world, model, { kind: 'setPin', old: 0, pin: 0, same: true });
        for (const s of steps) {
          await run(world, model, s);
          capsSeen.push(modelCap(model, rig.clock.now()));
          expect(fullestDay(model)).toBeLessThanOrEqual(capsSeen.reduce(maxBigint));
        }
        totals.left += world.left;
      }),
      { numRuns: RUNS, seed: 20_261_121 },
    );
    // The property says something only if much got through and every rule refused something.
    expect(totals.left).toBeGreaterThan(RUNS / 2);
    for (const code of ['PIN_WRONG', 'PIN_LOCKED', 'ACCOUNT_FROZEN', 'DAILY_CAP', 'SIGNING_PAUSED']) {
      expect(totals.refused.get(code) ?? 0, code).toBeGreaterThan(10);
    }
  }, 3_600_000);

  it('refuses a withdrawal that waited when its address was removed and added again, or the PIN changed', async () => {
    const rig = await guardRig(fakeDatabase(), fakePins());
    const { deps, clock, user, wallet, db } = rig;
    const pin = PINS[0];
    const hash = await hashPin(deps, { userId: user.id, pin });
    await setPin(deps, { userId: user.id, hash, again: pin, replaces: null });
    const { intent } = await confirmWithdrawal(deps, {
      userId: user.id,
      walletId: wallet.id,
      idemKey: 'k',
      pin,
      params: {
        kind: 'withdraw-sol',
        destination: addressAt(0),
        lamports: 5n,
        everything: false,
        tier: 'normal',
      },
    });
    clock.advance(3 * HOUR);
    await assertMaySign(deps, intent);
    // Rows as a slower worker could find them: the intent was read before the removal cancelled it.
    const entry = await db.addressBook.find(wallet.id, addressAt(0));
    await removeAddress(deps, { userId: user.id, id: entry?.id ?? '' });
    await expect(assertMaySign(deps, intent)).rejects.toSatisfy((error) =>
      hasCode(error, 'ADDRESS_NOT_READY'),
    );
    await addAddress(deps, { userId: user.id, walletId: wallet.id, address: addressAt(0), name: 'x', pin });
    await expect(assertMaySign(deps, intent)).rejects.toSatisfy((error) =>
      hasCode(error, 'ADDRESS_NOT_READY'),
    );
  });
});

describe('a process that dies over a PIN', () => {
  const dying = async () => {
    const pins = fakePins();
    const rig = await guardRig(fakeDatabase(), pins, 7_000);
    await givePin(rig.db, pins, rig.user.id);
    const verify = async () => {
      throw new Error('killed');
    };
    const dies = { ...rig.deps, vault: testSigner(rig, { pins: { ...pins, verify } }) };
    const type = (deps: Parameters<typeof verifyPin>[0], pin: string) =>
      verifyPin(deps, { userId: rig.user.id, pin });
    return { ...rig, pins, dies, type };
  };

  it('does not lock the right one, however often it dies over it', async () => {
    const { deps, dies, type, db, user } = await dying();
    for (let n = 0; n < 9; n += 1) await expect(type(dies, TEST_PIN)).rejects.toThrow('killed');
    expect((await db.guards.find(user.id)).pinFailures).toBe(1);
    await type(deps, TEST_PIN);
    expect(await db.guards.find(user.id)).toMatchObject({ pinFailures: 0, pinTrying: null });
  });

  it('gives nobody more than five different guesses, nor the same one again for nothing', async () => {
    const { deps, dies, type, pins } = await dying();
    await expect(type(dies, '100001')).rejects.toThrow('killed');
    // The guess that died is judged at last, for the try that was charged.
    await expect(type(deps, '100001')).rejects.toMatchObject({
      code: 'PIN_WRONG',
      details: { triesLeft: 4 },
    });
    await expect(type(deps, '100001')).rejects.toMatchObject({
      code: 'PIN_WRONG',
      details: { triesLeft: 3 },
    });
    await expect(type(dies, '100002')).rejects.toThrow('killed');
    await expect(type(dies, '100003')).rejects.toThrow('killed');
    await expect(type(deps, '100002')).rejects.toMatchObject({ code: 'PIN_LOCKED' });
    const before = pins.compared();
    await expect(type(deps, TEST_PIN)).rejects.toMatchObject({ code: 'PIN_LOCKED' });
    expect(pins.compared()).toBe(before);
  });

  it('compares the same guess five times at most when it arrives many times together', async () => {
    const { deps, type, pins } = await dying();
    await Promise.allSettled(Array.from({ length: 200 }, () => type(deps, '100001')));
    expect(pins.compared()).toBe(5);
  });
});
