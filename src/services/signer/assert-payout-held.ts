import type { Intent } from '../../core/intents/intent.ts';
import { accountKey } from '../../core/ledger/entry.ts';
import { payoutHold } from '../../core/ledger/postings.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';

/**
 * Throws POLICY_DENIED unless the books say that exactly these people are owed exactly this by this payout, which is nobody's, that it was neither
 * paid nor given back, and every recipient is a wallet of the inviter's whose key is kept here: the one thing that a writer
 * of the database cannot bring about for an address of their own.
 */
export async function assertPayoutHeld(
  { db, keys }: Pick<SignerDeps, 'db' | 'keys'>,
  { id: intentId, userId, confirmation, params }: Intent,
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
      const wallet = await db.wallets.findByAddress(recipient);
      const isTheirs = wallet !== null && wallet.userId === inviterId && (await keys.holds(wallet));
      if (!isTheirs) denySignature('payout-recipient');
    }),
  );
}
