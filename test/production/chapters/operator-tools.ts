import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../scripts/ops/commands.ts';
import { sealBackup } from '../../../src/platform/backup/backup-file.ts';
import { readCompose } from '../../support/compose-file.ts';
import { askForKeys } from '../key-form.ts';
import { arrive, askToBuy, BOUGHT, give, LONG, mintOf } from '../people.ts';
import { until } from '../processes.ts';
import type { Shape } from '../shape.ts';

/** A well-formed id of nothing. */
const UNKNOWN = '01J8ZQ6Y7V3M9T2K4C5D6E7FAA';
const PASSPHRASE = 'correct horse battery';

/** What the commands are tried on. */
type Facts = {
  readonly telegramId: string;
  readonly signature: string;
  /** A trade that is over. */
  readonly intent: string;
  /** One that the indexer follows, by the address of its pool. */
  readonly market: string;
  readonly round: string;
  readonly requests: readonly [string, string];
  readonly mint: string;
  /** Files that the container may read. */
  readonly keypair: string;
  readonly walletBackup: string;
  readonly folder: string;
  readonly recipient: string;
  /** What the steps before have printed, by command: a later one names what an earlier one made. */
  readonly printed: ReadonlyMap<string, string>;
};

type Step = {
  readonly name: string;
  readonly args?: (facts: Facts) => readonly string[];
  readonly code?: 0 | 1;
  readonly says: RegExp;
  /** The master key is the signer's, and the tables are the owner's. */
  readonly service?: 'signer' | 'database';
  /** A server where it may make a database. */
  readonly hasScratch?: true;
  readonly input?: string;
};

const keyId = ({ printed }: Facts): string =>
  /dx_live_(\w{12})_/.exec(printed.get('api-key issue') ?? '')?.[1] ?? '';
const table = ({ printed }: Facts): string => (printed.get('lut list') ?? '').split(' ')[0] ?? '';
const keypair = (facts: Facts): readonly string[] => ['--keypair', facts.keypair];

