import { expect, it } from 'vitest';
import { ensureTreasury } from '../../../src/engine/fees/use/ensure-treasury.ts';
import { agreedFee } from '../../../src/engine/intents/kinds/rules.ts';
import { confirmationText } from '../../../src/engine/intents/rules/confirmation.ts';
import type { KeyHolder } from '../../../src/platform/ports/key-holder.ts';
import {
  intentRow,
  newId,
  secretRow,
  storedPerson,
  userRow,
  walletRow,
} from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { fakeIds } from '../../support/fakes/ids.ts';
import { testSigning } from '../../support/fakes/signing.ts';
import { PASSED } from '../../support/passed.ts';
import { TEST_SEALS, testSigner } from '../../support/signer.ts';
import { PARAMS } from '../intents/build.ts';

/** Signs everything: what the policy says of the bytes is not asked here. */
const KEYS = { sign: async () => new Uint8Array(64).fill(7), holds: async () => true };

/** The lines that signing these params leaves, of a person with and without an inviter. */
async function sharesOf(params: (typeof PARAMS)['buy' | 'withdrawSol'], isInvited: boolean) {
  const [db, clock] = [fakeDatabase(), fakeClock()];
  const { signing, tries, deps } = testSigning({ db, clock });
  const vault = testSigner({ db, clock }, { signing, tries, keys: KEYS as unknown as KeyHolder });
  await ensureTreasury({ db, vault: testSigner({ db, clock }), clock, ids: fakeIds() });
  const inviter = (await storedPerson(db)).user.id;
  const { user } = await db.users.insert(userRow({ inviterId: isInvited ? inviter : null }));
  const wallet = walletRow({ userId: user.id });
  await db.wallets.insert(PASSED, wallet, secretRow(wallet));
  const row = intentRow(wallet, { id: newId(), params, kind: params.kind, createdAt: clock.now() });
  const { id, idemKey, walletId } = row;
  const asked = { id, idemKey, userId: user.id, walletId, params };
  await db.intents.insert({ ...row, confirmation: TEST_SEALS.seal(confirmationText(asked)) });
  await vault.sign({ intentId: id, message: new Uint8Array([1]) });
  await vault.sign({ intentId: id, message: new Uint8Array([1]) });
  return { shares: deps.book.debts.shares(inviter), intentId: id, inviter };
}

it('a signed trade leaves the share of its agreed fee, once, for the inviter that the signer certified', async () => {
  const fee = agreedFee(PARAMS.buy);
  expect(fee).toBeGreaterThan(0n);
  const { shares, intentId, inviter } = await sharesOf(PARAMS.buy, true);
  expect(shares).toMatchObject([{ intentId, inviterId: inviter, lamports: (fee * 3_000n) / 10_000n }]);
});

it('nothing is owed for a trade of somebody who came alone, nor for what has no fee', async () => {
  expect((await sharesOf(PARAMS.buy, false)).shares).toEqual([]);
  expect((await sharesOf(PARAMS.withdrawSol, true)).shares).toEqual([]);
});
