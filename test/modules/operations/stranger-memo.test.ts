import { type Address, addressFromBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { feesOf } from '../../../src/engine/fees/rules/fee-table.ts';
import { SETTLEMENTS } from '../../../src/engine/intents/kinds/index.ts';
import type { SignatureBooks } from '../../../src/engine/signing/store/signature-books-port.ts';
import { newIntent } from '../../../src/engine/transactions/use/new-intent.ts';
import { detectRestore } from '../../../src/modules/operations/use/detect-restore.ts';
import { reconcile } from '../../../src/modules/operations/use/reconcile.ts';
import type { LandedTransaction, SignatureStatus } from '../../../src/platform/ports/chain.ts';
import type { ChainHistory } from '../../../src/platform/ports/chain-history.ts';
import type { Quarantine, QuarantineStore } from '../../../src/platform/ports/operations.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { addPerson, addWallet, requestOf, walletOf } from '../../support/simulator/people.ts';

const TREASURY = addressFromBytes(new Uint8Array(32).fill(2));
const STRANGER = addressFromBytes(new Uint8Array(32).fill(66));
const [ALICE, MALLORY] = [walletOf(1), walletOf(2)];
const DONE: SignatureStatus = { slot: 10n, level: 'finalized', err: null };
const LOST_ID = '01J8ZQ6Y7V3M9T2K4C5D6E7F01';

/** Alice has a request that waits; the chain shows one transaction with a memo, paid by `payer`, that touches her wallet. */
async function world(
  payer: Address,
  memo: 'of-nobody' | 'of-alice',
  treasuryGets = 0n,
  says: readonly (SignatureStatus | null)[] = [DONE, DONE],
  shared: readonly string[] = [],
) {
  const db = fakeDatabase({ trusting: true });
  const clock = fakeClock();
  const ids = fakeIds();
  for (const index of [1, 2]) await addPerson(db, { index, inviterId: null });
  await addWallet(db, { id: 'treasury', userId: null, address: TREASURY });
  const request = newIntent(
    { ids, clock },
    {
      ...requestOf(1, 'withdraw-sol'),
      id: ids.ulid(),
      idemKey: 'request',
      notBefore: null,
      confirmation: null,
    },
  );
  await db.intents.insert(request);
  const intentId = memo === 'of-alice' ? request.id : LOST_ID;
  const landed: LandedTransaction = {
    signature: 'sig',
    slot: 10n,
    blockTime: null,
    err: null,
    feeLamports: 5_000n,
    logs: [],
    balances: [
      { address: payer, before: 9_000_000n, after: 8_000_000n },
      { address: ALICE, before: 0n, after: 995_000n - treasuryGets },
      { address: TREASURY, before: 0n, after: treasuryGets },
    ],
    tokenBalances: [],
    signatureCount: 1,
  };
  const entry = { signature: 'sig', slot: 10n, err: null, memo: `[26] ${intentId}`, at: clock.now() };
  const history: ChainHistory = {
    signatures: async (address) => (address === ALICE || address === payer ? [entry] : []),
    // One signature, and a message that no decoder of ours takes.
    wire: async () => Uint8Array.from([1, ...new Uint8Array(70)]),
    finalizedHeight: async () => 1_000n,
    balances: async (addresses) => ({ slot: 10n, lamports: addresses.map(() => 0n) }),
  };
  let entered: Quarantine | null = null;
  const quarantines: QuarantineStore = {
    current: async () => entered,
    enter: async (quarantine) => {
      entered = quarantine;
      return true;
    },
    lastLifted: async () => null,
    lift: async () => undefined,
    newestWrite: async () => 0,
    wallets: async () => [
      { id: 'wallet-person-1', address: ALICE },
      { id: 'wallet-person-2', address: MALLORY },
    ],
    latelyUsed: async () => [ALICE, MALLORY],
  };
  const known: SignatureBooks['known'] = async (asked) => {
    const attempts = await db.intents.attempts(request.id);
    const held = attempts.filter(({ signature }) => asked.includes(signature));
    return new Map(held.map(({ signature, status }) => [signature, status]));
  };
  const signatures = {
    known,
    sharedKeys: async () => new Set(shared),
    knownSince: async () => null,
  };
  const endpoints = 2;
  const chain = {
    slotMs: () => 400,
    landed: async () => landed,
    testimony: async (_: string, round: number) => {
      const endpoint = `endpoint-${round % endpoints}`;
      const status = says[round % endpoints] ?? null;
      return {
        endpoint,
        endpoints,
        status,
        transaction: status === null ? null : { ...landed, err: status.err },
      };
    },
    probe: async () => Promise.reject(new Error('nobody is asked for a death')),
    latestBlockhash: async () => ({ blockhash: 'b', lastValidBlockHeight: 1n, slot: 1n, livesMs: 60_000 }),
    token: async () => null,
    accounts: async () => ({ slot: 1n, accounts: [null] }),
  };
  const treasury = {
    id: 'treasury',
    userId: null,
    name: 'Treasury',
    address: TREASURY,
    createdAt: 0,
    deletedAt: null,
    origin: 'made' as const,
    confirmedAt: null,
    payoutFrom: null,
  };
  return {
    db,
    request,
    detect: () =>
      detectRestore({
        quarantines,
        signatures,
        wallets: db.wallets,
        chain,
        history,
        clock,
        ids,
        treasury: TREASURY,
      }),
    reconcile: () =>
      reconcile(
        {
          db,
          quarantines,
          signatures,
          chain,
          history,
          clock,
          ids,
          treasury,
          fees: feesOf(),
          settlements: SETTLEMENTS,
          pause: async () => undefined,
          onProgress: () => undefined,
        },
        { id: 'q', reason: 'test', dataAsOf: 0, enteredAt: 0 },
      ),
  };
}

describe('a memo that looks like ours', () => {
  it('puts the service into quarantine when one of its wallets paid, and not when a stranger did', async () => {
    const ours = await world(MALLORY, 'of-nobody');
    expect((await ours.detect())?.reason).toContain(LOST_ID);
    const forged = await world(STRANGER, 'of-nobody');
    expect(await forged.detect()).toBeNull();
  });

  it('puts the service into quarantine also when it names a request that is known and was never signed here', async () => {
    const { detect, request } = await world(ALICE, 'of-alice');
    expect((await detect())?.reason).toContain(request.id);
  });

  it('puts nothing into quarantine when the key was exported: its owner may write any memo', async () => {
    const { detect } = await world(ALICE, 'of-alice', 0n, [DONE, DONE], ['wallet-person-1']);
    expect(await detect()).toBeNull();
  });

  it('of a stranger completes no request and recreates none, whosever id it names', async () => {
    for (const memo of ['of-alice', 'of-nobody'] as const) {
      const { db, request, reconcile: run } = await world(STRANGER, memo);
      const report = await run();
      expect(report).toMatchObject({ seen: 1, findings: [], mismatches: [] });
      expect(await db.intents.find(request.id)).toMatchObject({ status: 'CREATED' });
      expect(await db.intents.attempts(request.id)).toEqual([]);
      expect(await db.intents.find(LOST_ID)).toBeNull();
    }
  });

  it('of another person’s wallet does not complete somebody’s request; the operator is told', async () => {
    const { db, request, reconcile: run } = await world(MALLORY, 'of-alice');
    const { findings, mismatches } = await run();
    expect(findings).toMatchObject([
      { what: 'mismatch', detail: expect.stringContaining('not the wallet of') },
    ]);
    expect(mismatches).toHaveLength(1);
    expect(await db.intents.find(request.id)).toMatchObject({ status: 'CREATED' });
  });

  it('of a wallet that is not here is told when it paid the treasury: its key may be in the newer database', async () => {
    const { reconcile: run } = await world(STRANGER, 'of-nobody', 1_000n);
    expect((await run()).mismatches).toMatchObject([{ rule: 'unknown-wallet', subject: STRANGER }]);
  });
});

describe('a landed transaction that the database does not know', () => {
  const cases = [
    ['the other endpoint does not know it', [DONE, null]],
    ['the other endpoint says that it failed', [DONE, { ...DONE, err: '"x"' }]],
    [
      'both say that it failed, unlike the history',
      [
        { ...DONE, err: '"x"' },
        { ...DONE, err: '"x"' },
      ],
    ],
    ['it is final at one of them alone', [DONE, { ...DONE, level: 'confirmed' }]],
  ] as const;

  it.each(cases)('is booked by nobody when %s', async (_, says) => {
    const { db, request, reconcile: run } = await world(ALICE, 'of-alice', 0n, says);
    const { findings, mismatches } = await run();
    expect(findings).toEqual([]);
    expect(mismatches).toMatchObject([{ rule: 'disputed', subject: 'sig' }]);
    expect(await db.intents.find(request.id)).toMatchObject({ status: 'CREATED' });
    expect(await db.intents.attempts(request.id)).toEqual([]);
  });

  it('is booked by nobody when its record does not show what the request asks for', async () => {
    const { db, request, reconcile: run } = await world(ALICE, 'of-alice');
    expect((await run()).findings).toMatchObject([
      { what: 'mismatch', detail: expect.stringContaining('is not what') },
    ]);
    expect(await db.intents.find(request.id)).toMatchObject({ status: 'CREATED' });
  });
});
