import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type End, runToEnd, START } from './support/run-to-end.ts';

const scratch = mkdtempSync(join(tmpdir(), 'tradepost-main-'));
chmodSync(scratch, 0o711);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const start = (environment: Readonly<Record<string, string>>): Promise<End> =>
  runToEnd(START, {
    LOCAL_DIR: join(scratch, 'state'),
    CHAT_PORT: '0',
    LOCALNET_PORT: '0',
    ...environment,
  });

async function withTakenPort<T>(use: (port: string) => Promise<T>): Promise<T> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(String((server.address() as AddressInfo).port));
  } finally {
    server.close();
  }
}

describe('a start that cannot succeed ends with code 1 and one clear line per problem', () => {
  it('names all that production lacks', async () => {
    const { code, lines } = await start({ NODE_ENV: 'production' });
    expect(code).toBe(1);
    expect(lines).toHaveLength(6);
    expect(lines.join('\n')).toMatch(/CHAT_KEY: missing[\s\S]*JOURNAL_DIR/);
    expect(lines[0]).toMatch(
      /^Tradepost cannot start: TELEGRAM_BOT_TOKEN: missing\. Create a bot with @BotFather/,
    );
  });

  it('names a database that does not answer, without its password', async () => {
    const own = join(scratch, 'own');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'kek'), '07'.repeat(32), { mode: 0o400 });
    const { code, lines } = await start({
      DATABASE_URL: 'postgresql://desk:hunter2@127.0.0.1:1/desk',
      LOCAL_DIR: own,
    });
    expect(code).toBe(1);
    expect(lines).toEqual([
      'Tradepost cannot start: the database: nothing answers at 127.0.0.1:1. Start Postgres there, or correct the host and port in DATABASE_URL.',
    ]);
  });

  it.each([
    ['CHAT_PORT', 'the chat page'],
    ['LOCALNET_PORT', 'the local chain'],
  ])('names a taken %s and how to choose another', async (variable, what) => {
    const { code, lines } = await withTakenPort((port) => start({ [variable]: port }));
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(
          `${variable}: port \\d+ is taken, so ${what} cannot start\\. Stop the other program or set ${variable}`,
        ),
      ),
    ]);
  });

  it.each([
    ['API_HOST', 'the REST API', {}],
    ['HEALTH_HOST', 'the health endpoint', { HEALTH_PORT: '0' }],
  ])('names a %s that is not of this machine', async (variable, what, more) => {
    const { code, lines } = await start({ ...more, [variable]: '203.0.113.1' });
    expect(code).toBe(1);
    expect(lines).toEqual([
      `Tradepost cannot start: ${variable}: 203.0.113.1 is no address of this machine, so ${what} cannot start. Take 127.0.0.1, or 0.0.0.0 for all of them.`,
    ]);
  });

  it('names a damaged state folder and how to start afresh', async () => {
    const state = join(scratch, 'damaged');
    mkdirSync(join(state, 'chain'), { recursive: true });
    for (const file of ['head', 'snapshot.bin'])
      writeFileSync(join(state, 'chain', file), 'not a chain at all');
    const { code, lines } = await start({ LOCAL_DIR: state });
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^Tradepost cannot start: .*npm run reset/)]);
  });

  it('refuses a real database beside the local Telegram: anybody at this machine could speak as any user', async () => {
    const { code, lines } = await start({ DATABASE_URL: 'postgresql://desk:x@db.example.org:5432/desk' });
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/local Telegram never runs on a database of another machine/),
    ]);
  });
});
