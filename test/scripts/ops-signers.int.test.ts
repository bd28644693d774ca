import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignerLeases } from '../../src/engine/signing/store/signer-lease.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { runOpsHere } from '../modules/operations/run-ops.ts';
import { createTestDatabase } from '../support/database.ts';

describe('signers', () => {
  let url: string;
  let db: PrismaDatabase;
  beforeAll(async () => {
    url = await createTestDatabase();
    db = await createPrismaDatabase({ url });
  });
  afterAll(() => db.close());

  const ops = (...args: readonly string[]) => runOpsHere(args, { DATABASE_URL: url });

  it('are none where one signer works alone', async () => {
    expect(await ops('signers', 'status')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No signer with peers/),
    });
    expect(await ops('signers', 'give', 'b', '--reason', 'why')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^There is no lease/),
    });
  });

  it('are named with those that may take over, and given to one by an act in the audit log', async () => {
    const leases = createSignerLeases(db.query);
    const epoch = (await leases.take('signer-a', 60_000)) ?? 0n;
    expect(await ops('signers', 'status')).toMatchObject({
      code: 1,
      out: 'holder   signer-a, epoch 1\nstandby  none has every line: when the holder fails, nothing is signed until "signers give"\n',
    });
    await leases.saveCopies('signer-a', epoch, { level: ['signer-b'], witnesses: [], behind: [] });
    expect(await ops('signers', 'status')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/standby {2}signer-b: every line/),
    });

    await leases.saveCopies('signer-a', epoch, {
      level: [],
      witnesses: ['witness-a'],
      behind: ['signer-b'],
    });
    expect(await ops('signers', 'status')).toMatchObject({
      code: 1,
      out: [
        'holder   signer-a, epoch 1',
        'standby  none has every line: when the holder fails, nothing is signed until it is back',
        'witness  witness-a: every line, and signs never',
        'behind   signer-b: may lack lines; the holder goes on without',
        '',
      ].join('\n'),
    });
    await leases.saveCopies('signer-a', epoch, { level: [], witnesses: ['witness-a'], behind: [] });
    expect((await ops('signers', 'status')).code).toBe(0);
    expect(await ops('signers', 'give', 'witness-a', '--reason', 'why')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^witness-a is a witness/),
    });
    expect(await leases.renew('signer-a', epoch, 60_000)).toBe(true);

    expect(await ops('signers', 'give', 'signer-c', '--reason', ' its disk is lost ')).toMatchObject({
      code: 0,
    });
    expect(await leases.renew('signer-a', epoch, 5_000)).toBe(false);
    expect(
      await leases.saveCopies('signer-a', epoch, { level: ['signer-b'], witnesses: [], behind: [] }),
    ).toBe(false);
    expect(await leases.take('signer-b', 5_000)).toBeNull();
    expect(await leases.take('signer-c', 5_000)).toBe(3n);
    const acts = await db.auditLog.list({}, { limit: 1, offset: 0 });
    expect(acts[0]).toMatchObject({
      act: 'operator-command',
      details: { command: 'signers give', words: ['signer-c', 'its disk is lost'] },
    });
  });

  it.each([
    [['give', 'b']],
    [['give', 'b', '--reason', ' ']],
    [['give', 'two words', '--reason', 'why']],
    [['give', '--reason', 'why']],
  ])('refuse %j and change nothing', async (words) => {
    const before = await createSignerLeases(db.query).read();
    expect((await ops('signers', ...words)).code).toBe(2);
    expect((await createSignerLeases(db.query).read())?.epoch).toBe(before?.epoch);
  });
});
