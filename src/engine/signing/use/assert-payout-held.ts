import { payoutWallet } from '../../../modules/wallets/rules/receiving-wallet.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import { accountKey } from '../../ledger/rules/entry.ts';
import { payoutHold } from '../../ledger/rules/postings.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';

/**
 * Throws POLICY_DENIED unless the books hold this payout. They must say that exactly these people are owed exactly this by it. It belongs
 * to no person, and was neither paid nor given back. Every recipient is the inviter's payout wallet, whose key is kept here: a writer of
 * the database cannot fake that for an address of their own.
 */
export async function assertPayoutHeld(
  { db, keys }: Pick<SignerDeps, 'db' | 'keys'>,
  { id: intentId, userId, confirmation, params, createdAt }: Intent,
): Promise<void> {
  if (userId !== null || confirmation !== null || params.kind !== 'payout') denySignature('payout-books');
  const { items } = params;
  if (items.length === 0 || items.some(({ lamports }) => lamports <= 0n)) denySignature('payout-books');
  const expected = payoutHold({ id: '', createdAt: 0 }, intentId, items);
  const entries = await db.ledger.entriesOf([
    expected.key,
    `payout-capture/${intentId}`,
    `payout-void/${intentId}`,
  ]);
  const line = (key: string, account: string, amount: bigint): string => `${key} ${account} ${amount}`;
  const wanted = expected.entries.map(({ account, amount }) =>
    line(expected.key, accountKey(account), amount),
  );
  const found = entries.map(({ key, accountKey: account, amount }) => line(key, account, amount));
  if (wanted.toSorted().join('\n') !== found.toSorted().join('\n')) denySignature('payout-books');
  await Promise.all(
    items.map(async ({ inviterId, recipient }) => {
      const wallets = await db.wallets.listByUser(inviterId, { deleted: true });
      // As of the hold: a later choice, deletion or freeze of the person is for the next payout.
      const living = wallets.map((one) =>
        one.deletedAt !== null && one.deletedAt >= createdAt ? { ...one, deletedAt: null } : one,
      );
      const wallet = payoutWallet(living, createdAt);
      const isTheirs = wallet !== null && wallet.address === recipient && (await keys.holds(wallet));
      if (!isTheirs) denySignature('payout-recipient');
    }),
  );
}
