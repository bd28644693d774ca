import { describe, expect, it } from 'vitest';
import { STOPPED_BY, SWITCHES } from '../../../src/core/switches/switch.ts';
import { assertMaySign, assertMayStoreSignature } from '../../../src/services/guard/assert-may-sign.ts';
import { buildIntent, PARAMS } from '../../core/intents/build.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

const clock = { now: () => 1_000 };

describe.each(Object.entries(STOPPED_BY))('what was confirmed as %s', (kind, stops) => {
  // Only the kind is judged here; what else an intent says does not matter to a switch.
  const intent = buildIntent({ params: { ...PARAMS.buy, kind } as never, kind: kind as never, userId: null });

  it.each(SWITCHES)('is put off by %s exactly when that switch is for it', async (what) => {
    const db = fakeDatabase();
    await db.flags.set(`${what}-paused`, true, 0, { reason: 'x', until: null });
    const stopped = (stops as readonly string[]).includes(what);
    for (const ask of [
      () => assertMaySign({ db, clock }, intent),
      () => db.transact((stores) => assertMayStoreSignature(stores, intent, clock.now())),
    ]) {
      if (stopped) await expect(ask()).rejects.toMatchObject({ code: 'SIGNING_PAUSED' });
      else await expect(ask()).resolves.toBeUndefined();
    }
  });
});
