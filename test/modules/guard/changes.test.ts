import { beforeEach, describe, expect, it } from 'vitest';
import { bps } from '../../../src/core/amounts/bps.ts';
import { AUTO_BUY_OFF } from '../../../src/modules/auto-buy/rules.ts';
import type { GuardAct } from '../../../src/modules/guard/rules/acts.ts';
import type { GuardRules } from '../../../src/modules/guard/rules/guard.ts';
import { LOCAL_RULES, PRODUCTION_RULES } from '../../../src/modules/guard/rules/guard-rules.ts';
import { changeCap } from '../../../src/modules/guard/use/change-cap.ts';
import { freezeAccount, unfreezeAccount } from '../../../src/modules/guard/use/freeze-account.ts';
import { guardOverview } from '../../../src/modules/guard/use/guard-overview.ts';
import { endSecondFactor } from '../../../src/modules/guard/use/second-factor.ts';
import { beginPinChange, hashPin, setPin } from '../../../src/modules/guard/use/set-pin.ts';
import { stopChanges } from '../../../src/modules/guard/use/stop-changes.ts';
import { changeSettings } from '../../../src/modules/settings/use/change-settings.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakePins } from '../../support/fakes/pins.ts';
import { PASSED } from '../../support/passed.ts';
import { type GuardRig, guardRig, HOUR } from './guard-rig.ts';

const DAY = 24 * HOUR;
const SOL = 1_000_000_000n;
const PIN = '409271';
const NEXT = '581604';

let rig: GuardRig;
let deps: GuardRig['deps'];
let userId: string;

async function setUp(rules: GuardRules = PRODUCTION_RULES): Promise<void> {
  rig = await guardRig(fakeDatabase(), fakePins());
  deps = { ...rig.deps, guardRules: rules };
  userId = rig.user.id;
  // No person of the last day.
  rig.clock.advance(2 * DAY);
}
beforeEach(() => setUp());

const guard = () => rig.db.guards.find(userId);
async function set(pin: string, replaces: string | null = null): Promise<void> {
  const hash = await hashPin(deps, { userId, pin });
  expect(await setPin(deps, { userId, hash, again: pin, replaces })).toBe(true);
}
const change = async (pin: string, next: string) => set(next, await beginPinChange(deps, { userId, pin }));
const freeze = () => freezeAccount(deps, { userId });
const thaw = (pin: string | null) => unfreezeAccount(deps, { userId, pin });
const told = async (): Promise<readonly GuardAct[]> => {
  const found = await Promise.all(
    (await rig.db.notices.undelivered(Number.MAX_SAFE_INTEGER, 100)).map((id) => rig.db.notices.find(id)),
  );
  return found.flatMap((notice) =>
    notice?.kind === 'guard' ? [(notice.payload as { act: GuardAct }).act] : [],
  );
};
const rejects = (work: Promise<unknown>, code: string) => expect(work).rejects.toMatchObject({ code });

describe('while everything is frozen', () => {
  it('no first PIN is set', async () => {
    await freeze();
    await rejects(set(PIN), 'ACCOUNT_FROZEN');
    expect((await guard()).pinHash).toBeNull();
  });

  it('the PIN is not changed, also where its change was begun before', async () => {
    await set(PIN);
    const replaces = await beginPinChange(deps, { userId, pin: PIN });
    await freeze();
    await rejects(set(NEXT, replaces), 'ACCOUNT_FROZEN');
  });
});

describe('the end of a freeze', () => {
  it('takes the PIN and two hours where the PIN was ripe when it froze', async () => {
    await set(PIN);
    rig.clock.advance(DAY);
    await freeze();
    await rejects(thaw(null), 'PIN_REQUIRED');
    await rejects(thaw(NEXT), 'PIN_WRONG');
    expect(await thaw(PIN)).toEqual({ until: rig.clock.now() + 2 * HOUR });
    expect(await told()).toContain('freeze-end');
  });

  it('takes seven days where there was no PIN, or a young one, whatever is typed', async () => {
    await freeze();
    expect(await thaw(null)).toEqual({ until: rig.clock.now() + 7 * DAY });
    await setUp();
    await set(PIN);
    rig.clock.advance(DAY - 1);
    await freeze();
    expect(await thaw(PIN)).toEqual({ until: rig.clock.now() + 7 * DAY });
  });

  it('is not shortened by a PIN that ripens under the freeze, nor by freezing again', async () => {
    await set(PIN);
    await freeze();
    rig.clock.advance(2 * DAY);
    await freeze();
    expect(await thaw(PIN)).toEqual({ until: rig.clock.now() + 7 * DAY });
  });

  it('is called off by freezing again', async () => {
    await freeze();
    await thaw(null);
    rig.clock.advance(6 * DAY);
    await freeze();
    rig.clock.advance(2 * DAY);
    expect((await guardOverview(deps, { userId })).frozen).toBe(true);
  });
});

