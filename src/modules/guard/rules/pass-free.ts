import type { Act } from './acts.ts';
import type { TradePass } from './judge-trade.ts';
import type { Passed } from './passed.ts';

/** Acts that nothing refuses: no PIN, no rate, no switch, also while frozen. Their rows say so, and a test asks. */
export const FREE_ACTS = [
  'lock',
  'panic',
  'withdrawal-stop',
  'order-stop',
  'copy-stop',
  'personal-key-end',
  'address-remove',
  'pin-undo',
  'wallet-make',
  'wallet-restore',
  'api-key-revoke',
  'operator',
  'service',
] as const satisfies readonly Act[];

function passed<A extends Act>(act: A, userId: string | null): Passed<A> {
  return { act, userId } as Passed<A>;
}

/**
 * The gate for acts that are never refused: locking and freezing take one write and no question. `userId` is null for the service's own.
 */
export function passFree<A extends (typeof FREE_ACTS)[number]>(act: A, userId: string | null): Passed<A> {
  return passed(act, userId);
}

/** The gate of an order's fire: the judge of trades has judged it as it is signed. Throws nothing; a stopped fire never comes here. */
export function passFire(_verdict: TradePass, userId: string): Passed<'order-fire'> {
  return passed('order-fire', userId);
}

/**
 * The gate of the exits of a copied purchase: its mandate allowed them, and the judge of trades has judged the purchase as it is signed.
 */
export function passPlacing(_verdict: TradePass, userId: string): Passed<'order-place'> {
  return passed('order-place', userId);
}
