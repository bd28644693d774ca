import { beforeAll, describe, expect, it } from 'vitest';
import type { Alert } from '../../src/modules/alerts/rules/alert.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import { NOW, newAddress, newId, storedPerson } from './store-rows.ts';

export function alertRow(userId: string, more: Partial<Alert> = {}): Alert {
  return {
    id: newId(),
    userId,
    mint: newAddress(),
    unit: 'USD',
    price: { got: 10n ** 50n, given: 7n },
    direction: 'above',
    request: '+10%',
    repeats: false,
    status: 'OPEN',
    armed: true,
    told: 0,
    restsUntil: null,
    version: 1,
    placeKey: newId(),
    expiresAt: NOW + 1_000,
    createdAt: NOW,
    ...more,
  };
}

/** The rules of price alerts as they are stored. */
export function describeAlertStore(database: () => Database): void {
  let db: Database;
  let userId: string;
  beforeAll(async () => {
    db = database();
    userId = (await storedPerson(db)).user.id;
  });

  describe('alerts', () => {
    it('are stored once per key, whole', async () => {
      const alert = alertRow(userId);
      expect(await db.alerts.insert(alert)).toEqual(alert);
      expect(await db.alerts.insert({ ...alert, id: newId(), request: 'another' })).toEqual(alert);
      expect(await db.alerts.find(alert.id)).toEqual(alert);
      expect(await db.alerts.find(newId())).toBeNull();
    });

    it('are changed only as they were read', async () => {
      const alert = await db.alerts.insert(alertRow(userId));
      const told: Alert = {
        ...alert,
        status: 'TOLD',
        armed: false,
        told: 1,
        restsUntil: NOW + 5,
        version: 2,
      };
      expect(await db.alerts.replace(told)).toBe(true);
      expect(await db.alerts.replace(told)).toBe(false);
      expect(await db.alerts.replace({ ...told, version: 4 })).toBe(false);
      expect(await db.alerts.find(alert.id)).toEqual(told);
    });

    it('are listed while they are open, and end with their time', async () => {
      const other = (await storedPerson(db)).user.id;
      const first = await db.alerts.insert(alertRow(other));
      const second = await db.alerts.insert(alertRow(other, { expiresAt: NOW + 2_000 }));
      await db.alerts.insert(alertRow(other, { status: 'TOLD' }));
      expect(await db.alerts.listOpen(other)).toEqual([first, second]);
      expect(await db.alerts.countOpen(other)).toBe(2);
      const open = async (now: number): Promise<readonly Alert[]> =>
        (await db.alerts.allOpen(now)).filter((alert) => alert.userId === other);
      expect(await open(NOW)).toEqual([first, second]);
      expect(await open(NOW + 1_000)).toEqual([second]);
      const ended = await db.alerts.expire(NOW + 1_000);
      expect(ended.filter((alert) => alert.userId === other)).toEqual([
        { ...first, status: 'EXPIRED', version: 2 },
      ]);
      expect(await db.alerts.expire(NOW + 1_000)).toEqual([]);
      expect(await db.alerts.find(first.id)).toMatchObject({ status: 'EXPIRED', version: 2 });
      expect(await db.alerts.listOpen(other)).toEqual([second]);
    });
  });
}
