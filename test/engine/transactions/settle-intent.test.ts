import { describe, expect, it } from 'vitest';
import type { LandedReceipt } from '../../../src/engine/intents/rules/intent.ts';
import { captureIntent } from '../../../src/engine/transactions/use/settle-intent.ts';
import { storedPerson } from '../../conformance/store-rows.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { buildAttempt, buildIntent, PARAMS } from '../intents/build.ts';
import { virtualDeps, virtualWorld } from './virtual-world.ts';

const receipt: LandedReceipt = {
  signature: 'signature-1',
  slot: 5n,
  landedAt: 1_700_000_000_000,
  feeLamports: 5_000n,
  baseFeeLamports: 5_000n,
  priorityFeeLamports: 0n,
  walletLamportsDelta: -500_000_000n,
  tokenDeltas: [],
  rentLamports: 0n,
  platformFeeLamports: 4_000_000n,
};

describe('a finalized trade', () => {
  const booked = async (landed: LandedReceipt | null): Promise<bigint> => {
    const db = fakeDatabase();
    const deps = virtualDeps(virtualWorld(), db);
    const { user, wallet } = await storedPerson(db);
    const intent = buildIntent({
      params: PARAMS.buy,
      userId: user.id,
      walletId: wallet.id,
      status: 'SUCCEEDED',
    });
    const attempt = buildAttempt({ terms: PARAMS.buy.terms, status: 'FINALIZED' });
    await db.intents.insert(intent);
    await db.transact((stores) => captureIntent(deps, stores, intent, attempt, landed));
    return db.ledger.balance({ kind: 'revenue' });
  };

  it('is booked with the fee that the treasury received on chain, not with the fee that was quoted', async () => {
    expect(PARAMS.buy.terms.platformFeeLamports).toBe(5_000_000n);
    expect(await booked(receipt)).toBe(4_000_000n);
    expect(await booked({ ...receipt, platformFeeLamports: 0n })).toBe(0n);
  });

  it('is booked with the agreed fee only when no endpoint serves the transaction any more', async () => {
    expect(await booked(null)).toBe(5_000_000n);
  });
});
