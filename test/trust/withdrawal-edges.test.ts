import { describe, expect, it } from 'vitest';
import { isAppError } from '../../src/core/errors/app-error.ts';
import { CAP_WINDOW_MS } from '../../src/modules/guard/rules/cap.ts';
import { PRODUCTION_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { confirmWithdrawal } from '../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import type { Clock } from '../../src/platform/ports/clock.ts';
import { addressOf } from '../engine/intents/build.ts';
import { guardRig } from '../modules/guard/guard-rig.ts';
import { fakeDatabase } from '../support/fakes/database.ts';
import { fakePins, givePin, TEST_PIN } from '../support/fakes/pins.ts';
import { PASSED } from '../support/passed.ts';
import { CLASSIC_MINIMUM } from '../support/rent.ts';

const SOL = 1_000_000_000n;

/** A person whose PIN is ripe, or of a moment ago, on production's limits. */
async function setUp(isRipe: boolean) {
  const pins = fakePins();
  const rig = await guardRig(fakeDatabase(), pins);
  const deps = { ...rig.deps, guardRules: PRODUCTION_RULES };
  const userId = rig.user.id;
  await givePin(rig.db, pins, userId);
  const now = rig.clock.now();
  const age = isRipe ? {} : { pinSetAt: now, unlocksFrom: now + PRODUCTION_RULES.longDelayMs };
  await rig.db.guards.save({ ...(await rig.db.guards.find(userId)), ...age }, PASSED);
  let serial = 0;
  const withdraw = async (lamports: bigint, { to = 7, everything = false } = {}): Promise<string> => {
    serial += 1;
    try {
      await confirmWithdrawal(deps, {
        userId,
        walletId: rig.wallet.id,
        idemKey: `k-${serial}`,
        pin: TEST_PIN,
        params: {
          kind: 'withdraw-sol',
          destination: addressOf(to),
          lamports,
          everything,
          tier: 'normal',
        },
      });
      return 'done';
    } catch (error) {
      if (!isAppError(error)) throw error;
      return error.code;
    }
  };
  return { ...rig, deps, withdraw };
}

describe.each([
  ['a ripe PIN', true, 5n * SOL],
  ['a young PIN', false, SOL],
] as const)('what may be withdrawn within 24 hours with %s', (_, isRipe, limit) => {
  it.each([
    [-1n, 'done'],
    [0n, 'done'],
    [1n, 'DAILY_CAP'],
  ] as const)('at once: %s lamports beside the limit', async (beside, outcome) => {
    expect(await (await setUp(isRipe)).withdraw(limit + beside)).toBe(outcome);
  });

  it('in parts: what is left passes to the lamport, and not one more', async () => {
    const { withdraw } = await setUp(isRipe);
    expect(await withdraw(limit - 3n)).toBe('done');
    expect(await withdraw(4n)).toBe('DAILY_CAP');
    expect(await withdraw(3n)).toBe('done');
    expect(await withdraw(1n)).toBe('DAILY_CAP');
  });

  it('of two at once that pass it together one passes', async () => {
    const { withdraw } = await setUp(isRipe);
    const both = await Promise.all([withdraw(limit), withdraw(limit)]);
    expect(both.toSorted()).toEqual(['DAILY_CAP', 'done']);
  });
});

it('what was withdrawn counts for 24 hours, to the millisecond', async () => {
  const { withdraw, clock } = await setUp(true);
  expect(await withdraw(5n * SOL)).toBe('done');
  const from = clock.now();
  clock.set(from + CAP_WINDOW_MS);
  expect(await withdraw(1n)).toBe('DAILY_CAP');
  clock.set(from + CAP_WINDOW_MS + PRODUCTION_RULES.delayMs);
  expect(await withdraw(1n)).toBe('DAILY_CAP');
  clock.advance(1);
  expect(await withdraw(5n * SOL)).toBe('done');
});

it('a withdrawal that waits counts when it is due: the one of 24 hours before that counts no more', async () => {
  const { withdraw, clock } = await setUp(true);
  expect(await withdraw(5n * SOL)).toBe('done');
  // Due after the wait of its new address, as the first one was.
  clock.advance(CAP_WINDOW_MS);
  expect(await withdraw(1n, { to: 8 })).toBe('DAILY_CAP');
  clock.advance(1);
  expect(await withdraw(1n)).toBe('DAILY_CAP');
  expect(await withdraw(5n * SOL, { to: 8 })).toBe('done');
});

it('one of everything counts with the remainder that it may take along', async () => {
  const { withdraw } = await setUp(true);
  const most = 5n * SOL - CLASSIC_MINIMUM;
  expect(await withdraw(most + 1n, { everything: true })).toBe('DAILY_CAP');
  expect(await withdraw(most, { everything: true })).toBe('done');
  expect(await withdraw(1n)).toBe('DAILY_CAP');
});

it('a clock that runs ahead of the others makes no address old', async () => {
  const { deps, db, user, wallet, clock } = await setUp(true);
  const { delayMs } = PRODUCTION_RULES;
  const slow = { ...clock, earliest: () => clock.now() - 1_000 };
  const notBefore = async (idemKey: string, at: Clock): Promise<number | null> => {
    const { intent } = await confirmWithdrawal(
      { ...deps, clock: at },
      {
        userId: user.id,
        walletId: wallet.id,
        idemKey,
        pin: TEST_PIN,
        params: {
          kind: 'withdraw-sol',
          destination: addressOf(7),
          lamports: 1n,
          everything: false,
          tier: 'normal',
        },
      },
    );
    return intent.notBefore;
  };
  const due = await notBefore('first', clock);
  expect(due).toBe(clock.now() + delayMs);
  clock.advance(delayMs + 999);
  expect(await notBefore('early', slow)).toBe(due);
  clock.advance(1);
  expect(await notBefore('late', slow)).toBeNull();
  expect((await db.addressBook.list(wallet.id)).length).toBe(1);
});
