import { AppError } from '../../../core/errors/app-error.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import { assertSpan, assertWallets } from '../rules/read-signal.ts';
import type { Signal } from '../rules/signal.ts';
import { NO_HOUR } from '../rules/told-hour.ts';

type SignalDeps = { readonly db: Database };

/** A person's signal, and how many wallets the person follows. The signal is null while it is off. */
export async function ownSignal(
  { db }: { readonly db: Pick<Stores, 'signals' | 'follows'> },
  userId: string,
): Promise<{ readonly signal: Signal | null; readonly followed: number }> {
  const [signal, follows] = await Promise.all([db.signals.find(userId), db.follows.listByUser(userId)]);
  return { signal, followed: follows.length };
}

/** Throws SIGNAL_REFUSED for a number of wallets that no signal takes, or that is more than the person follows. Stores nothing. */
export async function checkSignal(
  { db }: { readonly db: Pick<Stores, 'follows'> },
  { userId, wallets }: Pick<Signal, 'userId' | 'wallets'>,
): Promise<void> {
  assertWallets(wallets);
  const { length: followed } = await db.follows.listByUser(userId);
  if (wallets > followed) throw new AppError('SIGNAL_REFUSED', { kind: 'followed', wallets, followed });
}

/** Switches a person's signal on, or changes it. Throws SIGNAL_REFUSED as `checkSignal`, and for the time; then nothing is stored. */
export async function setSignal(
  { db }: SignalDeps,
  { userId, wallets, spanMs }: Pick<Signal, 'userId' | 'wallets' | 'spanMs'>,
): Promise<void> {
  assertSpan(spanMs);
  await db.transact(async (stores) => {
    // A wallet that is removed at the same time is counted before or after, under the person's lock.
    await stores.guards.lock(userId);
    await checkSignal({ db: stores }, { userId, wallets });
    await stores.signals.save({ userId, wallets, spanMs, ...NO_HOUR });
  });
}

/** Switches a person's signal off; one that is off stays so. Messages that were sent stay. */
export async function endSignal({ db }: SignalDeps, userId: string): Promise<void> {
  await db.signals.remove(userId);
}
