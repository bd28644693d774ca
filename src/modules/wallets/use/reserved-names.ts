import type { Stores } from '../../../platform/ports/stores.ts';
import { NAME_KEPT_MS, type Named } from '../rules/wallet-name.ts';

/** More than a person can rename within the days for which a name stays reserved: five a day. */
const MOST_RENAMES = 1_000;

/**
 * Everything that keeps a name from another wallet of the person: their wallets, the deleted ones too, and the names that wallets had
 * before they were renamed, which the trail tells. For `nameRefusal` and `nameHolders`.
 */
export async function reservedNames(
  { wallets, auditLog }: Pick<Stores, 'wallets' | 'auditLog'>,
  userId: string,
  now: number,
): Promise<readonly Named[]> {
  const [all, renames] = await Promise.all([
    wallets.listByUser(userId, { deleted: true }),
    auditLog.list(
      { subject: userId, act: 'wallet-renamed', since: now - NAME_KEPT_MS },
      { limit: MOST_RENAMES, offset: 0 },
    ),
  ]);
  const former = renames.flatMap(({ act, details, at }): readonly Named[] =>
    act === 'wallet-renamed' && details !== null
      ? [{ id: details.walletId, name: details.was, deletedAt: at, isFormer: true }]
      : [],
  );
  return [...all, ...former];
}
