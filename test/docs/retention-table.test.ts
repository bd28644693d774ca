import { expect, it } from 'vitest';
import { IDLE_DAYS, KEPT_DAYS, NOTICE_DAYS } from '../../src/modules/operations/rules/retention.ts';
import { modelTables } from '../support/prisma-schema.ts';
import { filesOfRing } from '../support/rings.ts';
import { retentionTable } from './retention-table.ts';

const table = retentionTable();
const byName = (a = '', b = ''): number => (a < b ? -1 : 1);

it('every table of the schema stands in it, once, in the order of the alphabet', () => {
  const tables = [...modelTables().values()];
  expect(table.map(({ name }) => name)).toEqual(tables.toSorted(byName));
});

it('what code deletes is not said to be kept for ever, and what is said to go is deleted', () => {
  const text = filesOfRing('platform')
    .map((file) => file.text)
    .join('\n');
  const models = modelTables();
  const named = [
    ...[...text.matchAll(/DELETE FROM (\w+)/g)].map(([, name]) => name),
    ...[...text.matchAll(/\.(\w+)\.deleteMany\(/g)].map(([, model = '']) => models.get(model)),
  ];
  // Two statements take the name from a list: of the dialogues' store, and of the allowances.
  const listed = ['bot_dialogs', 'bot_locks', 'bot_updates', 'withdrawal_uses'];
  // Emptied and booked, not deleted by their name.
  const other = ['attempts', 'unbooked_points'];
  const gone = new Set([...named, ...listed, ...other]);
  expect(table.filter(({ by }) => by !== 'nobody').map(({ name }) => name)).toEqual(
    [...gone].toSorted(byName),
  );
  for (const { kept, by } of table) expect(kept.startsWith('for ever') || by !== 'nobody').toBe(true);
});

it('says the days of the code', () => {
  const kept = (name: string) => table.find((row) => row.name === name)?.kept;
  expect(kept('notices')).toContain(`${NOTICE_DAYS} days after`);
  for (const name of ['progress_messages', 'spending_uses', 'withdrawal_uses', 'attempts'])
    expect(kept(name)).toContain(`${KEPT_DAYS} days after`);
  expect(kept('unbooked_points')).toContain(`${IDLE_DAYS} day `);
});
