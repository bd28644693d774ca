import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/modules/alerts/rules/alert.ts';
import { removeAlert } from '../../../src/modules/alerts/use/place-alert.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { alertRow } from '../../conformance/alert-store.ts';
import { storedPerson } from '../../conformance/store-rows.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

/** A database in which the watch changes an alert between the reading and the writing of whoever else changes it. */
function racing(db: Database, change: (alert: Alert) => Alert): Database {
  let isDone = false;
  return {
    ...db,
    transact: (work) =>
      db.transact((stores) =>
        work({
          ...stores,
          alerts: {
            ...stores.alerts,
            find: async (id) => {
              const alert = await stores.alerts.find(id);
              if (alert === null || isDone) return alert;
              isDone = true;
              await stores.alerts.replace(change(alert));
              return alert;
            },
          },
        }),
      ),
  };
}

describe('an alert that is removed in the moment in which the watch', () => {
  it('arms it is removed', async () => {
    const db = fakeDatabase();
    const { user } = await storedPerson(db);
    const { id: alertId } = await db.alerts.insert(alertRow(user.id, { armed: false }));
    const deps = {
      db: racing(db, (alert) => ({ ...alert, armed: true, version: alert.version + 1 })),
      alertsChanged: () => undefined,
    };
    await removeAlert(deps, { userId: user.id, alertId });
    expect(await db.alerts.find(alertId)).toMatchObject({ status: 'REMOVED' });
  });

  it('tells it is over already', async () => {
    const db = fakeDatabase();
    const { user } = await storedPerson(db);
    const { id: alertId } = await db.alerts.insert(alertRow(user.id));
    const deps = {
      db: racing(db, (alert) => ({ ...alert, status: 'TOLD', version: alert.version + 1 })),
      alertsChanged: () => undefined,
    };
    await expect(removeAlert(deps, { userId: user.id, alertId })).rejects.toMatchObject({
      code: 'ALERT_NOT_FOUND',
    });
  });
});
