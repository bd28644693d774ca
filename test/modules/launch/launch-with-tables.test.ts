import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LookupTable } from '../../../src/engine/lookup-tables/rules/lookup-table.ts';
import { lookupTablesOf } from '../../../src/engine/signing/rules/decode-message.ts';
import { buildAttempt } from '../../../src/engine/transactions/use/build-attempt.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import { newIntent } from '../../../src/engine/transactions/use/new-intent.ts';
import { type LaunchRequest, quoteLaunch } from '../../../src/modules/launch/use/quote-launch.ts';
import { recoverIntent } from '../../../src/modules/operations/use/recover-intent.ts';
import type { ChainHistory } from '../../../src/platform/ports/chain-history.ts';
import type { KeyHolder } from '../../../src/platform/ports/key-holder.ts';
import type { QuarantineStore } from '../../../src/platform/ports/operations.ts';
import { lyingChain, syncLaunchTables } from '../../engine/lookup-tables/table-rig.ts';
import { type MoneyRig, startMoneyRig } from '../../engine/transactions/money-rig.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { signerOf } from '../../support/signer.ts';

const SOL = 1_000_000_000n;
let rig: MoneyRig;
let table: LookupTable;
let creator: Awaited<ReturnType<MoneyRig['person']>>;
/** Longer than what fits without tables, by less than what they save at the desk: SOL's mint and the treasury. */
let uri: string;
let refused: unknown;

const link = (bytes: number): string => `https://x.example/${'u'.repeat(bytes - 18)}`;
const quote = (metadataUri: string) => {
  const request: LaunchRequest = {
    wallet: creator.wallet.address,
    pad: 'desk',
    symbol: 'LONGTICKER',
    name: 'N'.repeat(32),
    metadataUri,
    firstBuyLamports: SOL / 10n,
    slippageBps: 500,
    tier: 'normal',
  };
  // Tables of its own: a process may look some seconds into the past.
  return quoteLaunch({ ...rig.launch, lookupTables: rig.lookupTables() }, request);
};

beforeAll(async () => {
  rig = await startMoneyRig(fakeDatabase(), 'table-launches', { version1: false });
  const inviter = await rig.person('Inviter', SOL);
  creator = await rig.person('Creator', 5n * SOL, inviter.userId);
  const tooLong = await quote(link(200)).catch((error: unknown) => error);
  const { maxUriBytes } = (tooLong as { details: { maxUriBytes: number } }).details;
  uri = link(maxUriBytes + 20);
  refused = await quote(uri).catch((error: unknown) => error);
  table = await syncLaunchTables(rig);
});
afterAll(() => rig.stop());

let serial = 0;
async function launch() {
  const { params } = await quote(uri);
  serial += 1;
  const { db, clock, ids, relay, vault } = rig.deps;
  const request = {
    userId: creator.userId,
    walletId: creator.wallet.id,
    idemKey: `tables-${serial}`,
    params,
  };
  const { intent } = await createIntent({ db, clock, ids, relay, vault }, request);
  return rig.settled(intent.id);
}

/** Swaps two entries of the record, as whoever writes the database could. */
async function withSwappedRecord(run: () => Promise<void>): Promise<void> {
  const [row] = await rig.tableStore.list();
  const [first, second, ...rest] = row?.entries ?? [];
  if (row === undefined || first === undefined || second === undefined) throw new Error('no entries');
  await rig.tableStore.remove(row.address);
  await rig.tableStore.insert({ ...row, entries: [second, first, ...rest] });
  try {
    await run();
  } finally {
    await rig.tableStore.remove(row.address);
    await rig.tableStore.insert(row);
  }
}

