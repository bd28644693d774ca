import { expect, it } from 'vitest';
import { wordsOf } from '../../../src/compose/texts/words.ts';
import { securityFeature } from '../../../src/modules/guard/chat/security.ts';
import { hashPin, setPin } from '../../../src/modules/guard/use/set-pin.ts';
import { unlockTrades } from '../../../src/modules/guard/use/unlock-trades.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakePins } from '../../support/fakes/pins.ts';
import { guardRig, HOUR } from './guard-rig.ts';

const PIN = '739154';

/** A person of this age types the first PIN twice while a purchase waits for it. Returns what ran, over the real use cases. */
async function typedTwice(ageMs: number) {
  const rig = await guardRig(fakeDatabase(), fakePins());
  const { deps, user } = rig;
  // The rig's person came at the first moment of time.
  rig.clock.set(ageMs);
  const ran: string[] = [];
  const asked: { to: string; payload: unknown }[] = [];
  const turn = {
    user,
    words: wordsOf('en'),
    screen: { show: async () => 1 },
    go: async (...to: readonly string[]) => void ran.push(to.join(' ')),
  };
  const guard = {
    overview: async () => ({ hasSecondFactor: false, hasPin: false }),
    hashPin: (input: never) => hashPin(deps, input),
    setPin: (input: never) => setPin(deps, input),
    unlockTrades: (input: never) => unlockTrades(deps, input),
  };
  const secrets = {
    ask: async (_ctx: unknown, to: string, payload: unknown) => void asked.push({ to, payload }),
  };
  const { secrets: takers } = securityFeature({ guard, secrets } as never);
  const type = (taker: string, payload: unknown) =>
    takers?.[taker]?.run({ turn } as never, { kind: 'text', text: PIN }, payload);
  await type('first', { replaces: null, resume: { feature: 'trade', stateId: 'waiting' } });
  expect(asked).toMatchObject([{ to: 'security:again' }]);
  const outcome = await Promise.resolve(type('again', asked[0]?.payload)).then(
    () => null,
    (error: unknown) => error,
  );
  const { pinHash, unlockedUntil } = await rig.db.guards.find(user.id);
  return { outcome, ran, isSet: pinHash !== null, isUnlocked: unlockedUntil !== null };
}

it('the first PIN of a new person unlocks trades, and the purchase that waits runs by itself', async () => {
  expect(await typedTwice(HOUR)).toEqual({
    outcome: null,
    ran: ['trade resume waiting'],
    isSet: true,
    isUnlocked: true,
  });
});

it('that of an account older than a day is set, says from when it works, and runs nothing later', async () => {
  expect(await typedTwice(25 * HOUR)).toMatchObject({
    outcome: { code: 'PIN_TOO_NEW', details: { until: expect.any(Number) } },
    ran: [],
    isSet: true,
    isUnlocked: false,
  });
});
