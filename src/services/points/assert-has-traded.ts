import { AppError } from '../../core/errors/app-error.ts';
import type { Stores } from '../../core/ports/stores.ts';

/** What is worth money asks for a finalized trade first, so that mining alone never is. Throws SHOP_NEEDS_TRADE. */
export async function assertHasTraded(stores: Pick<Stores, 'points'>, userId: string): Promise<void> {
  const { trades } = await stores.points.facts(userId, { from: 0, until: Number.MAX_SAFE_INTEGER });
  if (trades === 0) throw new AppError('SHOP_NEEDS_TRADE', {});
}
