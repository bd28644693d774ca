import { beforeEach, describe, expect, it } from 'vitest';
import { isFrozen } from '../../../src/modules/guard/rules/freeze.ts';
import { endFreezeByOperator } from '../../../src/modules/guard/use/end-freeze.ts';
import { freezeAccount } from '../../../src/modules/guard/use/freeze-account.ts';
import { endSecondFactorLater } from '../../../src/modules/guard/use/second-factor.ts';
import { stopChanges } from '../../../src/modules/guard/use/stop-changes.ts';
import { PASSED } from '../../support/passed.ts';
import { diceOf } from '../../trust/thief/dice.ts';
import { DAY, type Stolen, stolenAccount } from '../../trust/thief/world.ts';

let world: Stolen;
beforeEach(async () => {
  world = await stolenAccount({ name: '', hold: 'pin', owner: 'asleep', isOfToday: false }, diceOf(1));
});

const end = () =>
  endFreezeByOperator(world.deps, { userId: world.userId, actor: 'operator:ann', reason: 'a call' });
const guard = () => world.db.guards.find(world.userId);
const frozen = async () => isFrozen(await guard(), world.clock);
const told = async () => {
  const ids = await world.db.notices.undelivered(world.clock.now() + 1, 100);
  return Promise.all(ids.map(async (id) => (await world.db.notices.find(id))?.payload));
};
const acts = async () =>
  (await world.db.auditLog.list({ subject: world.userId }, { limit: 9, offset: 0 })).map(
    ({ actor, act, details }) => [actor, act, details],
  );

describe('an operator who ends a freeze', () => {
  it('ends it at once, with a row in the trail and a notice whose Stop freezes again', async () => {
    await freezeAccount(world.deps, { userId: world.userId });
    const before = await guard();
    expect(await end()).toBe(true);
    expect(await frozen()).toBe(false);
    // Nothing but the freeze has changed: neither PIN nor caps.
    expect(await guard()).toEqual({ ...before, frozenAt: null, unfreezeAt: null });
    expect(await told()).toEqual([{ act: 'freeze-end-by-operator', until: null }]);
    expect((await acts())[0]).toEqual(['operator:ann', 'freeze-ended', { reason: 'a call' }]);
    await stopChanges(world.deps, { userId: world.userId });
    expect(await frozen()).toBe(true);
  });

  it('ends one whose end waits already', async () => {
    await freezeAccount(world.deps, { userId: world.userId });
    const asked = { ...(await guard()), unfreezeAt: world.clock.now() + 7 * DAY };
    await world.db.guards.save(asked, PASSED);
    expect(await end()).toBe(true);
    expect(await frozen()).toBe(false);
  });

  it('changes and tells nothing where nothing is frozen', async () => {
    const before = await guard();
    expect(await end()).toBe(false);
    expect([await guard(), await told(), await acts()]).toEqual([before, [], []]);
  });
});

it('the end of an authenticator by the operator is told with its moment, and Stop calls it off', async () => {
  await world.db.guards.save({ ...(await guard()), totpBox: 'box' }, PASSED);
  const input = { userId: world.userId, actor: 'operator:ann' } as const;
  const until = await endSecondFactorLater(world.deps, input);
  expect(until).toBe(world.clock.now() + DAY);
  expect(await told()).toEqual([{ act: 'factor-end-by-operator', until }]);
  await stopChanges(world.deps, { userId: world.userId });
  expect((await guard()).totpEndsAt).toBeNull();
});
