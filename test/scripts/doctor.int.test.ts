import { rm, utimes } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { startLocalChain } from '@tradepost/local-chain';
import { startLocalTelegram } from '@tradepost/local-telegram';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Machine } from '../../scripts/ops/doctor-disk.ts';
import { startLocalMail } from '../../src/local/mail/index.ts';
import type { Finding } from '../../src/modules/operations/rules/check-up.ts';
import { VERSION } from '../../src/modules/operations/rules/version.ts';
import { runOpsHere } from '../modules/operations/run-ops.ts';
import { administer, createEmptyDatabase } from '../support/database.ts';
import { expectSick, openWard, ROOMY, type Ward, WELL } from '../support/doctor-ward.ts';
import { freePort } from '../support/free-port.ts';

const GB = 2 ** 30;

let ward: Ward;
beforeAll(async () => {
  ward = await openWard();
});
beforeEach(() => ward.heal());
afterAll(() => ward.close());

describe('a healthy installation', () => {
  it('ends with 0, a line for each part and no command', async () => {
    const { code, text, sick } = await ward.doctor();
    expect([code, sick]).toEqual([0, []]);
    for (const part of ['database', 'keys', 'replicas', 'write-ahead log', 'clock', 'clock of the chain'])
      expect(text).toMatch(new RegExp(`^ok {4}${part}: `, 'm'));
    for (const part of [
      'connections',
      'processes',
      'dump',
      `disk ${ward.dumps}`,
      `node ${new URL(ward.rpcUrl).host}`,
    ])
      expect(text).toContain(`ok    ${part}: `);
    expect(text).not.toContain('mend');
  });

  it('has the same answer as the command that operators type, and changes no row', async () => {
    const rows = () =>
      administer(
        ward.url,
        'SELECT (SELECT count(*) FROM processes) p, (SELECT count(*) FROM key_registry) k, (SELECT count(*) FROM audit_log) a',
      );
    const before = await rows();
    const { code, out } = await runOpsHere(['doctor', '--dumps', ward.dumps, '--json'], ward.env());
    const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] };
    const sick = findings.filter(({ state, part }) => state !== 'ok' && !part.startsWith('disk '));
    expect([sick, code]).toEqual([[], expect.any(Number)]);
    expect(await rows()).toEqual(before);
  });
});

