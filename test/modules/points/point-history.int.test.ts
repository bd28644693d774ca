import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstUlid } from '../../../src/core/time/ulid.ts';
import { earnTransfer } from '../../../src/engine/ledger/rules/point-postings.ts';
import { DAY_MS } from '../../../src/modules/points/rules/utc.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { newId } from '../../conformance/store-rows.ts';
import { createTestDatabase } from '../../support/database.ts';

const DAYS = 8;
const BOOKINGS = 20;
const FIRST = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

let db: PrismaDatabase;
beforeAll(async () => {
  db = await createPrismaDatabase({ url: await createTestDatabase() });
});
afterAll(() => db.close());

it('shows the same lines page by page as at once, a mined day whole on each', async () => {
  const userId = newId();
  const earn = (reason: 'points-mine' | 'points-trade', ref: string, from: number, at: number) =>
    db.ledger.post(
      earnTransfer(
        { id: firstUlid(from).slice(0, 10) + newId().slice(10), createdAt: at },
        { userId, reason, key: `${reason}/${newId()}`, ref, points: 5n },
      ),
    );
  for (let day = 0; day < DAYS; day += 1) {
    const start = FIRST + day * DAY_MS;
    // Up to the last minute of the day; each booking has the id of its first tap and the time of its last.
    for (let n = 1; n <= BOOKINGS; n += 1) {
      const at = start + (DAY_MS * n) / BOOKINGS - MINUTE;
      await earn('points-mine', `day ${day}`, at - 9 * MINUTE, at);
    }
    for (const hour of [1, 13])
      await earn('points-trade', newId(), start + hour * 60 * MINUTE, start + hour * 60 * MINUTE);
  }
  const whole = await db.points.history(userId, { offset: 0, limit: 1_000 });
  expect(whole.map(({ points }) => points)).toEqual(
    Array.from({ length: DAYS }, () => [5n * BigInt(BOOKINGS), 5n, 5n]).flat(),
  );
  for (const limit of [1, 2, 5, 11]) {
    for (let offset = 0; offset <= whole.length; offset += limit) {
      expect(await db.points.history(userId, { offset, limit })).toEqual(whole.slice(offset, offset + limit));
    }
  }
});
