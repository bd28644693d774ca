import { describe, expect, it } from 'vitest';
import { RULES } from '../../../src/engine/intents/kinds/rules.ts';
import type { RouteTerm } from '../../../src/engine/intents/rules/terms.ts';
import { SWITCHES } from '../../../src/engine/switches/rules.ts';
import { assertMaySign, assertMayStoreSignature } from '../../../src/engine/switches/use/assert-may-sign.ts';
import { addressOf, buildIntent, PARAMS } from '../../engine/intents/build.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

const clock = { now: () => 1_000 };

describe.each(Object.entries(RULES))('what was confirmed as %s', (kind, { stoppedBy: stops }) => {
  // Only the kind is judged here; what else an intent says does not matter to a switch.
  const intent = buildIntent({ params: { ...PARAMS.buy, kind } as never, kind: kind as never, userId: null });

  it.each(SWITCHES)('is put off by %s exactly when that switch is for it', async (what) => {
    const db = fakeDatabase();
    await db.flags.set(`${what}-paused`, true, 0, { reason: 'x', until: null });
    const stopped = stops.includes(what);
    for (const ask of [
      () => assertMaySign({ db, clock }, intent),
      () => db.transact((stores) => assertMayStoreSignature(stores, intent, { terms: null }, clock.now())),
    ]) {
      if (stopped) await expect(ask()).rejects.toMatchObject({ code: 'SIGNING_PAUSED' });
      else await expect(ask()).resolves.toBeUndefined();
    }
  });
});

describe('an attempt whose route was paused since it was planned', () => {
  const leg = { venue: 'Orca Whirlpool', pool: addressOf(9), percent: 50, from: null, to: null };
  const over = (...route: readonly RouteTerm[]) => ({ terms: { ...PARAMS.buy.terms, route } });
  const orca = { ...leg, pausedBy: 'venue:orca-whirlpool' } as const;
  const jupiter = { ...leg, pausedBy: 'aggregator:jupiter' } as const;

  it.each([
    ['no part', over(), true],
    ['a part that is open', over({ ...leg, pausedBy: 'venue:raydium-clmm' }), true],
    ['a part from before switches', over(leg), true],
    ['a part that is paused', over({ ...leg, pausedBy: 'venue:raydium-clmm' }, orca), false],
    ['an aggregator that is paused', over(jupiter), false],
  ])('is stored or not: %s', async (_, attempt, isStored) => {
    const db = fakeDatabase();
    for (const what of ['venue:orca-whirlpool', 'aggregator:jupiter'] as const)
      await db.flags.set(`${what}-paused`, true, 0, { reason: 'x', until: null });
    const intent = buildIntent({ params: PARAMS.buy, userId: null });
    const ask = db.transact((stores) => assertMayStoreSignature(stores, intent, attempt, clock.now()));
    if (isStored) await expect(ask).resolves.toBeUndefined();
    else await expect(ask).rejects.toMatchObject({ code: 'SIGNING_PAUSED' });
  });
});
