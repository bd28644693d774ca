import { type Address, maxBigint } from '@tradepost/solana';
import { hasAged } from '../../../core/time/age.ts';
import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { PriorityTier } from '../../settings/rules/settings.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { dayStart } from '../rules/day.ts';
import { foldEvents } from '../rules/fold-events.ts';
import type { MidnightWorth } from '../store/position-store-port.ts';
import type { PositionDeps } from './list-positions.ts';

type SnapshotDeps = Pick<PositionDeps, 'db' | 'clock' | 'saleNow'>;

const WALLETS_AT_ONCE = 20;
/** Each wallet costs a quote per position; a run ends after so long. */
const RUN_MS = 20_000;
/** Prices of later are not those of midnight. */
const LATEST_MS = 30 * 60_000;
const TIER: PriorityTier = 'normal';

/** The last wallet that was tried; null = from the first one on. */
export type SnapshotPlace = { after: string | null };

/**
 * Keeps the net value at 00:00 UTC of every wallet that held something then, in the half hour after it. The value is the proceeds of a sale
 * of each position. A wallet with a position that has no price gets no row, since a sum without it would look like a loss. It is tried
 * again after all others.
 */
export async function snapshotDay(deps: SnapshotDeps, place: SnapshotPlace): Promise<number> {
  const { db, clock } = deps;
  const beganAt = markOf(clock);
  const now = clock.now();
  const day = dayStart(now);
  if (hasAged(day, LATEST_MS, now)) return 0;
  let kept = 0;
  for (;;) {
    const page = await db.positions.withoutDay(day, { after: place.after, limit: WALLETS_AT_ONCE });
    for (const walletId of page) {
      if (elapsedSince(beganAt, clock) >= RUN_MS) return kept;
      // Before it is tried: a wallet that ends the run keeps no other waiting.
      place.after = walletId;
      const wallet = await db.wallets.find(walletId);
      if (wallet !== null && (await keepValue(deps, wallet, day))) kept += 1;
    }
    if (page.length < WALLETS_AT_ONCE) {
      place.after = null;
      return kept;
    }
  }
}

/** Whether all that the wallet held at that midnight could be valued. */
async function keepValue({ db, saleNow }: SnapshotDeps, wallet: Wallet, day: number): Promise<boolean> {
  if (wallet.userId === null) return false;
  const wallets = await db.wallets.listByUser(wallet.userId, { deleted: true });
  // All wallets, because a move between two of them says whether a token is hidden.
  const events = await db.positions.events(wallets.map(({ id }) => id));
  const chosen = new Map(
    (await db.positions.list([wallet.id])).map(({ mint, hiddenByPerson }) => [mint, hiddenByPerson]),
  );
  const held = [...foldEvents(events.filter(({ at }) => at < day)).positions.values()].filter(
    ({ walletId, mint, units, hidden }) =>
      walletId === wallet.id && units > 0n && !(chosen.get(mint) ?? hidden),
  );
  const worths = new Map<Address, MidnightWorth>();
  await Promise.all(
    held.map(async ({ mint, units }) => {
      const sale = await saleNow({ wallet: wallet.address, mint, units, tier: TIER });
      // A sale that only costs need not be made.
      if (sale !== null) worths.set(mint, { day, units, lamports: maxBigint(0n, sale.netLamports) });
    }),
  );
  await db.positions.saveMidnight(wallet.id, worths);
  if (worths.size < held.length) return false;
  const netValue = [...worths.values()].reduce((sum, { lamports }) => sum + lamports, 0n);
  await db.positions.saveDays([{ walletId: wallet.id, day, netValue }]);
  return true;
}
