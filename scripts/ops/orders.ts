import { verifyOrders } from '../../src/modules/operations/use/verify-orders.ts';
import { createOrderBooks } from '../../src/modules/orders/store/order-audit.ts';
import { createOrderFeedStore } from '../../src/modules/orders/store/order-feed-store.ts';
import type { Io } from './command.ts';
import { openTapeStores } from './market.ts';
import { openChain, openDatabase } from './open.ts';

/**
 * `orders verify [--books-only]`: orders, fires, intents, the tape and the chain against each other; prints each mismatch. 1 when there is
 * one.
 */
export async function runVerifyOrders(io: Io, options: { readonly booksOnly: boolean }): Promise<number> {
  const { db, close } = await openDatabase(io, 'in-use');
  const tape = options.booksOnly ? null : await openTapeStores(io);
  try {
    const { mismatches, orders, fires, compared, events } = await verifyOrders({
      books: createOrderBooks(db.query),
      chain: options.booksOnly ? null : openChain(io.config()).chain,
      tape: tape === null ? null : { ...tape, orderFeed: createOrderFeedStore({ query: db.query }) },
    });
    for (const { rule, subject, detail } of mismatches) io.print(`${rule.padEnd(16)} ${subject}: ${detail}`);
    io.print(
      `${mismatches.length} mismatches in ${orders} orders and ${fires} fires; ${compared} fires compared with the chain, ${events} with their event`,
    );
    return mismatches.length === 0 ? 0 : 1;
  } finally {
    await tape?.close();
    await close();
  }
}
