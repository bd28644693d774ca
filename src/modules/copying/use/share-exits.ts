import { type Address, minBigint } from '@tradepost/solana';
import type { Stores } from '../../../platform/ports/stores.ts';
import { reduceOrders } from '../../orders/rules/machine.ts';
import { carryOutLocked, DESK } from '../../orders/use/carry-out.ts';
import { soldBy, takenBySale } from './copy-rest.ts';

/**
 * Gives the exits of a copy's purchases the units that its own sales left, the oldest purchase first, in the commit that changes a sale. A sale
 * on its way counts with all of its units, so an exit that fires meanwhile sells none of them, nor the person's own in their place. A sale
 * that came to nothing gives them back. Exits that wait for their purchase get their units from its receipt.
 */
export async function shareExits(
  stores: Pick<Stores, 'copies' | 'orders'>,
  { copyId, mint }: { readonly copyId: string; readonly mint: Address },
): Promise<void> {
  const trades = await stores.copies.trades(copyId, mint);
  let taken = trades.reduce(
    (sum, { side, status, amount, moved }) =>
      side === 'sell' && status !== 'OWED' ? sum + takenBySale({ status, amount, moved }) : sum,
    0n,
  );
  for (const { side, intentId, moved } of trades) {
    if (side !== 'buy' || intentId === null) continue;
    for (const group of await stores.orders.lockByParent(intentId)) {
      if (group.units === null) continue;
      const free = moved - soldBy(group);
      const cut = free > 0n ? minBigint(free, taken) : 0n;
      taken -= cut;
      const units = moved - cut;
      if (units === group.units) continue;
      await carryOutLocked(stores, DESK, reduceOrders(group, { kind: 'units-corrected', units }));
    }
  }
}
