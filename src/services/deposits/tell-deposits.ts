import type { Address } from '../../core/address/address.ts';
import {
  ALWAYS_TOLD_LAMPORTS,
  type Arrival,
  arrivalsOf,
  isTold,
  MOST_PER_HOUR,
} from '../../core/deposits/arrivals.ts';
import { encodeDeposit } from '../../core/deposits/deposit-notice.ts';
import type { LandedTransaction } from '../../core/ports/chain.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { DepositCursor } from '../../core/ports/deposit-store.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Database } from '../../core/ports/stores.ts';
import { isKnownMint } from '../../core/positions/known-mint.ts';
import { addNotices } from '../transactions/add-notices.ts';

export type TellDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** What units would bring now, net; null = no market. */
  readonly worthOf: (wallet: Address, mint: Address, units: bigint) => Promise<bigint | null>;
  /** Called after a commit that tells something. */
  readonly nudge: () => void;
};

export type DepositPlace = {
  readonly walletId: string;
  readonly userId: string;
  readonly address: Address;
};

const HOUR_MS = 3_600_000;
/** What is confirmed is final by then, and its event is written from final history alone. */
const FINAL_AFTER_MS = 30_000;

type Judged = Arrival & { readonly known: boolean; readonly tell: boolean };

/**
 * Tells what a confirmed transaction put into a person's wallet, each thing once: the deposit, its notice and how far the account
 * is known are one commit. What this person or the service itself sent is told elsewhere. Of a token the position is compared with
 * the chain again once that is final, which records its event.
 */
export async function tellDeposits(
  deps: TellDeps,
  place: DepositPlace,
  landed: LandedTransaction,
  cursor: DepositCursor,
): Promise<void> {
  const { db, clock, ids } = deps;
  const arrivals = arrivalsOf(landed, place.address);
  if (arrivals.length === 0 || (await isOwn(db, place, landed.signature))) return;
  const judged = await Promise.all(arrivals.map((arrival) => judge(deps, place, arrival)));
  const { walletId, userId } = place;
  const now = clock.now();
  if (judged.some(({ asset }) => asset !== 'SOL'))
    await db.positions.markChecked(walletId, now - HOUR_MS + FINAL_AFTER_MS, true);
  const wanted = judged.filter(({ tell }) => tell);
  // What is not told leaves no row: whoever sends a thousand tokens fills no table.
  if (wanted.length === 0 || (await isGone(db, walletId))) return;
  await db.transact(async (stores) => {
    const before = await stores.deposits.toldSince(userId, now - HOUR_MS);
    const { signature, slot } = landed;
    const added = await stores.deposits.add(
      wanted.map(({ asset, units }, index) => ({
        walletId,
        userId,
        asset,
        units,
        signature,
        slot,
        at: now,
        told: before + index < MOST_PER_HOUR || (asset === 'SOL' && units >= ALWAYS_TOLD_LAMPORTS),
      })),
    );
    await addNotices(
      { clock, ids },
      stores,
      added
        .filter(({ told }) => told)
        .map(({ asset, units }) => ({
          userId,
          intentId: null,
          kind: 'deposit' as const,
          payload: encodeDeposit({
            walletId,
            mint: asset === 'SOL' ? null : asset,
            units,
            known: wanted.find((one) => one.asset === asset)?.known === true,
            signature,
          }),
        })),
    );
    await stores.deposits.saveCursors([cursor]);
  });
  deps.nudge();
}

/** A transaction of this person's own, or a payout of the service. Another person's withdrawal to here is a deposit. */
async function isOwn(db: Database, { userId }: DepositPlace, signature: string): Promise<boolean> {
  const own = await db.positions.intentOf(signature);
  if (own === null) return false;
  const whole = await db.intents.whole(own.intentId);
  return whole !== null && (whole.intent.userId === null || whole.intent.userId === userId);
}

async function isGone(db: Database, walletId: string): Promise<boolean> {
  const wallet = await db.wallets.find(walletId);
  return wallet === null || wallet.deletedAt !== null;
}

async function judge(deps: TellDeps, place: DepositPlace, arrival: Arrival): Promise<Judged> {
  const { asset, units } = arrival;
  if (asset === 'SOL') return { ...arrival, known: true, tell: true };
  const known = isKnownMint(await deps.db.positions.events([place.walletId], [asset]));
  const worth = await deps.worthOf(place.address, asset, units);
  return { ...arrival, known, tell: isTold({ known, worth }) };
}
