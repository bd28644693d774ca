import type { Address } from '@tradepost/solana';
import { addNotices } from '../../../engine/transactions/use/add-notices.ts';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database, Stores } from '../../../platform/ports/stores.ts';
import { isKnownMint } from '../../positions/rules/known-mint.ts';
import { DOUBTED_LAMPORTS } from '../rules/agreement.ts';
import { ALWAYS_TOLD_LAMPORTS, type Arrival, arrivalsOf, isTold, MOST_PER_HOUR } from '../rules/arrivals.ts';
import { encodeDeposit } from '../rules/deposit-notice.ts';

export type TellDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The net proceeds of a sale of the units now; null = no market. */
  readonly worthOf: (wallet: Address, mint: Address, units: bigint) => Promise<bigint | null>;
  /** Called after a commit that reports something. */
  readonly nudge: () => void;
};

export type DepositPlace = {
  readonly walletId: string;
  readonly userId: string;
  readonly address: Address;
};

const HOUR_MS = 3_600_000;
/** A confirmed transaction is final by then, and its event is written from final history alone. */
const FINAL_AFTER_MS = 30_000;

type Judged = Arrival & { readonly known: boolean; readonly tell: boolean };

/**
 * Reports the arrivals of a confirmed transaction in a person's wallet, each once. The deposit, its notice and `done` are one commit, and
 * `done` does not run where nothing is reported. Transfers by this person or the service itself are reported elsewhere. For a token the
 * position is compared with the chain again once the transfer is final, which records its event. `sources`: so many nodes say so. True when
 * something was reported.
 */
export async function tellDeposits(
  deps: TellDeps,
  place: DepositPlace,
  landed: LandedTransaction,
  sources: 1 | 2,
  done: (stores: Stores) => Promise<void>,
): Promise<boolean> {
  const { db, clock, ids } = deps;
  const arrivals = arrivalsOf(landed, place.address);
  if (arrivals.length === 0 || (await isOwn(db, place, landed.signature))) return false;
  const judged = await Promise.all(arrivals.map((arrival) => judge(deps, place, arrival)));
  const { walletId, userId } = place;
  const now = clock.now();
  if (judged.some(({ asset }) => asset !== 'SOL'))
    await db.positions.markChecked(walletId, now - HOUR_MS + FINAL_AFTER_MS, true);
  const wanted = judged.filter(({ tell }) => tell);
  // An arrival that is not reported leaves no row: a sender of a thousand tokens fills no table.
  if (wanted.length === 0 || (await isGone(db, walletId))) return false;
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
            ...(sources === 1 && asset === 'SOL' && units > DOUBTED_LAMPORTS ? { seenByOne: true } : {}),
          }),
        })),
    );
    await done(stores);
  });
  deps.nudge();
  return true;
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