describe('Stop', () => {
  it('takes a first PIN away while it is young, and freezes', async () => {
    await set(PIN);
    expect((await guardOverview(deps, { userId })).stoppable).toBe(true);
    await stopChanges(deps, { userId });
    expect(await guard()).toMatchObject({ pinHash: null, pinSetAt: null });
    expect((await guardOverview(deps, { userId })).frozen).toBe(true);
    const trail = await rig.db.auditLog.list({ subject: userId }, { limit: 10, offset: 0 });
    expect(trail.map(({ act }) => act)).toContain('pin-removed');
  });

  it('keeps a ripe PIN and one that was changed, and freezes', async () => {
    await set(PIN);
    rig.clock.advance(DAY);
    expect((await guardOverview(deps, { userId })).stoppable).toBe(false);
    await change(PIN, NEXT);
    await stopChanges(deps, { userId });
    expect((await guard()).pinHash).not.toBeNull();
    expect((await guardOverview(deps, { userId })).frozen).toBe(true);
  });

  it('calls off a raise of a cap, and the end of the authenticator', async () => {
    await set(PIN);
    rig.clock.advance(DAY);
    await changeCap(deps, { userId, pin: PIN, lamports: 9n * SOL });
    await rig.db.guards.save({ ...(await guard()), totpBox: 'box', totpEndsAt: rig.clock.now() + 5 }, PASSED);
    await stopChanges(deps, { userId });
    rig.clock.advance(2 * DAY);
    expect(await guardOverview(deps, { userId })).toMatchObject({ cap: 5n * SOL, hasSecondFactor: true });
  });
});

describe('a cap', () => {
  it('is lowered without a PIN, at once', async () => {
    expect(await changeCap(deps, { userId, pin: null, lamports: SOL })).toEqual({ cap: SOL, raisedAt: null });
  });

  it('is raised with a ripe PIN, after a day', async () => {
    await rejects(changeCap(deps, { userId, pin: null, lamports: 9n * SOL }), 'PIN_REQUIRED');
    await set(PIN);
    await rejects(changeCap(deps, { userId, pin: PIN, lamports: 9n * SOL }), 'PIN_TOO_NEW');
    rig.clock.advance(DAY);
    const raisedAt = rig.clock.now() + DAY;
    expect(await changeCap(deps, { userId, pin: PIN, lamports: 9n * SOL })).toEqual({
      cap: 5n * SOL,
      raisedAt,
    });
    expect(await told()).toContain('cap-raise');
  });
});

describe('the authenticator', () => {
  it('is off a day after its own proof asked for it', async () => {
    await set(PIN);
    rig.clock.advance(DAY);
    expect(await endSecondFactor(deps, { userId, pin: PIN })).toBe(rig.clock.now() + DAY);
    expect(await told()).toContain('factor-end');
  });
});

describe('settings', () => {
  const ask = (changed: object, pin?: string) =>
    changeSettings(deps, { userId, change: changed, ...(pin === undefined ? {} : { pin }) });

  it.each([
    ['a slippage above 15 %', { slippageSellBps: bps(1_501) }, true],
    ['a slippage of 15 %', { slippageSellBps: bps(1_500) }, false],
    ['auto-buy', { autoBuy: { ...AUTO_BUY_OFF, on: true } }, true],
    ['amounts of an auto-buy that is off', { autoBuy: { ...AUTO_BUY_OFF, lamports: 9n * SOL } }, false],
    ['another tier', { tier: 'turbo' }, false],
  ] as const)('of %s take the PIN of who has one where they must', async (_, changed, needs) => {
    await ask(changed);
    await setUp();
    await set(PIN);
    if (!needs) {
      await ask(changed);
      return;
    }
    await rejects(ask(changed), 'PIN_REQUIRED');
    await freeze();
    await rejects(ask(changed), 'ACCOUNT_FROZEN');
    await setUp();
    await set(PIN);
    await ask(changed, PIN);
    expect((await rig.db.users.find(userId))?.settings).toMatchObject(changed);
  });

  it('of another language lock trades', async () => {
    await rig.db.guards.save({ ...(await guard()), unlockedUntil: rig.clock.now() + HOUR }, PASSED);
    await ask({ tier: 'fast' });
    expect((await guard()).unlockedUntil).not.toBeNull();
    await ask({ language: 'es' });
    expect((await guard()).unlockedUntil).toBeNull();
  });
});

it('on a local chain nothing waits and nothing is told twice', async () => {
  await setUp(LOCAL_RULES);
  await set(PIN);
  expect((await changeCap(deps, { userId, pin: PIN, lamports: 9n * SOL })).cap).toBe(9n * SOL);
  await freeze();
  expect(await thaw(PIN)).toEqual({ until: null });
  expect(await told()).toEqual([]);
});
