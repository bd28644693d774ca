import { windowStart } from '../../../core/time/age.ts';
import { tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { Intent, LandedReceipt } from '../../../engine/intents/rules/intent.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import { restAfter } from '../rules/copy-sale.ts';
import { type CopyTrade, copyOfKey } from '../rules/copy-trade.ts';
import { pauseLocked } from './pause-copy.ts';
import { shareExits } from './share-exits.ts';
import { tellStuck } from './tell-stuck.ts';

type SettleDeps = { readonly clock: Clock; readonly ids: Ids };

/** So many transactions that failed on the chain within an hour, or so many lamports burnt by them, pause a copy. */
const FAILURES = { spanMs: 3_600_000, count: 3, lamports: 10_000_000n } as const;

/**
 * The purchase is confirmed: a sale of the leader finds the units that its receipt shows. Without a receipt that shows some, the sale waits for
 * the final word: a node alone may call a failed purchase confirmed. That fork may still die, so nothing else is booked.
 */
export async function confirmCopied(
  stores: Pick<Stores, 'copies'>,
  intent: Intent,
  receipt: LandedReceipt | null,
): Promise<void> {
  const row = await rowOf(stores, intent);
  const moved = shownBy(intent, receipt);
  if (row?.status === 'BUYING' && moved !== null) await stores.copies.saveTrade({ ...row, moved });
}

/** Books the units of a copied trade, in the commit that makes it SUCCEEDED. Its exits can no longer sell the units of a sale. */
export async function settleCopied(
  stores: Pick<Stores, 'copies' | 'orders'>,
  intent: Intent,
  receipt: LandedReceipt | null,
): Promise<void> {
  const row = await rowOf(stores, intent);
  if (row === null) return;
  const moved = movedBy(intent, receipt);
  if (row.status === 'BUYING') await stores.copies.saveTrade({ ...row, status: 'BOUGHT', moved });
  if (row.status === 'SELLING') await stores.copies.saveTrade({ ...row, status: 'SOLD', moved });
  // The final receipt of a purchase gave its exits all of it, also what a sale took since.
  await shareExits(stores, row);
}

/** In the commit that ends an intent without effect: a purchase is over, a sale is owed on. Failures on the chain pause the copy. */
export async function voidCopied(
  deps: SettleDeps,
  stores: Stores,
  intent: Intent,
  end: { readonly landedError: boolean; readonly receipt: LandedReceipt | null },
): Promise<void> {
  const row = await rowOf(stores, intent);
  if (row === null || (row.status !== 'BUYING' && row.status !== 'SELLING')) return;
  const burnt = row.burnt + (end.landedError ? (end.receipt?.feeLamports ?? 1n) : 0n);
  const tries = row.tries + 1;
  if (row.status === 'BUYING')
    await stores.copies.saveTrade({ ...row, status: 'NOT_BOUGHT', moved: 0n, burnt });
  else {
    const dueAt = deps.clock.now() + restAfter(tries);
    await stores.copies.saveTrade({ ...row, status: 'OWED', intentId: null, burnt, tries, dueAt });
    await shareExits(stores, row);
    await tellStuck(deps, stores, { ...row, tries });
  }
  if (!end.landedError) return;
  const failed = await stores.copies.failures(row.copyId, windowStart(FAILURES.spanMs, deps.clock));
  if (failed.count < FAILURES.count && failed.burnt < FAILURES.lamports) return;
  const copy = await stores.copies.lock(row.copyId);
  if (copy !== null) await pauseLocked(deps, stores, copy, 'failures');
}

async function rowOf(
  stores: Pick<Stores, 'copies'>,
  { id, idemKey }: Pick<Intent, 'id' | 'idemKey'>,
): Promise<CopyTrade | null> {
  return copyOfKey(idemKey) === null ? null : stores.copies.byIntent(id);
}

/** Units of the token, by the receipt; without one the agreed least of a purchase, and all of a sale. */
function movedBy(intent: Pick<Intent, 'params'>, receipt: LandedReceipt | null): bigint {
  const trade = tradeOf(intent.params);
  if (trade === null) return 0n;
  return shownBy(intent, receipt) ?? (trade.side === 'buy' ? trade.terms.minOut : trade.amountIn);
}

/** Units of the token that the receipt shows; null where it shows none of it. */
function shownBy({ params }: Pick<Intent, 'params'>, receipt: LandedReceipt | null): bigint | null {
  const trade = tradeOf(params);
  const delta = receipt?.tokenDeltas.find(({ mint }) => mint === trade?.mint)?.delta ?? null;
  if (trade === null || delta === null) return null;
  const moved = trade.side === 'buy' ? delta : -delta;
  return moved > 0n ? moved : 0n;
}
