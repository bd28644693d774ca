import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createChainReader } from '../../scripts/tour/chain-reader.ts';
import { migrateDatabase } from '../../src/platform/db/migrate.ts';
import { describeInProduction } from './in-production.ts';
import { createPerson, type Person } from './local-world.ts';
import { LONG } from './people.ts';
import { countAgain, PREVIOUS, type RowCounts, restorePrevious, unpackChain } from './previous-version.ts';
import { until } from './processes.ts';
import { createShape, type Shape } from './shape.ts';

describeInProduction('The upgrade from the previous tag', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'tradepost-upgrade-'));
  let shape: Shape;
  let before: RowCounts;
  let dave: Person;
  let eve: Person;
  const meet = async (id: number, first_name: string, language_code: string): Promise<Person> => {
    const person = await createPerson({
      url: shape.telegram.chatUrl,
      user: { id, first_name, language_code },
    });
    // Waits for the bot: it may not write to whoever never wrote to it.
    await person.say('/home');
    return person;
  };
  beforeAll(async () => {
    shape = await createShape({
      chainDir: unpackChain(scratch),
      kek: PREVIOUS.kek,
      settings: { GAMES: 'on', CONVERT: 'on' },
    });
    before = await restorePrevious(shape.databaseUrl, scratch);
    [dave, eve] = [await meet(PREVIOUS.dave, 'Dave', 'en'), await meet(PREVIOUS.eve, 'Eve', 'es')];
  });
  afterAll(async () => {
    await shape?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  const ended = async (telegramId: number) => {
    const open = "status IN ('CREATED', 'ACTIVE')";
    const ask = `SELECT i.kind, i.status, i.outcome->>'reason' AS reason, (SELECT count(*)::int FROM attempts a WHERE a.intent_id = i.id AND a.landed_slot IS NOT NULL) AS landed
      FROM intents i JOIN users u ON u.id = i.user_id WHERE u.telegram_id = $1`;
    await until(
      'their requests to end',
      async () => (await shape.sql(`${ask} AND i.${open}`, [telegramId])).length === 0,
    );
    return shape.sql(ask, [telegramId]);
  };

  it('brings the schema to this version and loses no row', async () => {
    await migrateDatabase({ url: shape.databaseUrl });
    // A version before had one role for all: `ops db roles` makes the others.
    const roles = await shape.prepare();
    expect(roles.code, `${roles.out}${roles.err}`).toBe(0);
    const after = await countAgain(shape.databaseUrl, before);
    for (const [table, count] of before) expect(after.get(table), table).toBeGreaterThanOrEqual(count);
    const known = readdirSync(new URL('../../prisma/migrations', import.meta.url)).filter((name) =>
      /^\d/.test(name),
    );
    expect(after.get('_prisma_migrations')).toBe(known.length);
  });

  it('begins the journal of the signer once, after the chain was walked', async () => {
    const adopted = await shape.ops(['journal', 'adopt'], { service: 'signer' });
    expect(adopted.code, `${adopted.out}${adopted.err}`).toBe(0);
  });

  it('starts no process until the operator has certified its people and wallets, after a look', async () => {
    await expect(shape.start('signer')).rejects.toThrow(/trust adopt/);
    const adopt = (...more: readonly string[]) =>
      shape.ops(['trust', 'adopt', ...more], { service: 'signer' });
    const counted = /^(\d+) people, 6 wallets and \d+ open orders have no certificate\n/;
    expect(await adopt()).toMatchObject({ code: 0, out: expect.stringMatching(/Nothing was written/) });
    expect(await adopt('--yes')).toMatchObject({ code: 0, out: expect.stringMatching(counted) });
    expect(await adopt()).toMatchObject({
      code: 0,
      out: '0 people, 0 wallets and 0 open orders have no certificate\n',
    });
  });

  it('ends what was open: what was signed by what the chain says, what was not without a signature', async () => {
    await shape.startAll();
    expect(await ended(PREVIOUS.eve)).toEqual([
      { kind: 'buy', status: 'SUCCEEDED', reason: null, landed: 1 },
    ]);
    expect(await ended(PREVIOUS.dave)).toEqual([
      { kind: 'withdraw-sol', status: 'REJECTED', reason: 'POLICY_DENIED', landed: 0 },
    ]);
    await eve.waitFor(/^Compraste [\d,.]+ PUP por 0[.,]1 SOL[\s\S]* · final/, LONG);
    await dave.waitFor(/refused to sign this: unconfirmed/, LONG);
  });

  it('audits clean, and every tool reads what the former version wrote', async () => {
    const [landed] = await shape.sql<{ signature: string }>(
      "SELECT signature FROM attempts WHERE status = 'FINALIZED' ORDER BY id LIMIT 1",
    );
    const [round] = await shape.sql<{ id: string }>('SELECT id FROM game_rounds LIMIT 1');
    const reads: readonly (readonly [readonly string[], RegExp])[] = [
      [['audit'], /^0 mismatches in 16 intents/m],
      [['verify-receipt', landed?.signature ?? ''], /Nothing differs/],
      [['verify-game', round?.id ?? ''], /everything follows/],
      [['api-key', 'list'], /acme {2}swap.*valid/],
      [['lut', 'list'], /usable {2}39 entries/],
      [['convert', 'list'], /^period 1: open/],
      [['status'], /^payouts\s+open$/m],
    ];
    for (const [args, says] of reads) {
      const { code, out, err } = await shape.ops(args);
      expect({ code, out }, `${args.join(' ')}\n${out}${err}`).toEqual({
        code: 0,
        out: expect.stringMatching(says),
      });
    }
    const keys = await shape.ops(['kek', 'status'], { service: 'signer' });
    expect(keys).toMatchObject({ code: 0, out: expect.stringMatching(/6 wallets under \S+ {2}\(current\)/) });
  });

  it('knows its people: wallet, PIN and key are as they were', async () => {
    const cold = Keypair.generate().publicKey.toBase58();
    await dave.say('/withdraw_sol');
    await dave.waitFor(/which Solana address/, LONG);
    await dave.say(cold);
    await dave.waitFor(/How much SOL/, LONG);
    await dave.say('0.5');
    await dave.waitFor(/Type your PIN/, LONG);
    await dave.say(PREVIOUS.pin);
    await dave.waitFor(/^Sent 0\.5 SOL \(final\)/, LONG);
    expect(await createChainReader(shape.chain.rpcUrl).lamports(cold)).toBe(500_000_000n);
  });
});