/** Every command once for real, in an order in which each finds what it needs. */
const STEPS: readonly Step[] = [
  {
    name: 'pause',
    args: () => ['games', '--reason', 'a drill'],
    says: /^games is paused until it is resumed/,
  },
  { name: 'status', code: 1, says: /^games\s+PAUSED since/m },
  { name: 'resume', args: () => ['games'], says: /^games goes on/ },
  { name: 'kek status', service: 'signer', says: /wallets under \S+ {2}\(current\)/ },
  { name: 'kek rotate', service: 'signer', says: /./ },
  { name: 'audit', says: /^0 mismatches in [1-9]\d* intents.*[1-9]\d* bookings compared/m },
  { name: 'audit-log', args: () => ['--limit', '5'], says: /switch/ },
  { name: 'dump', args: ({ folder }) => [join(folder, 'tools.dump')], says: /^[1-9]\d* rows of \d+ tables/ },
  {
    name: 'dump-nightly',
    args: ({ folder, recipient }) => [folder, '--to', recipient, '--once'],
    says: /^[1-9]\d* rows of \d+ tables are in .*\.dump\.age\.$/m,
  },
  { name: 'dump-check', args: ({ folder }) => [folder], says: /^The newest backup is 0\.0 hours old/ },
  // The signer runs: its journal is not put aside under it, and is read beside it.
  { name: 'journal adopt', service: 'signer', code: 1, says: /only one signer may/ },
  { name: 'journal status', service: 'signer', says: /./ },
  { name: 'journal verify', service: 'signer', says: /./ },
  { name: 'keybook list', service: 'signer', says: /./ },
  { name: 'keybook restore', service: 'signer', says: /./ },
  // Everything was certified as it was made.
  {
    name: 'trust adopt',
    service: 'signer',
    says: /^0 people, 0 wallets and 0 open orders have no certificate\n$/,
  },
  {
    name: 'db roles',
    service: 'database',
    says: /^Nothing differs: 7 roles have what the table of grants says\.$/m,
  },
  // Another account's are not listed.
  { name: 'local orphans', says: /^$/ },
  {
    name: 'doctor',
    service: 'signer',
    args: ({ folder }) => ['--dumps', folder],
    // The chapters before killed processes, and the drill comes after.
    code: 1,
    says: /^ok {4}database: it answers[\s\S]*^WARN {2}processes: [\s\S]*^WARN {2}drill: no restore was ever tried/m,
  },
  { name: 'rpc check', says: /^ok {4}\S+ web socket: served in \d+ ms$/m },
  {
    name: 'drill',
    service: 'signer',
    hasScratch: true,
    args: ({ folder }) => [join(folder, 'tools.dump')],
    says: /^The drill is good\.$/m,
  },
  // The database in use is not the one to restore into; the drill restores into a new one.
  {
    name: 'restore',
    service: 'database',
    args: ({ folder }) => [join(folder, 'tools.dump')],
    code: 1,
    says: /A running Tradepost uses this database/,
  },
  { name: 'reconcile', says: /not in quarantine/ },
  { name: 'review list', says: /^Nothing waits for a person\.$/m },
  { name: 'review show', args: ({ intent }) => [intent], says: /R-\w+/ },
  {
    name: 'review resolve',
    args: (facts) => [
      facts.intent,
      '--verdict',
      'dead',
      '--reason',
      'a drill',
      '--confirm',
      /R-[\w-]+/.exec(facts.printed.get('review show') ?? '')?.[0] ?? '',
    ],
    code: 1,
    says: /waits for nobody\. Nothing was changed\./,
  },
  {
    name: 'backup open',
    args: ({ walletBackup }) => [walletBackup],
    input: `${PASSPHRASE}\n`,
    says: /^Address {3}\w{32,44}\n/,
  },
  { name: 'api-key issue', args: () => ['acme', '--days', '1'], says: /^dx_live_\w{12}_\w{43}\n/ },
  { name: 'api-key list', says: /acme {2}swap/ },
  {
    name: 'api-key rotate',
    args: (facts) => [keyId(facts), '--overlap', '1h'],
    says: /^dx_live_\w{12}_\w{43}\n/,
  },
  { name: 'api-key revoke', args: (facts) => [keyId(facts)], says: /is revoked\.$/m },
  { name: 'key-request list', says: /first@example\.org/ },
  { name: 'key-request show', args: ({ requests }) => [requests[0]], says: /^state {6}confirmed/m },
  {
    name: 'key-request grant',
    args: ({ requests }) => [requests[0], '--rate', '3'],
    says: /^Granted 3 requests per second, 6 at once/,
  },
  {
    name: 'key-request refuse',
    args: ({ requests }) => [requests[1], '--reason', 'not today'],
    says: /^Refused\. The mail goes to second@example\.org/,
  },
  { name: 'mail list', says: /./ },
  { name: 'mail bounced', args: () => [UNKNOWN], code: 1, says: /is no mail that was sent/ },
  { name: 'mail again', args: () => [UNKNOWN], code: 1, says: /There is no such mail/ },
  {
    name: 'second-factor end',
    args: ({ telegramId }) => [telegramId],
    code: 1,
    says: /has no authenticator/,
  },
  {
    name: 'freeze end',
    args: ({ telegramId }) => [
      telegramId,
      '--reason',
      'a call',
      '--confirm',
      `${telegramId} may move money again`,
    ],
    code: 1,
    says: /Nothing of this person is frozen/,
  },
  {
    name: 'lut sync',
    args: (facts) => ['--mint', facts.mint, '--yes', ...keypair(facts)],
    says: /Every entry may be used/,
  },
  { name: 'lut list', says: /usable {2}[1-9]\d* entries/ },
  { name: 'lut close', args: (facts) => [table(facts), ...keypair(facts)], says: /is out of use/ },
  { name: 'points abuse', says: /^Top miners of seven days/ },
  { name: 'points budget', args: () => ['2'], says: /./ },
  { name: 'points stock', args: () => ['code-1', '7'], says: /^7 of code-1 are left/ },
  { name: 'points season-close', code: 1, says: /No season is over yet/ },
  {
    name: 'convert announce',
    args: () => ['1', '2099-01-01', '2099-01-08T12:00Z'],
    says: /^period 1: .*1 SOL, 2099-01-01T00:00:00/,
  },
  { name: 'convert list', says: /^period 1: / },
  { name: 'convert cancel', args: () => ['1'], says: /^period 1 is cancelled/ },
  { name: 'referrals flags', says: /./ },
  { name: 'orders verify', says: /^0 mismatches in \d+ orders/m },
  { name: 'copies verify', says: /^0 mismatches in \d+ copies/m },
  { name: 'market verify', args: ({ market }) => [market], says: /the tape is exact/ },
  { name: 'market refault', says: /^There are no faults\.$/m },
  { name: 'market rebuild', args: ({ market }) => [market], says: /were made anew from its trades/ },
  { name: 'market forget', code: 1, says: /^Would delete / },
  { name: 'ip-block add', args: () => ['203.0.113.7', 'a drill'], says: /is blocked/ },
  { name: 'ip-block list', says: /203\.0\.113\.7/ },
  { name: 'ip-block lift', args: () => ['203.0.113.7'], says: /may ask again/ },
  { name: 'verify-game', args: ({ round }) => [round], says: /everything follows from the commitment/ },
  { name: 'verify-receipt', args: ({ signature }) => [signature], says: /^Nothing differs\.$/m },
];

