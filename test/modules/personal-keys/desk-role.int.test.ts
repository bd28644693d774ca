import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createProgramDesk } from '../../../src/modules/personal-keys/use/program-desk.ts';
import { personalKeyCheck } from '../../../src/platform/certificate-check.ts';
import { createSignatureChecks } from '../../../src/platform/chain/signature-checks.ts';
import type { Query } from '../../../src/platform/db/connection.ts';
import { DATABASE_ROLES } from '../../../src/platform/db/grants.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import { rolesPlan } from '../../../src/platform/db/roles.ts';
import { addedProgram, signedHeaders } from '../../api/program.ts';
import { newAddress, storedPerson } from '../../conformance/store-rows.ts';
import { administer, createTestDatabase } from '../../support/database.ts';
import { TEST_CERTIFIER } from '../../support/signer.ts';

const NOW = 1_700_000_000_000;
const PREFIX = `d${inject('templateName').slice(-8)}_`;
const PASSWORD = 'of this run';

let url: string;
/** The tables as their owner, and as the process of the API sees them. */
let all: PrismaDatabase;
let api: PrismaDatabase;
beforeAll(async () => {
  url = await createTestDatabase();
  all = await createPrismaDatabase({ url });
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const query: Query = async <Row>(text: string, values: readonly unknown[]) =>
    (await owner.query(text, [...values])).rows as Row[];
  const passwords = new Map(DATABASE_ROLES.map((role) => [role, PASSWORD] as const));
  for (const statement of await rolesPlan(query, { prefix: PREFIX, passwords })) await owner.query(statement);
  await owner.end();
  const own = new URL(url);
  own.username = `${PREFIX}api`;
  own.password = encodeURIComponent(PASSWORD);
  api = await createPrismaDatabase({ url: own.href });
});
afterAll(async () => {
  await Promise.all([all.close(), api.close()]);
  for (const role of DATABASE_ROLES) {
    await administer(url, `DROP OWNED BY ${PREFIX}${role}`);
    await administer(url, `DROP ROLE ${PREFIX}${role}`);
  }
});

it('the process of the API admits a signed request and reads all of it with its own rights, once over two processes', async () => {
  const { user, wallet } = await storedPerson(all);
  const by = await addedProgram(
    all,
    { userId: user.id, walletId: wallet.id },
    {
      until: NOW + 1_000_000,
      terms: { rights: ['read'], orderLamports: 1n, dayLamports: 1n, tokens: null, ips: null },
    },
  );
  const mint = newAddress();
  await all.positions.record([
    {
      walletId: wallet.id,
      mint,
      signature: 'bought',
      slot: 5n,
      at: NOW,
      final: true,
      intentId: null,
      networkFeeLamports: 0n,
      platformFeeLamports: 0n,
      rentLamports: 0n,
      kind: 'buy',
      units: 9n,
      flowLamports: -90n,
    },
  ]);
  const desk = createProgramDesk({
    db: api,
    clock: { now: () => NOW },
    signatureChecks: createSignatureChecks(),
    isCertified: personalKeyCheck(TEST_CERTIFIER.publicKey),
    log: { error: () => undefined },
  });
  const headers = signedHeaders(by, NOW, { url: '/desk/positions' });
  const admit = () =>
    desk.admit(
      {
        method: 'GET',
        path: '/desk/positions',
        query: '?',
        signatureInput: headers['signature-input'],
        signature: headers['signature'],
        contentDigest: headers['content-digest'],
        body: new Uint8Array(),
        ip: '203.0.113.7',
      },
      'read',
    );
  const admitted = await Promise.all([admit(), admit(), admit()]);
  expect(admitted.filter(({ kind }) => kind === 'admitted')).toHaveLength(1);
  expect(admitted.filter((one) => one.kind === 'refused' && one.why === 'replayed')).toHaveLength(2);
  expect(await desk.positions(by.key)).toMatchObject([{ mint, units: 9n, cost: 90n }]);
  expect(await desk.trades(by.key, { limit: 5, before: null })).toEqual([]);
  expect(await desk.orders(by.key)).toEqual([]);
});
