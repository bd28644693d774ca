import { afterAll, beforeAll, expect, it } from 'vitest';
import { createIncidentStore } from '../../../src/modules/operations/store/incident-store.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { createTestDatabase } from '../../support/database.ts';
import { runOpsHere } from './run-ops.ts';

let db: PrismaDatabase;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  const url = await createTestDatabase();
  env = { DATABASE_URL: url };
  db = await createPrismaDatabase({ url });
});
afterAll(() => db?.close());

const ops = (...args: readonly string[]) => runOpsHere(['incident', ...args], env);
const shown = () => createIncidentStore(db.query).list(Date.now() - 60_000);
const acts = async () => {
  const rows = await db.query<{ readonly words: unknown }>(
    `SELECT details->'words' AS words FROM audit_log WHERE act = 'operator-command' ORDER BY id`,
    [],
  );
  return rows.map(({ words }) => words);
};

it('an incident is opened, noted and closed; each act is in the trail, and what changed nothing is not', async () => {
  expect((await ops('list')).code).toBe(0);
  const opened = await ops(
    'open',
    ' Trades  are slow ',
    '--part',
    'trading',
    '--part',
    'chain',
    '--part',
    'chain',
  );
  const id = /^(\w{26}) is open: Trades are slow\./.exec(opened.out)?.[1] ?? '';
  expect([opened.code, id.length]).toEqual([0, 26]);
  expect(await ops('note', id, 'A node answers <late>.')).toMatchObject({ code: 0 });
  const listed = await ops('list');
  expect(listed.code).toBe(1);
  expect(listed.out).toMatch(
    /OPEN {2}Trades are slow \(trading, chain\)\n {2}\S+Z {2}A node answers <late>\./,
  );
  expect(await ops('close', id, 'It answers again.')).toMatchObject({ code: 0 });
  expect(await ops('close', id, 'Once more.')).toMatchObject({ code: 1, out: `${id} was closed before.\n` });
  for (const words of [
    ['note', 'x', 'y'],
    ['close', 'x'],
  ])
    expect(await ops(...words)).toMatchObject({ code: 1, out: expect.stringContaining('no incident x') });
  const [incident] = await shown();
  expect(incident).toMatchObject({ id, title: 'Trades are slow', parts: ['trading', 'chain'] });
  expect(incident?.closedAt).toBeGreaterThanOrEqual(incident?.openedAt ?? Number.NaN);
  expect(incident?.notes.map(({ text }) => text)).toEqual(['It answers again.', 'A node answers <late>.']);
  expect(await acts()).toEqual([
    ['Trades are slow', 'trading', 'chain'],
    [id, 'A node answers <late>.'],
    [id, 'It answers again.'],
  ]);
});

it('a part that there is not, and a text that is empty or too long, change nothing', async () => {
  const before = await shown();
  for (const [words, said] of [
    [['open', 'x', '--part', 'kitchen'], /expected one of database, queue,.* not "kitchen"/],
    [['open', '  '], /expected a text of 1 to 120 characters/],
    [['open', 'x'.repeat(121)], /expected a text of 1 to 120 characters/],
    [['note', before[0]?.id ?? '', 'x'.repeat(1_001)], /expected a text of 1 to 1000 characters/],
  ] as const)
    expect(await ops(...words)).toMatchObject({ code: 2, out: expect.stringMatching(said) });
  expect(await shown()).toEqual(before);
});

it('newest comes first; of those that are old, only an open one is shown', async () => {
  const store = createIncidentStore(db.query);
  const day = 86_400_000;
  const now = Date.now();
  await store.open({ id: 'old-open', title: 'a', parts: [], openedAt: now - 100 * day });
  await store.open({ id: 'old-closed', title: 'b', parts: [], openedAt: now - 99 * day });
  await store.close('old-closed', now);
  await store.open({ id: 'new', title: 'c', parts: [], openedAt: now + day });
  const ids = (await store.list(now - 90 * day)).map(({ id }) => id);
  expect([ids[0], ids.at(-1), ids.includes('old-closed')]).toEqual(['new', 'old-open', false]);
});
