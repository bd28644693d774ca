import { tokenDelta } from '../../../engine/intents/rules/landed-sums.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Mismatch } from '../../../platform/ports/operations.ts';
import type { OrderBooks, SettledFire } from '../../../platform/ports/order-books.ts';
import { type EventTape, verifyEvents } from './verify-events.ts';

const PAGE = 200;

export type OrdersVerdict = {
  readonly mismatches: readonly Mismatch[];
  readonly orders: number;
  readonly fires: number;
  /** Fires whose transaction the node still has. */
  readonly compared: number;
  /** Fires of orders that wait for an event, compared with it. */
  readonly events: number;
};

/**
 * Compares orders, fires and intents with each other, and the amounts of each settled fire with the transaction on the chain. The units
 * that a buy brought and a sale took must agree to the unit. A transaction that the node no longer has is not compared. Fires by an event are
 * compared with it. `chain` null: the database alone; `tape` null: without the trades of creators.
 */
export async function verifyOrders(deps: {
  readonly books: OrderBooks;
  readonly chain: Pick<Chain, 'landed'> | null;
  readonly tape: EventTape | null;
}): Promise<OrdersVerdict> {
  const { books, chain, tape } = deps;
  const found = [...(await books.mismatches())];
  let compared = 0;
  for (let after = ''; chain !== null; ) {
    const page = await books.settled(after, PAGE);
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.intentId;
    for (const fire of page) {
      const { isKnown, detail } = await compare(chain, fire);
      if (isKnown) compared += 1;
      if (detail !== null) found.push({ rule: 'order-chain', subject: fire.intentId, detail });
    }
  }
  const events = await verifyEvents({ books, tape });
  found.push(...events.mismatches);
  return { mismatches: found, ...(await books.counts()), compared, events: events.compared };
}

/** The difference, and whether the node has the transaction at all. */
async function compare(
  chain: Pick<Chain, 'landed'>,
  { signature, side, wallet, mint, given, got }: SettledFire,
): Promise<{ readonly isKnown: boolean; readonly detail: string | null }> {
  if (signature === null) return { isKnown: false, detail: 'no attempt of it is final' };
  const landed = await chain.landed(signature);
  if (landed === null) return { isKnown: false, detail: null };
  if (landed.err !== null) return { isKnown: true, detail: `${signature} failed on the chain` };
  const moved = tokenDelta(landed, wallet, mint);
  const said = side === 'buy' ? got : -given;
  return {
    isKnown: true,
    detail: moved === said ? null : `says ${said} units, ${signature} moved ${moved}`,
  };
}
