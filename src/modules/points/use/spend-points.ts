import { AppError } from '../../../core/errors/app-error.ts';
import type { LedgerTransfer } from '../../../engine/ledger/rules/entry.ts';
import type { Stores } from '../../../platform/ports/stores.ts';

/**
 * Posts the transfer that takes `points` from a person. The balance is read for the sentence; the ledger's own constraint decides. Throws
 * POINTS_SHORT.
 */
export async function spendPoints(
  stores: Pick<Stores, 'ledger'>,
  userId: string,
  points: bigint,
  transfer: LedgerTransfer,
): Promise<void> {
  const available = await stores.ledger.balance({ kind: 'points', owner: userId });
  const short = () => new AppError('POINTS_SHORT', { needed: points, available });
  if (available < points) throw short();
  await stores.ledger.post(transfer).catch((error: unknown) => {
    throw error instanceof RangeError ? short() : error;
  });
}
