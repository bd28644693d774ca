import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIntent } from '../../src/engine/transactions/use/create-intent.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { DESTINATION } from '../engine/intents/build.ts';
import { type MoneyRig, startMoneyRig } from '../engine/transactions/money-rig.ts';
import { runOpsHere } from '../modules/operations/run-ops.ts';
import { createTestDatabase } from '../support/database.ts';

/** Reviews by the command line, on Postgres and the local chain, which is the only endpoint. */
describe('ops review', () => {
  let url: string;
  let db: PrismaDatabase;
  let rig: MoneyRig;
  let person: Awaited<ReturnType<MoneyRig['person']>>;
  let serial = 0;

  beforeAll(async () => {
    url = await createTestDatabase();
    db = await createPrismaDatabase({ url });
    rig = await startMoneyRig(db, 'review');
    person = await rig.person('Ann', 3_000_000_000n);
  });
  afterAll(async () => {
    await rig.stop();
    await db.close();
  });

  const ops = (...args: readonly string[]) =>
    runOpsHere(args, { DATABASE_URL: url, SOLANA_RPC_URL: rig.local.rpcUrl });

  /** A withdrawal that landed, put back to where a dispute leaves it. */
  async function disputed() {
    serial += 1;
    const { intent } = await createIntent(rig.deps, {
      userId: person.userId,
      walletId: person.wallet.id,
      idemKey: `review/${serial}`,
      params: {
        kind: 'withdraw-sol',
        destination: DESTINATION,
        lamports: 100_000_000n,
        everything: false,
        tier: 'normal',
      },
    });
    expect(await rig.settled(intent.id)).toMatchObject({ status: 'SUCCEEDED' });
    await db.query(`UPDATE intents SET status = 'NEEDS_REVIEW', outcome = NULL WHERE id = $1`, [intent.id]);
    await db.query(`UPDATE attempts SET status = 'UNKNOWN' WHERE intent_id = $1`, [intent.id]);
    const [attempt] = await db.intents.attempts(intent.id);
    const { id, receipt } = intent;
    const decide = (...more: readonly string[]) =>
      ops('review', 'resolve', id, '--reason', 'two explorers show it', ...more);
    return { id, receipt, signature: attempt?.signature ?? '', decide };
  }

  it('lists what waits, shows what endpoints say, and ends it as they say', async () => {
    expect(await ops('review', 'list')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing') });
    const { id, receipt, signature, decide } = await disputed();
    expect(await ops('review', 'list')).toMatchObject({ code: 1, out: expect.stringContaining(receipt) });
    const shown = await ops('review', 'show', id);
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('says landed') });

    const landed = ['--verdict', 'landed', '--signature', signature] as const;
    expect(await decide(...landed)).toMatchObject({ code: 2, out: expect.stringContaining('--confirm') });
    const denied = await decide('--verdict', 'dead', '--confirm', receipt);
    expect(denied).toMatchObject({ code: 1, out: expect.stringContaining('do not bear it out') });
    const mistyped = await decide('--verdict', 'dead', '--confirm', receipt, '--force', 'yes');
    expect(mistyped).toMatchObject({ code: 2, out: expect.stringContaining('whatever the nodes say') });
    expect(await db.intents.find(id)).toMatchObject({ status: 'NEEDS_REVIEW' });

    expect(await decide(...landed, '--confirm', receipt)).toMatchObject({ code: 0 });
    expect(await db.intents.find(id)).toMatchObject({
      status: 'SUCCEEDED',
      outcome: { details: { corrected: true, reviewed: true }, receipt: { signature } },
    });
    expect(await db.intents.attempts(id)).toMatchObject([{ status: 'FINALIZED', signature }]);
    const [act] = await db.auditLog.list({ act: 'review-resolved' }, { limit: 1, offset: 0 });
    expect(act).toMatchObject({
      subject: person.userId,
      outcome: 'done',
      details: { intentId: id, forced: false },
    });
  });

  it('lets one of two operators decide', async () => {
    const { id, receipt, signature, decide } = await disputed();
    const phrase = `${receipt} is dead whatever the nodes say`;
    const results = await Promise.all([
      decide('--verdict', 'landed', '--signature', signature, '--confirm', receipt),
      decide('--verdict', 'dead', '--confirm', receipt, '--force', phrase),
    ]);
    expect(results.map(({ code }) => code).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 1]);
    const acts = await db.auditLog.list({ act: 'review-resolved' }, { limit: 10, offset: 0 });
    expect(
      acts.filter(({ details }) => details !== null && Reflect.get(details, 'intentId') === id),
    ).toHaveLength(1);
  });
});
