import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Stores } from '../../../platform/ports/stores.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { DAY_MS } from '../rules/day.ts';

const HOUR_MS = 3_600_000;
const ACTIVE_MS = 7 * DAY_MS;
const WALLETS_AT_ONCE = 10;
/** Half the time to the next run: another worker may have that one. */
const RUN_MS = 30_000;
/** A wallet that could not be compared is tried again after so long. */
const AGAIN_MS = 5 * 60_000;

/**
 * Compares wallets that people looked at in the last seven days with the chain, once an hour each, the longest waiting first, for
 * half a minute. A wallet loses its place before it is tried: one that is refused, or that ends the run, keeps no other waiting.
 */
export async function reconcileDue(
  { db, clock }: { readonly db: Pick<Stores, 'positions' | 'wallets'>; readonly clock: Clock },
  reconcile: (wallet: Wallet) => Promise<void>,
): Promise<void> {
  const began = markOf(clock);
  for (;;) {
    const now = clock.now();
    const due = await db.positions.toCheck({
      askedSince: now - ACTIVE_MS,
      checkedBefore: now - HOUR_MS,
      limit: WALLETS_AT_ONCE,
    });
    for (const id of due) {
      if (elapsedSince(began, clock) >= RUN_MS) return;
      // As if it had been compared almost an hour ago: due again soon, and not recent enough for a screen.
      await db.positions.markChecked(id, clock.now() - HOUR_MS + AGAIN_MS, false);
      const wallet = await db.wallets.find(id);
      if (wallet !== null) await reconcile(wallet);
    }
    if (due.length < WALLETS_AT_ONCE) return;
  }
}
