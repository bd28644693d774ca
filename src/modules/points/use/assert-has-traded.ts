import { AppError } from '../../../core/errors/app-error.ts';
import type { Stores } from '../../../platform/ports/stores.ts';

/** An item that is worth money asks for a finalized trade first. Mining alone gives nothing of worth. Throws SHOP_NEEDS_TRADE. */
export async function assertHasTraded(stores: Pick<Stores, 'points'>, userId: string): Promise<void> {
  const { trades } = await stores.points.facts(userId, { from: 0, until: Number.MAX_SAFE_INTEGER });
  if (trades === 0) throw new AppError('SHOP_NEEDS_TRADE', {});
}
