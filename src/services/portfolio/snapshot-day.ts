import { dayStart } from '../../core/positions/day.ts';
import type { PriorityTier } from '../../core/users/settings.ts';
import { foldPositions } from '../positions/fold-positions.ts';
import type { PositionDeps } from './list-positions.ts';

/** Wallets of one run: each costs a quote per position. */
const WALLETS_AT_ONCE = 20;
const TIER: PriorityTier = 'normal';

/**
 * Keeps the net value of every wallet that holds something, once a day: what a sale of each position would have brought. A wallet
 * of which one position has no price gets no row, and is tried again: a sum without it would look like a loss.
 */
export async function snapshotDay(deps: PositionDeps): Promise<number> {
  const { db, clock } = deps;
  const day = dayStart(clock.now());
  let kept = 0;
  for (const walletId of await db.positions.withoutDay(day, WALLETS_AT_ONCE)) {
    const wallet = await db.wallets.find(walletId);
    if (wallet === null || wallet.userId === null) continue;
    const { positions } = await foldPositions(db, wallet.userId);
    const held = positions.filter(
      (one) => one.walletId === walletId && one.units > 0n && !(one.hiddenByPerson ?? one.hidden),
    );
    const sales = await Promise.all(
      held.map(({ mint, units }) => deps.saleNow({ wallet: wallet.address, mint, units, tier: TIER })),
    );
    let netValue: bigint | null = 0n;
    for (const sale of sales)
      netValue = netValue === null || sale === null ? null : netValue + sale.netLamports;
    if (netValue === null) continue;
    await db.positions.saveDays([{ walletId, day, netValue }]);
    kept += 1;
  }
  return kept;
}
