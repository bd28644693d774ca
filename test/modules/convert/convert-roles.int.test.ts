import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { earnTransfer } from '../../../src/engine/ledger/rules/point-postings.ts';
import { advanceConvert } from '../../../src/modules/convert/use/advance-convert.ts';
import { enterConvert } from '../../../src/modules/convert/use/enter-convert.ts';
import { DATABASE_ROLES, type DatabaseRole } from '../../../src/platform/db/grants.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { rolesPlan } from '../../../src/platform/db/roles.ts';
import { buttonRow, newId, storedPerson } from '../../conformance/store-rows.ts';
import { administer, createTestDatabase } from '../../support/database.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeIds } from '../../support/fakes/ids.ts';

/** Roles belong to the server: this run has its own. */
const PREFIX = `c${inject('templateName').slice(-8)}_`;
const PASSWORD = 'password-of-the-test';
const DAY = 86_400_000;
const START = Date.UTC(2026, 11, 1);

let url: string;
let owner: pg.Client;
let all: PrismaDatabase;
const opened: PrismaDatabase[] = [];
const clock = fakeClock(START);
const ids = fakeIds(71);

beforeAll(async () => {
  url = await createTestDatabase();
  owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const query = async <Row>(text: string, values: readonly unknown[]) =>
    (await owner.query(text, [...values])).rows as Row[];
  const passwords = new Map(DATABASE_ROLES.map((role) => [role, PASSWORD] as const));
  for (const statement of await rolesPlan(query, { prefix: PREFIX, passwords })) await owner.query(statement);
  all = await createPrismaDatabase({ url });
});
afterAll(async () => {
  for (const db of [all, ...opened]) await db.close();
  await owner.end();
  for (const role of DATABASE_ROLES) {
    await administer(url, `DROP OWNED BY ${PREFIX}${role}`);
    await administer(url, `DROP ROLE ${PREFIX}${role}`);
  }
});

async function as(role: DatabaseRole): Promise<PrismaDatabase> {
  const at = new URL(url);
  at.username = `${PREFIX}${role}`;
  at.password = PASSWORD;
  const db = await createPrismaDatabase({ url: at.href });
  opened.push(db);
  return db;
}

it('a conversion is entered by the bot’s role, and settled and given back by the worker’s', async () => {
  const [bot, worker] = [await as('bot'), await as('worker')];
  const { user } = await storedPerson(all);
  await all.ledger.post(
    earnTransfer(
      { id: newId(), createdAt: START },
      { userId: user.id, points: 1_000n, reason: 'points-trade', key: `grant/${newId()}`, ref: 'x' },
    ),
  );
  const announce = async (opensAt: number) => {
    const period = await all.convert.announce({
      budgetLamports: 1_000_000n,
      opensAt,
      closesAt: opensAt + DAY,
      announcedAt: START,
      seal: null,
    });
    if (period === null) throw new Error('overlaps');
    return period;
  };
  const enter = async (period: number) => {
    const button = buttonRow(user.id, { expiresAt: Number.MAX_SAFE_INTEGER / 2 });
    // A process without the chat's key believes its own buttons alone.
    await bot.buttons.insert([{ ...button, expiresAt: START + 1e11 }]);
    const input = { userId: user.id, period, points: 400n, idemKey: newId(), buttonId: button.id };
    await enterConvert({ db: bot, clock, ids }, input);
  };
  const advance = () => advanceConvert({ db: worker, clock, ids });

  const first = await announce(START);
  await bot.convert.watch(user.id, START);
  clock.set(START + 1);
  await advance();
  expect(await all.convert.isWatching(user.id)).toBe(false);
  await enter(first.number);
  clock.set(first.closesAt + 1);
  await advance();
  expect(await all.convert.find(first.number)).toMatchObject({ status: 'SETTLED', paidLamports: 1_000_000n });
  expect(await all.ledger.balance({ kind: 'referral-payable', owner: user.id })).toBe(1_000_000n);

  const second = await announce(first.closesAt);
  await enter(second.number);
  await all.convert.cancel(second.number, { at: 1, uncountedLamports: 0n, certificate: 'cancelled' });
  await advance();
  expect(await all.ledger.balance({ kind: 'points', owner: user.id })).toBe(600n);
  expect(await all.ledger.balance({ kind: 'points-locked', owner: user.id })).toBe(0n);
});
