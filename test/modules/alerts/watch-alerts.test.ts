import { describe, expect, it } from 'vitest';
import { ALERT_LIMITS } from '../../../src/modules/alerts/rules/alert.ts';
import { createAlertWatch } from '../../../src/modules/alerts/use/watch-alerts.ts';
import { alertRow } from '../../conformance/alert-store.ts';
import { storedPerson } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';

/** A watch over a person's alerts, without a price. */
async function watchRig() {
  const [db, clock, ids] = [fakeDatabase(), fakeClock(), fakeIds()];
  const { user } = await storedPerson(db);
  const nudged: number[] = [];
  const watch = createAlertWatch({
    db,
    clock,
    ids,
    trade: { chain: { token: async () => null } } as never,
    solPrice: async () => null,
    nudge: () => nudged.push(clock.now()),
    alertsChanged: () => undefined,
    onChange: () => undefined,
    feed: { watch: () => undefined, onPools: () => undefined, stop: async () => undefined },
    log: { info: () => undefined, warn: (fields) => expect(fields).toBe('no warning') },
  });
  const told = async () => {
    const waiting = await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 100);
    return (await Promise.all(waiting.map((id) => db.notices.find(id)))).map((notice) => ({
      userId: notice?.userId,
      kind: notice?.kind,
      payload: notice?.payload,
    }));
  };
  return { db, clock, user, watch, told, nudged };
}

describe('the watch of price alerts', () => {
  it('tells once that the time of an alert is over', async () => {
    const { db, clock, user, watch, told, nudged } = await watchRig();
    const expiresAt = clock.now() + ALERT_LIMITS.lastsMs;
    const alert = await db.alerts.insert(alertRow(user.id, { expiresAt }));
    await watch.round();
    expect(await told()).toEqual([]);
    clock.set(expiresAt);
    await watch.round();
    const notice = { userId: user.id, kind: 'alert-ended', payload: { alertId: alert.id } };
    expect(await told()).toEqual([notice]);
    expect(nudged).toEqual([expiresAt]);
    clock.advance(3_600_000);
    await watch.round();
    expect(await told()).toEqual([notice]);
    expect(await db.alerts.find(alert.id)).toMatchObject({ status: 'EXPIRED' });
  });

  it('says nothing of one that was removed before', async () => {
    const { db, clock, user, watch, told } = await watchRig();
    await db.alerts.insert(alertRow(user.id, { expiresAt: clock.now(), status: 'REMOVED' }));
    await watch.round();
    expect(await told()).toEqual([]);
  });
});