const NODE = ['node', '--import', './scripts/register.mjs'];
/** In one process of the image: one for each command took longer than all other chapters together. */
const ALL_HELP = `
const [{ COMMANDS }, { runCommand }] = await Promise.all(
  ['commands', 'run-command'].map((file) => import('./scripts/ops/' + file + '.ts')),
);
const said = {};
for (const { name } of COMMANDS) {
  const lines = [];
  const config = () => { throw new Error(name + ' --help read the configuration'); };
  const code = await runCommand([...name.split(' '), '--help'], config, (line) => lines.push(line));
  said[name] = { code, text: lines.join('\\n') };
}
process.stdout.write(JSON.stringify(said));`;

export function operatorTools(at: () => Shape): void {
  describe('the tools of the operator, in the image', () => {
    let facts: Facts;
    const printed = new Map<string, string>();
    beforeAll(async () => {
      facts = await gather(at(), printed);
    });

    it('are all tried', () => {
      expect(new Set(STEPS.map(({ name }) => name))).toEqual(new Set(COMMANDS.map(({ name }) => name)));
    });

    it('say how they are used, each without a configuration', async () => {
      const { code, out, err } = await at().command('ops', [...NODE, '--input-type=module', '-e', ALL_HELP]);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      const said = JSON.parse(out) as Readonly<
        Record<string, { readonly code: number; readonly text: string }>
      >;
      expect(Object.keys(said)).toEqual(COMMANDS.map(({ name }) => name));
      for (const [name, { code: own, text }] of Object.entries(said)) {
        expect(own, name).toBe(0);
        expect(text).toContain(`npm run ops -- ${name}`);
      }
    });

    it('say so on the command line, too', async () => {
      const help = await at().ops(['kek', 'rotate', '--help']);
      expect(help).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringContaining('npm run ops -- kek rotate'),
      });
    });

    it.each(STEPS)('$name', async ({ name, args, code = 0, says, service, hasScratch, input }) => {
      const answer = await at().ops([...name.split(' '), ...(args?.(facts) ?? [])], {
        ...(service === undefined ? {} : { service }),
        ...(hasScratch === true ? { env: { SCRATCH_DATABASE_URL: at().databaseUrl } } : {}),
        ...(input === undefined ? {} : { input }),
      });
      printed.set(name, answer.out);
      const text = `${answer.out}${answer.err}`;
      expect(answer.code, text).toBe(code);
      expect(code === 0 ? answer.out : text).toMatch(says);
      expect(text).not.toContain('    at ');
    });

    it('run as the compose file says for the nightly dump, and its check', async () => {
      const { command = [], healthcheck } = readCompose().services['backup'] ?? {};
      const words = command.map((word) => (word.startsWith('${BACKUP_RECIPIENT') ? facts.recipient : word));
      expect(await at().command('backup', [...words, '--once'])).toMatchObject({ code: 0 });
      const check = healthcheck !== undefined && 'test' in healthcheck ? healthcheck.test.slice(1) : [];
      expect(await at().command('backup', check)).toMatchObject({ code: 0 });
    });

    it('say in one sentence where they cannot write', async () => {
      // Keys are named and never made, so a dump is the one file that a command writes.
      for (const args of [['dump', 'here.dump']]) {
        const { code, err } = await at().ops(args);
        expect(code, err).toBe(1);
        expect(err).not.toContain('    at ');
        expect(err.trim().split('\n')).toHaveLength(2);
      }
    });
  });
}

