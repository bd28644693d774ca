import { describe, expect, it } from 'vitest';
import { filesOfRing } from '../../support/rings.ts';

const files = filesOfRing('platform');

/** What carries statements and writes none. */
const CARRIERS = ['platform/db/client.ts', 'platform/db/connection.ts', 'platform/db/transaction-client.ts'];

/** A statement of SQL, as the stores write them: in a string that begins with its verb. */
const STATEMENT = /[`'"]\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|LISTEN|CREATE TABLE) /;
const REASON = /\/\/ SQL: \w.{10,}/;

const violations = (given: readonly { readonly path: string; readonly text: string }[]): readonly string[] =>
  given.flatMap(({ path, text }) => [
    ...(/\$(query|execute)RawUnsafe/.test(text) ? [`${path}: a raw query that nothing escapes`] : []),
    ...(/query(<|\()/.test(text) && STATEMENT.test(text) && !REASON.test(text)
      ? [
          `${path}: SQL without its reason. Call the model, or add a line "// SQL: why it is no model's call".`,
        ]
      : []),
  ]);

describe('statements of SQL', () => {
  it('say why no model is called, and none is put together without parameters', () => {
    expect(files.filter(({ text }) => STATEMENT.test(text)).length).toBeGreaterThan(30);
    expect(violations(files.filter(({ path }) => !CARRIERS.includes(path)))).toEqual([]);
  });

  it('are found where the reason is missing', () => {
    const text = "await query('SELECT 1 FROM users', [])";
    expect(violations([{ path: 'x.ts', text }])).toHaveLength(1);
    expect(violations([{ path: 'x.ts', text: `// SQL: it locks the row.\n${text}` }])).toEqual([]);
    expect(violations([{ path: 'x.ts', text: 'prisma.$queryRawUnsafe(text)' }])).toHaveLength(1);
  });
});
