import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../scripts/ops/commands.ts';
import { sealBackup } from '../../../src/platform/backup/backup-file.ts';
import { readCompose } from '../../support/compose-file.ts';
import { askForKeys } from '../key-form.ts';
import { type Facts, PASSPHRASE, STEPS } from '../operator-steps.ts';
import { arrive, askToBuy, BOUGHT, give, LONG, mintOf } from '../people.ts';
import { until } from '../processes.ts';
import type { Shape } from '../shape.ts';

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
