import { verifyOrders } from '../../src/modules/operations/use/verify-orders.ts';
import { createOrderBooks } from '../../src/modules/orders/store/order-audit.ts';
import type { Io } from './command.ts';
import { openChain, openDatabase } from './open.ts';

/** `orders verify [--books-only]`: orders, fires, intents and the chain against each other; prints each mismatch. 1 when there is one. */
export async function runVerifyOrders(io: Io, options: { readonly booksOnly: boolean }): Promise<number> {
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const { mismatches, orders, fires, compared } = await verifyOrders({
      books: createOrderBooks(db.query),
      chain: options.booksOnly ? null : openChain(io.config()).chain,
    });
    for (const { rule, subject, detail } of mismatches) io.print(`${rule.padEnd(16)} ${subject}: ${detail}`);
    io.print(
      `${mismatches.length} mismatches in ${orders} orders and ${fires} fires; ${compared} fires compared with the chain`,
    );
    return mismatches.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}
