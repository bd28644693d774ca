import type { Address } from '@tradepost/solana';
import type { Database } from '../../../platform/ports/stores.ts';
import { foldPositions } from '../../positions/use/fold-positions.ts';
import type { Rate } from '../rules/rate.ts';

/**
 * The average cost of a smallest unit that a wallet holds, in lamports, every fee in: the base of a sale's percentages. Null where nothing
 * is held, and where the units held cost nothing: an airdrop has no entry. Source of truth: the position, folded from the receipts, those
 * of confirmed trades among them. Throws DATABASE_UNREACHABLE.
 */
export async function entryPrice(
  { db }: { readonly db: Database },
  asked: { readonly userId: string; readonly walletId: string; readonly mint: Address },
): Promise<Rate | null> {
  const { positions } = await foldPositions(db, asked.userId);
  const held = positions.find(({ walletId, mint }) => walletId === asked.walletId && mint === asked.mint);
  if (held === undefined || held.units <= 0n || held.cost <= 0n) return null;
  return { got: held.cost, given: held.units };
}
