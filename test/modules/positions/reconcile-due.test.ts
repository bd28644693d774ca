import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { reconcileDue } from '../../../src/modules/positions/use/reconcile-due.ts';
import { storedPerson } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

const HOUR_MS = 3_600_000;

/** As many wallets, each looked at a day ago and due since. */
async function due(count: number) {
  const db = fakeDatabase();
  const clock = fakeClock();
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { wallet } = await storedPerson(db);
    await db.positions.markChecked(wallet.id, clock.now() - 24 * HOUR_MS + n, true);
    ids.push(wallet.id);
  }
  const compared: string[] = [];
  const run = (compare: (id: string) => void = () => {}) =>
    reconcileDue({ db, clock }, async ({ id }) => {
      compare(id);
      compared.push(id);
      await db.positions.markChecked(id, clock.now(), false);
    });
  return { db, clock, ids, compared, run };
}

describe('the hourly comparison with the chain', () => {
  it('gets to every wallet in one run, the longest waiting first', async () => {
    const { ids, compared, run } = await due(35);
    await run();
    expect(compared).toEqual(ids);
    await run();
    expect(compared).toHaveLength(35);
  });

  it('gets to the others where ten wallets are refused every time', async () => {
    const { ids, compared, run } = await due(25);
    const refused = new Set(ids.slice(0, 10));
    const refusing = (id: string): void => {
      if (refused.has(id)) throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'a', cause: 'refused' });
    };
    for (let n = 0; n < 30; n += 1) await run(refusing).catch(() => null);
    expect(compared).toEqual(ids.slice(10));
  });

  it('tries what was refused again within minutes, and no screen takes it for compared', async () => {
    const { db, clock, ids, run } = await due(1);
    let tried = 0;
    const refusing = (): void => {
      tried += 1;
      throw new Error('a fault');
    };
    await expect(run(refusing)).rejects.toThrow('a fault');
    const [id = ''] = ids;
    expect(clock.now() - ((await db.positions.checkedAt(id)) ?? 0)).toBeGreaterThan(60_000);
    await run(refusing);
    expect(tried).toBe(1);
    clock.advance(6 * 60_000);
    await expect(run(refusing)).rejects.toThrow('a fault');
    expect(tried).toBe(2);
  });

  it('ends after half a minute, and goes on there in the next run', async () => {
    const { ids, clock, compared, run } = await due(30);
    await run(() => clock.advance(4_000));
    expect(compared.length).toBeLessThan(30);
    for (let n = 0; n < 10; n += 1) await run(() => clock.advance(4_000));
    expect(compared).toEqual(ids);
  });
});