describe('a fault is named with the command that mends it', () => {
  it('no worker beats', async () => {
    await administer(ward.url, 'DELETE FROM processes');
    await ward.beat('bot', VERSION);
    expectSick(await ward.doctor(), {
      part: /^processes$/,
      code: 2,
      fact: 'no worker beats',
      mend: 'deploy/roles.sh status',
    });
  });

  it('a process of another version, and one that fell silent', async () => {
    await ward.beat('api', '0.0.1-old');
    expectSick(await ward.doctor(), {
      part: /^processes$/,
      code: 1,
      fact: 'api on here runs 0.0.1-old',
      mend: 'docker compose up -d',
    });
    await administer(
      ward.url,
      "UPDATE processes SET beat_at = now() - interval '90 seconds' WHERE version = '0.0.1-old'",
    );
    expectSick(await ward.doctor(), {
      part: /^processes$/,
      code: 1,
      fact: 'api on here is silent for 1 min',
      mend: 'deploy/roles.sh status',
    });
  });

  it.each([
    [3_000, 1, 'ahead of'],
    [-3_000, 1, 'behind'],
    [3_600_000, 2, 'ahead of'],
    [-86_400_000, 2, 'behind'],
  ] as const)('a clock that is off by %i ms', async (offMs, code, fact) => {
    // The age of the dump is read on the same clock.
    const at = new Date(Date.now() + offMs);
    await utimes(ward.dump, at, at);
    expectSick(await ward.doctor({}, { ...WELL, now: () => Date.now() + offMs }), {
      part: /^clock$/,
      code,
      fact,
      mend: 'timedatectl set-ntp true',
    });
  });

  it.each([
    ['space', { ...ROOMY, freeBytes: 10 * GB }, 1, 'du -x'],
    ['space', { ...ROOMY, freeBytes: 4 * GB }, 2, 'du -x'],
    ['files', { ...ROOMY, freeFiles: 100 }, 1, 'du --inodes'],
    ['files', { ...ROOMY, freeFiles: 0 }, 2, 'du --inodes'],
  ] as const)('a disk that runs out of %s', async (_, space, code, mend) => {
    const machine: Machine = { ...WELL, space: async (of) => (of === ward.dumps ? space : ROOMY) };
    expectSick(await ward.doctor({}, machine), { part: `disk ${ward.dumps}`, code, fact: '% free', mend });
  });

  it('no dump, and one that is older than 26 hours', async () => {
    const { dump } = ward;
    const old = new Date(Date.now() - 27 * 3_600_000);
    await utimes(dump, old, old);
    const expected = { part: /^dump$/, code: 2, mend: `npm run ops -- dump-nightly ${ward.dumps}` } as const;
    expectSick(await ward.doctor(), { ...expected, fact: '27.0 hours old' });
    await rm(dump);
    expectSick(await ward.doctor(), { ...expected, fact: 'holds no dump' });
  });

  it('a node that does not answer, beside one that does; the secret part of its address is on no line', async () => {
    const port = await freePort();
    const { code, text, sick } = await ward.doctor({
      SOLANA_RPC_URL: `${ward.rpcUrl},http://127.0.0.1:${port}/a-providers-key`,
    });
    expect([code, sick.map(({ part, state }) => [part, state])]).toEqual([
      2,
      [[`node 127.0.0.1:${port}`, 'bad']],
    ]);
    expect(sick[0]?.mend).toContain('SOLANA_RPC_URL');
    expect(sick[0]?.fact).toContain('ECONNREFUSED');
    expect(text).not.toContain('a-providers-key');
  });

  it('a second node of another network: it is no witness of what the first one says', async () => {
    const stranger = await startLocalChain({ slotMs: 1_000, seed: 'another network', wsPort: null });
    const { code, sick } = await ward.doctor({ SOLANA_RPC_URL: `${ward.rpcUrl},${stranger.rpcUrl}` });
    await stranger.stop();
    const facts = sick.filter(({ part }) => part.startsWith('node ')).map(({ state, fact }) => [state, fact]);
    expect([code, facts]).toEqual([2, Array(2).fill(['bad', expect.stringContaining('it is no witness')])]);
  });

  it('no node at all', async () => {
    const host = `127.0.0.1:${await freePort()}`;
    const { code, sick } = await ward.doctor({ SOLANA_RPC_URL: `http://${host}` });
    expect([code, sick.map(({ part }) => part)]).toEqual([
      2,
      ['clock of the chain', `node ${host}`, 'network'],
    ]);
  });

  it('the key of another installation, a key that was retired, and a file that is not there', async () => {
    const other = await ward.keyFile('other');
    const expected = { part: /^keys$/, code: 2, mend: 'npm run ops -- kek status' } as const;
    expectSick(await ward.doctor({ KEK_FILE: other }), { ...expected, fact: '1 wallets are under local-' });
    expectSick(await ward.doctor({ KEK_FILE: join(ward.folder, 'nowhere') }), {
      ...expected,
      fact: 'no such file',
    });
    expectSick(await ward.doctor({ KEK_FILE: other, KEK_OLD_FILES: ward.ours }), {
      part: /^keys$/,
      code: 1,
      fact: 'never sealed a probe here',
      mend: 'npm run ops -- kek rotate --to ',
    });
    await administer(ward.url, "UPDATE key_registry SET probe = '\\x00'");
    try {
      expectSick(await ward.doctor(), { ...expected, fact: 'is no use' });
    } finally {
      await administer(ward.url, 'UPDATE key_registry SET probe = NULL');
      await ward.meet();
    }
  });

  it('a database that does not answer, and one that holds no Tradepost; the rest is still looked at', async () => {
    for (const [DATABASE_URL, fact] of [
      ['postgresql://a:b@127.0.0.1:1/c', 'nothing answers at 127.0.0.1:1'],
      [await createEmptyDatabase(), 'it is empty'],
    ] as const) {
      const answer = await ward.doctor({ DATABASE_URL });
      expectSick(answer, { part: /^database$/, code: 2, fact, mend: 'psql' });
      expect(answer.text).toContain('ok    node ');
    }
  });

  it('processes that may change every row without the word of the operator', async () => {
    expectSick(await ward.doctor({ DATABASE_ROLES: 'own' }), {
      part: /^roles of the database$/,
      code: 1,
      fact: 'may change every row',
      mend: 'db roles --yes',
    });
  });

  it('POSTGRES_HA=sync without a standby', async () => {
    expectSick(await ward.doctor({ POSTGRES_HA: 'sync' }), {
      part: /^replicas$/,
      code: 2,
      fact: 'no synchronous standby is connected',
      mend: 'pg_stat_replication',
    });
  });

  it('a webhook that another program set, and a token that Telegram refuses', async () => {
    const telegram = await startLocalTelegram({});
    const token = telegram.token;
    const hook = {
      BOT_MODE: 'webhook',
      WEBHOOK_URL: 'https://127.0.0.1:9443/hook',
      WEBHOOK_SECRET: 'sixteen-characters',
      BOT_API_ROOT: telegram.botApiUrl,
    };
    const expected = { part: /^webhook$/, code: 2, mend: 'restart bot' } as const;
    try {
      const bare = await ward.doctor({ ...hook, TELEGRAM_BOT_TOKEN: token });
      expectSick(bare, { ...expected, fact: 'Telegram delivers to no address' });
      const answer = await fetch(`${telegram.botApiUrl}/bot${token}/setWebhook?url=http://127.0.0.1:9/other`);
      expect(await answer.json()).toMatchObject({ ok: true });
      const other = await ward.doctor({ ...hook, TELEGRAM_BOT_TOKEN: token });
      expectSick(other, { ...expected, fact: 'Telegram delivers to 127.0.0.1:9' });
      expect(other.text).not.toContain(token);
      const refused = await ward.doctor({
        ...hook,
        TELEGRAM_BOT_TOKEN: '1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      });
      expectSick(refused, { ...expected, fact: 'Telegram answers 401' });
    } finally {
      await telegram.stop();
    }
  });

  it('a mail server that is there, one that is silent at once, and none', async () => {
    const mail = { MAIL_FROM: 'a@example.org', PUBLIC_URL: 'https://example.org' };
    const local = await startLocalMail();
    try {
      expect(await ward.doctor({ ...mail, SMTP_URL: local.smtpUrl })).toMatchObject({ code: 0, sick: [] });
    } finally {
      await local.stop();
    }
    const rude = await listen(createServer((socket) => void socket.end('554 go away\r\n')));
    try {
      expectSick(await ward.doctor({ ...mail, SMTP_URL: `smtp://127.0.0.1:${rude.port}` }), {
        part: /^mail 127/,
        code: 2,
        fact: '554 go away',
        mend: 'SMTP_URL',
      });
    } finally {
      rude.server.close();
    }
    expectSick(await ward.doctor({ ...mail, SMTP_URL: 'smtp://127.0.0.1:1' }), {
      part: /^mail 127/,
      code: 2,
      fact: 'ECONNREFUSED',
      mend: 'SMTP_URL',
    });
  });
});

describe('what is missing', () => {
  it.each([
    ['KEK_FILE', /^KEK_FILE: missing/],
    ['SOLANA_RPC_URL', /^SOLANA_RPC_URL: missing/],
    ['DATABASE_URL', /DATABASE_URL is not set/],
  ])('is named, and nothing is looked at: %s', async (name, expected) => {
    const { [name]: _, ...others } = ward.env();
    expect(await runOpsHere(['doctor'], others)).toMatchObject({
      code: 2,
      out: expect.stringMatching(expected),
    });
  });
});

function listen(server: Server): Promise<{ readonly server: Server; readonly port: number }> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const at = server.address();
      resolve({ server, port: typeof at === 'object' && at !== null ? at.port : 0 });
    }),
  );
}