async function gather(shape: Shape, printed: ReadonlyMap<string, string>): Promise<Facts> {
  const trader = await arrive(shape, 'Gus');
  await askToBuy(shape, trader);
  await trader.person.tap('Confirm buy');
  await trader.person.waitFor(BOUGHT, LONG);
  const [attempt] = await shape.sql<{ signature: string; intent: string }>(
    `SELECT a.signature, i.id AS intent FROM attempts a JOIN intents i ON i.id = a.intent_id JOIN wallets w ON w.id = i.wallet_id WHERE w.address = $1`,
    [trader.address],
  );
  const file = (name: string, text: string): string => {
    const path = join(shape.backups, name);
    writeFileSync(path, text);
    chmodSync(path, 0o644);
    return path;
  };
  const key = Keypair.generate();
  await give(shape, key.publicKey.toBase58(), 1);
  const sealed = await sealBackup(key.secretKey.slice(0, 32), PASSPHRASE, { n: 1_024, r: 8, p: 1 });
  return {
    telegramId: String(trader.id),
    signature: attempt?.signature ?? '',
    intent: attempt?.intent ?? '',
    market: await followedMarket(shape),
    round: await playCoin(trader),
    requests: await askForKeys(shape, ['first@example.org', 'second@example.org']),
    mint: mintOf(shape, 'KOI'),
    keypair: file('lookup-table-key.json', JSON.stringify([...key.secretKey])),
    walletBackup: file('wallet.backup.json', Buffer.from(sealed).toString('utf8')),
    folder: shape.backups,
    recipient: await identityToRecipient(await generateX25519Identity()),
    printed,
  };
}

async function followedMarket(shape: Shape): Promise<string> {
  let found: string | undefined;
  await until('a market to be followed', async () => {
    [{ address: found } = { address: undefined }] = await shape.sql<{ address: string }>(
      `SELECT m.address FROM markets m JOIN market_cursors c ON c.market_id = m.id WHERE m.followed ORDER BY m.id LIMIT 1`,
    );
    return found !== undefined;
  });
  return found ?? '';
}

/** One round of the coin guess for ten points that were mined; the round's id. */
async function playCoin({ person }: Awaited<ReturnType<typeof arrive>>): Promise<string> {
  await person.say('/home');
  await person.waitFor(/Points/, LONG);
  await person.tap('Earn');
  await person.waitFor(/^Earn/, LONG);
  await person.tap('Points');
  await person.waitFor(/not a token, no cash value/, LONG);
  await person.tap('Mine +10');
  await person.waitForToast(/\+10 points/, LONG);
  await person.tap('Games');
  await person.waitFor(/For fun/, LONG);
  await person.tap('Coin guess');
  await person.waitFor(/Commitment/, LONG);
  await person.tap('Heads');
  const told = await person.waitFor(/Seed \S+/, LONG);
  return /Round (\S+)/.exec(told.text ?? '')?.[1] ?? '';
}
