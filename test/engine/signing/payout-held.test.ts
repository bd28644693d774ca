import { beforeEach, describe, expect, it } from 'vitest';
import {
  payoutCapture,
  payoutHold,
  payoutVoid,
  rebateTransfer,
} from '../../../src/engine/ledger/rules/postings.ts';
import { assertPayoutHeld } from '../../../src/engine/signing/use/assert-payout-held.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { secretRow, walletRow } from '../../conformance/store-rows.ts';
import { insertUser } from '../../support/chat/people.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { PASSED } from '../../support/passed.ts';
import { buildIntent } from '../intents/build.ts';

const HELD_AT = 1_000_000;
const STAMP = { id: 'hold', createdAt: HELD_AT };
let db: Database;
let wallet: Wallet;
let known: ReadonlySet<string>;

const payout = (more: Partial<ReturnType<typeof buildIntent>> = {}, lamports = 5n) =>
  buildIntent({
    id: 'payout',
    userId: null,
    createdAt: HELD_AT,
    params: {
      kind: 'payout',
      items: [{ inviterId: wallet.userId ?? '', recipient: wallet.address, lamports }],
    },
    ...more,
  });
const judged = (intent = payout()) =>
  assertPayoutHeld({ db, keys: { holds: async ({ id }: Wallet) => known.has(id) } as never }, intent);
const refused = (rule: string) => expect.objectContaining({ code: 'POLICY_DENIED', details: { rule } });
const parts = () => [{ inviterId: wallet.userId ?? '', recipient: wallet.address, lamports: 5n }];

/** A person with one wallet, for whom a payout is held. */
beforeEach(async () => {
  db = fakeDatabase();
  const user = await insertUser(db, fakeIds(1), 7n);
  wallet = walletRow({ userId: user.id, createdAt: 0 });
  known = new Set([wallet.id]);
  await db.wallets.insert(PASSED, wallet, secretRow(wallet));
  await db.ledger.post(
    rebateTransfer({ id: 'owed', createdAt: 0 }, { redemptionId: 'r', userId: user.id, lamports: 5n }),
  );
  await db.ledger.post(payoutHold(STAMP, 'payout', parts()));
});

describe('a payout is signed', () => {
  it('where the books hold exactly this for exactly these people', async () => {
    await expect(judged()).resolves.toBeUndefined();
    await expect(judged(payout({}, 6n))).rejects.toEqual(refused('payout-books'));
    await expect(judged(payout({ id: 'other' }))).rejects.toEqual(refused('payout-books'));
    await expect(judged(payout({ userId: wallet.userId }))).rejects.toEqual(refused('payout-books'));
  });

  it.each([
    ['paid', () => payoutCapture({ ...STAMP, id: 'end' }, 'payout', parts(), 1n)],
    ['given back', () => payoutVoid({ ...STAMP, id: 'end' }, 'payout', parts(), 0n)],
  ])('once: not where the books say that it was %s', async (_, end) => {
    await db.ledger.post(end());
    await expect(judged()).rejects.toEqual(refused('payout-books'));
  });

  it('to a wallet whose key is kept here', async () => {
    known = new Set();
    await expect(judged()).rejects.toEqual(refused('payout-recipient'));
  });

  it('to a wallet that was deleted since the hold, and to none that was deleted before', async () => {
    await db.wallets.setDeletedAt(PASSED, wallet.id, HELD_AT);
    await expect(judged()).resolves.toBeUndefined();
    await db.wallets.setDeletedAt(PASSED, wallet.id, HELD_AT - 1);
    await expect(judged()).rejects.toEqual(refused('payout-recipient'));
  });
});
