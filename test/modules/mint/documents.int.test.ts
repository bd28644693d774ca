import { Keypair, VersionedTransaction } from '@solana/web3.js';
import type { Address } from '@tradepost/solana';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { createMetadataFileStore } from '../../../src/modules/mint/store/metadata-file-store.ts';
import { buildToken } from '../../../src/modules/mint/use/build-token.ts';
import { createMetadataWay } from '../../../src/modules/mint/use/metadata-way.ts';
import { settleDocuments } from '../../../src/modules/mint/use/settle-documents.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../../src/platform/db/prisma-database.ts';
import type { FileShelf } from '../../../src/platform/ports/metadata-store.ts';
import { createMintKeys } from '../../../src/platform/vault/mint-keys.ts';
import { intentRow, storedIntent, storedPerson } from '../../conformance/store-rows.ts';
import { PARAMS_OF } from '../../support/arbitrary-intents.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type DeskRig, startDeskRig } from '../trading/desk-rig.ts';

const DAY_MS = 24 * 3_600_000;

/** What is left in Postgres of tokens that were built for strangers, and of those that people made. */
describe('documents in Postgres', () => {
  let db: PrismaDatabase;
  let rig: DeskRig;
  let metadata: FileShelf;
  beforeAll(async () => {
    db = await createPrismaDatabase({ url: await createTestDatabase() });
    rig = await startDeskRig('documents');
    metadata = createMetadataFileStore(
      { query: db.query },
      { publicUrl: () => 'https://desk.example', maxBytes: 10_000_000 },
    );
  });
  afterAll(async () => {
    await rig?.stop();
    await db?.close();
  });
  beforeEach(async () => {
    await db.query('DELETE FROM metadata_files', []);
    await db.query('DELETE FROM awaited_mints', []);
  });

  const clockAt = (later: number) => ({ now: () => Date.now() + later });
  const build = (draft: object, mayStore?: () => void) => {
    const deps = {
      ...rig.deps,
      compiler: rig.compiler,
      mintKeys: createMintKeys(),
      metadata,
      clock: clockAt(0),
      metadataWay: createMetadataWay({ chain: rig.chain, clock: clockAt(0) }),
    };
    const request = { payer: rig.wallet, symbol: 'PUP', program: 'token2022' as const, ...draft };
    return buildToken(deps, request as Parameters<typeof buildToken>[1], mayStore);
  };
  const document = (description: string) => ({ metadata: { description } });
  const count = async (table: 'metadata_files' | 'awaited_mints'): Promise<number> => {
    const [row] = await db.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`, []);
    return row?.count ?? -1;
  };
  /** What the sweep does when so much time has passed. */
  const sweepAfter = async (later: number): Promise<void> => {
    const { chain, programs } = rig.deps;
    await settleDocuments({ metadata, chain, programs, clock: clockAt(later) });
    await metadata.deleteUnused(Date.now() + later - DAY_MS);
  };
  const submit = async (bytes: Uint8Array, signers: readonly Keypair[] = []): Promise<void> => {
    const transaction = VersionedTransaction.deserialize(bytes);
    transaction.sign([rig.keypair, ...signers]);
    expect(await rig.chain.send(transaction.serialize())).toEqual({ kind: 'accepted' });
    rig.confirmSlots();
  };

  it('are left behind by nobody who cannot pay, whose field is wrong or whose quota is used up', async () => {
    const poor = Keypair.generate().publicKey.toBase58();
    await expect(build({ payer: poor, ...document('poor') })).rejects.toMatchObject({
      code: 'INSUFFICIENT_LAMPORTS',
    });
    await expect(build({ decimals: 99, ...document('wrong') })).rejects.toMatchObject({
      code: 'TOKEN_REQUEST_INVALID',
    });
    const refuse = (): never => {
      throw new Error('no room');
    };
    await expect(build(document('full'), refuse)).rejects.toThrow('no room');
    expect([await count('metadata_files'), await count('awaited_mints')]).toEqual([0, 0]);
  });

  it('go a day after they were built for, when the mint never came, with the picture that they named', async () => {
    const picture = await metadata.put('png', Uint8Array.of(1, 2, 3));
    await build({ metadata: { description: 'never made', imageUri: picture.uri } });
    expect([await count('metadata_files'), await count('awaited_mints')]).toEqual([2, 1]);
    await sweepAfter(10 * 60_000);
    await sweepAfter(DAY_MS - 60_000);
    expect([await count('metadata_files'), await count('awaited_mints')]).toEqual([2, 1]);
    await sweepAfter(DAY_MS + 60_000);
    expect([await count('metadata_files'), await count('awaited_mints')]).toEqual([0, 0]);
  });

  it('stay for good when the mint is seen and points at them', async () => {
    const built = await build(document('made'));
    await submit(built.transaction);
    await sweepAfter(10 * 60_000);
    expect(await count('awaited_mints')).toBe(0);
    await sweepAfter(400 * DAY_MS);
    expect(await metadata.find(built.metadataHash ?? '', 'json')).not.toBeNull();
  });

  it('do not stay for a mint that points at another one', async () => {
    const key = Keypair.generate();
    const newMint = key.publicKey.toBase58() as Address;
    const [first, second] = [
      await build({ newMint, ...document('one') }),
      await build({ newMint, ...document('two') }),
    ];
    await submit(first.transaction, [key]);
    await sweepAfter(2 * DAY_MS);
    expect(await metadata.find(first.metadataHash ?? '', 'json')).not.toBeNull();
    expect(await metadata.find(second.metadataHash ?? '', 'json')).toBeNull();
  });

  it('wait while the chain cannot be asked', async () => {
    await build(document('unasked'));
    const chain = { accounts: () => Promise.reject(new Error('down')) };
    const { programs } = rig.deps;
    const settling = settleDocuments({ metadata, chain, programs, clock: clockAt(2 * DAY_MS) });
    await expect(settling).rejects.toThrow('down');
    await metadata.deleteUnused(Date.now() + DAY_MS);
    expect(await count('metadata_files')).toBe(1);
  });

  it('of a creation in two transactions stay from the first half on, as long as either half may still make the token', async () => {
    const bytes = new TextEncoder().encode('{"name":"Two halves"}');
    const { sha256, uri } = await metadata.put('json', bytes);
    const { wallet } = await storedPerson(db);
    const [sample] = fc.sample(PARAMS_OF['prepare-token'], { seed: 4, numRuns: 1 });
    if (sample === undefined) throw new Error('no sample');
    const creation = { ...sample.creation, metadataHash: sha256, uri };
    const first = intentRow(wallet, { params: { ...sample, creation } });
    await db.intents.insert(first);
    const isKept = async () => {
      await sweepAfter(3 * DAY_MS);
      return (await metadata.find(sha256, 'json')) !== null;
    };
    const end = (id: string, status: Intent['status']) =>
      db.intents.update(id, { statuses: ['CREATED', 'NEEDS_REVIEW'] }, { status });
    expect(await isKept()).toBe(true);
    await end(first.id, 'NEEDS_REVIEW');
    expect(await isKept()).toBe(true);
    // The second half is written in the commit that ends the first.
    const second = intentRow(wallet, { params: creation });
    await db.intents.insert(second);
    await end(first.id, 'SUCCEEDED');
    expect(await isKept()).toBe(true);
    await end(second.id, 'EXPIRED');
    expect(await isKept()).toBe(false);
  });

  it('of a custodial creation stay while its intent may still make the token, and for good once it did', async () => {
    const bytes = new TextEncoder().encode('{"name":"Chat"}');
    const { sha256, uri } = await metadata.put('json', bytes);
    const { user, wallet } = await storedPerson(db);
    const [params] = fc.sample(PARAMS_OF['create-token'], { seed: 3, numRuns: 1 });
    if (params === undefined) throw new Error('no sample');
    const intent = intentRow(wallet, { params: { ...params, metadataHash: sha256, uri } });
    await db.intents.insert(intent);
    await sweepAfter(3 * DAY_MS);
    expect(await metadata.find(sha256, 'json')).toEqual(bytes);
    await db.intents.update(intent.id, { statuses: ['CREATED'] }, { status: 'SUCCEEDED' });
    await db.createdTokens.insert({
      mint: wallet.address,
      userId: user.id,
      walletId: wallet.id,
      creator: wallet.address,
      intentId: intent.id,
      signature: intent.id,
      spec: params.spec,
      way: params.way,
      uri,
      metadataHash: sha256,
      createdAt: 1,
      revocations: {},
    });
    await sweepAfter(3 * DAY_MS);
    expect(await metadata.find(sha256, 'json')).toEqual(bytes);
    // One that ended without a token keeps nothing.
    const other = await metadata.put('json', new TextEncoder().encode('{"name":"Gone"}'));
    await storedIntent(db, { params: { ...params, metadataHash: other.sha256 }, status: 'REJECTED' });
    await sweepAfter(3 * DAY_MS);
    expect(await metadata.find(other.sha256, 'json')).toBeNull();
  });
});
