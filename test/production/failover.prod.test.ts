import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from '@tradepost/solana';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOpen } from '../../src/engine/intents/rules/machine.ts';
import { until } from '../engine/transactions/money-rig.ts';
import { type FailoverDesk, startFailoverDesk } from './failover-desk.ts';
import { asks, debianPostgres, type Pair, type PairedServer, startPair } from './postgres-pair.ts';

const hasPostgres = debianPostgres() !== null;
if (!hasPostgres && process.env['REQUIRE_ALL'] === '1') throw new Error('Debian Postgres is missing');

/** How often a primary is killed; CI's short form has few. */
const ROUNDS = Number(process.env['FAILOVERS'] ?? 3);
const ROUND_MS = 60_000;
const SOL = 1_000_000_000n;
const LAMPORTS = SOL / 100n;

/** When the replica hears its primary for the last time. */
const MOMENTS = ['before it is asked for', 'once it is signed', 'soon after it is signed'] as const;
type Moment = (typeof MOMENTS)[number];

let folder: string;
let servers: string;
let pair: Pair;
let desk: FailoverDesk;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'failover-'));
  servers = await mkdtemp(join(tmpdir(), 'pair-'));
  pair = await startPair(servers, { monitor: true });
  desk = await startFailoverDesk(pair.primary.url, join(folder, 'journal'));
});
afterEach(async () => {
  await desk?.stop();
  await pair?.stop();
  for (const one of [folder, servers]) await rm(one, { recursive: true, force: true });
});

const lsn = async (server: PairedServer, call: string): Promise<string> =>
  String((await asks(server.superUrl, `SELECT ${call} AS at`))[0]?.['at']);

/** A replica that has everything. */
async function replicaOf(primary: PairedServer, name: string): Promise<PairedServer> {
  const standby = await pair.follow(primary, name);
  await until(async () => {
    const sent = await lsn(primary, 'pg_current_wal_lsn()');
    const [row] = await asks(
      standby.superUrl,
      `SELECT coalesce(pg_last_wal_replay_lsn() >= '${sent}', false) AND EXISTS (SELECT 1 FROM pg_stat_wal_receiver WHERE status = 'streaming') AS has`,
    );
    return row?.['has'] === true;
  }, 'the replica to stream');
  return standby;
}

/** From here on the replica hears nothing more: what the primary answers is lost with it. */
async function cut(standby: PairedServer): Promise<void> {
  await asks(standby.superUrl, `ALTER SYSTEM SET primary_conninfo = ''`);
  await asks(standby.superUrl, 'SELECT pg_reload_conf()');
  await until(
    async () => (await asks(standby.superUrl, 'SELECT 1 FROM pg_stat_wal_receiver')).length === 0,
    'the replica to be cut off',
  );
}

type Person = Awaited<ReturnType<FailoverDesk['rig']['person']>>;

/** A withdrawal that lands on the chain, and a primary that dies once it has. Gives back the replica, promoted. */
async function loseLastCommits(
  primary: PairedServer,
  given: { readonly name: string; readonly who: Person; readonly to: Address; readonly moment: Moment },
): Promise<{ readonly promoted: PairedServer; readonly intentId: string }> {
  const { name, who, to, moment } = given;
  const standby = await replicaOf(primary, name);
  let isCut: Promise<void> | null = moment === 'before it is asked for' ? cut(standby) : null;
  await isCut;
  desk.hooks.signed = async () => {
    const wait = moment === 'once it is signed' ? 0 : Math.random() * 400;
    isCut ??= pause(wait).then(() => cut(standby));
    if (moment === 'once it is signed') await isCut;
  };
  const intentId = await desk.withdraw(who, { to, lamports: LAMPORTS, idemKey: name });
  await until(async () => (await desk.rig.chain.balance(to)) >= LAMPORTS, 'the withdrawal to land');
  await isCut;
  await pause(Math.random() * 300);
  desk.hooks.signed = async () => undefined;
  await primary.kill();
  await standby.promote();
  return { promoted: standby, intentId };
}

describe.skipIf(!hasPostgres)('a replica that is promoted without the last commits', () => {
  it(
    'pays nothing twice, and goes on once the books are compared',
    async () => {
      const who = await desk.rig.person('Ann', 100n * SOL);
      let server = pair.primary;
      const seen: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const moment = MOMENTS[round % MOMENTS.length] ?? 'once it is signed';
        const to = (await desk.rig.person(`Bob ${round}`, 0n)).wallet.address;
        const name = `b${round}`;
        const { promoted, intentId } = await loseLastCommits(server, { name, who, to, moment });
        await desk.moveTo(promoted.url);
        // The request itself is lost: the person asks again, as a chat or an API client does.
        const isLost = (await desk.db().intents.find(intentId)) === null;
        const asked = isLost ? await desk.withdraw(who, { to, lamports: LAMPORTS, idemKey: name }) : intentId;
        await desk.rig.queue.add('intent.step', { intentId: asked }, { key: `step-${asked}` });
        const word = await until(async () => {
          if ((await desk.quarantine()) !== null) return 'fenced';
          const intent = await desk.db().intents.find(asked);
          return intent !== null && !isOpen(intent.status) ? intent.status : null;
        }, 'a fence or an end');
        expect(await desk.rig.chain.balance(to), `${moment}: ${word}`).toBe(LAMPORTS);
        expect(isLost ? 'fenced' : word).toBe(word);
        if (word === 'fenced') expect((await desk.reconcile()).mismatches).toEqual([]);
        else expect(word).toBe('SUCCEEDED');
        for (const id of new Set([intentId, asked])) {
          expect(await desk.rig.settled(id), `${moment}: ${word}`).toMatchObject({ status: 'SUCCEEDED' });
        }
        // Two requests are two payments; one is one.
        expect(await desk.rig.chain.balance(to), moment).toBe(isLost ? 2n * LAMPORTS : LAMPORTS);
        seen.push(word);
        server = promoted;
      }
      expect(seen).toContain('fenced');
    },
    ROUNDS * ROUND_MS,
  );

  it('pays twice where the signer has lost its journal', async () => {
    const who = await desk.rig.person('Ann', 10n * SOL);
    const to = (await desk.rig.person('Bob', 0n)).wallet.address;
    const { promoted, intentId } = await loseLastCommits(pair.primary, {
      name: 'b',
      who,
      to,
      moment: 'once it is signed',
    });
    await desk.moveTo(promoted.url, join(folder, 'another-journal'));
    await desk.rig.queue.add('intent.step', { intentId }, { key: `step-${intentId}` });
    expect(await desk.rig.settled(intentId)).toMatchObject({ status: 'SUCCEEDED' });
    expect(await desk.rig.chain.balance(to)).toBe(2n * LAMPORTS);
  });
});