describe('a launch with a first buy that fits a packet by lookup tables alone', () => {
  it('is refused on the quote while there are none', () => {
    expect(refused).toMatchObject({ code: 'LAUNCH_TOO_LARGE', details: { hasFirstBuy: true } });
  });

  it('lands with them, and its books hold mint, fee and reward', async () => {
    const intent = await launch();
    expect(intent, rig.warnings.join('\n')).toMatchObject({ status: 'SUCCEEDED', outcome: { reason: null } });
    const [attempt] = await rig.deps.db.intents.attempts(intent.id);
    const wire = attempt?.signedTransaction ?? new Uint8Array();
    expect(lookupTablesOf(wire.subarray(1 + 64 * 2))).toEqual([table.address]);
    expect(wire.length).toBeLessThanOrEqual(1_232);
    const receipt = intent.outcome?.receipt;
    const mint = receipt?.createdMint;
    if (mint === undefined) throw new Error('no mint');
    expect(receipt?.platformFeeLamports).toBe(20_000_000n);
    expect(await rig.deps.db.createdTokens.find(mint)).toMatchObject({ intentId: intent.id, uri });
    expect(await rig.deps.db.launches.find(mint)).toMatchObject({ firstBuyLamports: SOL / 10n });
    const inviterId = (await rig.deps.db.users.find(creator.userId))?.inviterId ?? '';
    expect(await rig.deps.db.referrals.rewards(inviterId, 5)).toMatchObject([{ lamports: 6_000_000n }]);
  });

  it('is told, not taken for a trade, when a database that lost it meets it on the chain', async () => {
    const intent = await launch();
    const [attempt] = await rig.deps.db.intents.attempts(intent.id);
    const landed = await rig.chain.landed(attempt?.signature ?? '');
    if (attempt === undefined || landed === null) throw new Error('it did not land');
    const db = fakeDatabase();
    const { signature, signedTransaction: wire } = attempt;
    const deps = {
      ...rig.deps,
      db,
      quarantines: {} as QuarantineStore,
      history: {} as ChainHistory,
      onProgress: () => undefined,
    };
    const entry = { signature, slot: landed.slot, err: null, memo: intent.id, at: null };
    const landing = { intentId: intent.id, entry, landed, wire, wallet: creator.wallet, opinions: [] };
    expect(await recoverIntent(deps, landing)).toMatchObject({
      what: 'mismatch',
      detail: expect.stringContaining('launchpad'),
    });
    expect(await db.intents.find(intent.id)).toBeNull();
  });

  it('ends, with nothing sent, when its table is not as it was written down by then', async () => {
    const { params } = await quote(uri);
    const { db, clock, ids, relay, vault } = rig.deps;
    const request = { userId: creator.userId, walletId: creator.wallet.id, idemKey: 'late', params };
    await withSwappedRecord(async () => {
      const { intent } = await createIntent({ db, clock, ids, relay, vault }, request);
      const ended = await rig.settled(intent.id);
      expect(ended).toMatchObject({ outcome: { reason: 'LAUNCH_TOO_LARGE' } });
      expect(await db.intents.attempts(intent.id)).toEqual([]);
    });
  });

  it('is not signed when the vault’s node shows other entries than were written down, nor when the record does', async () => {
    const { params } = await quote(uri);
    const { ids, clock } = rig.deps;
    const request = {
      id: ids.ulid(),
      userId: creator.userId,
      walletId: creator.wallet.id,
      idemKey: 'attack',
    };
    const intent = newIntent({ ids, clock }, { ...request, params, notBefore: null, confirmation: null });
    const { wallet } = creator;
    const sign = (keys: Pick<KeyHolder, 'sign'>) => {
      const vault = signerOf(keys, { intent, wallet, treasury: rig.treasury.address });
      return buildAttempt({ ...rig.deps, vault }, intent, wallet, 1);
    };
    const denied = { code: 'POLICY_DENIED', details: { rule: 'message' } };
    await expect(sign(rig.vaultWith(rig.lookupTables(lyingChain(rig.chain))))).rejects.toMatchObject(denied);
    const honest = rig.vaultWith(rig.lookupTables());
    const swapping: Pick<KeyHolder, 'sign'> = {
      sign: async (input) => {
        let signature: Uint8Array | null = null;
        await withSwappedRecord(async () => {
          signature = await honest.sign(input);
        });
        if (signature === null) throw new Error('nothing was signed');
        return signature;
      },
    };
    await expect(sign(swapping)).rejects.toMatchObject(denied);
    // The same intent is signed where both agree.
    expect((await sign(honest)).signedTransaction.length).toBeGreaterThan(1_000);
  });

  it('is not even built with a table whose record was changed', async () => {
    await withSwappedRecord(async () => {
      await expect(quote(uri)).rejects.toMatchObject({ code: 'LAUNCH_TOO_LARGE' });
    });
  });
});
