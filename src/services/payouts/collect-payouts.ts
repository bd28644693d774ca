import type { Address } from '../../core/address/address.ts';
import { RENT_EXEMPT_MINIMUM } from '../../core/amounts/lamports.ts';
import { maxBigint } from '../../core/amounts/rounding.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { Chain } from '../../core/ports/chain.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Ids } from '../../core/ports/ids.ts';
import type { Database } from '../../core/ports/stores.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import { networkFeeCap } from '../transactions/network-fee.ts';
import type { Relay } from '../transactions/relay-outbox.ts';
import { holdPayout, type PayoutPart } from './hold-payout.ts';

/** Nineteen transfers fit a packet; fifteen leave room for the memo and the compute budget. */
const BATCH_SIZE = 15;
/** Inviters looked at per run, largest debt first. */
const CANDIDATES = 150;

export type CollectPayoutsDeps = {
  readonly db: Database;
  readonly chain: Pick<Chain, 'accounts' | 'balance'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly treasury: Wallet;
  /** Smallest debt that is paid; 0 = whatever the recipient can receive. */
  readonly minimumLamports: bigint;
  readonly relay: Pick<Relay, 'nudge'>;
};

type Payable = {
  readonly inviterId: string;
  readonly recipient: Address;
  /** What the recipient must receive at least to be a valid account afterwards. */
  readonly leastLamports: bigint;
};

/**
 * Puts payable rewards into payout intents of at most fifteen recipients each: hold, rewards, intent and outbox row in one
 * commit. Payable means that the inviter has a wallet, which ends at or above the rent-exempt minimum, and that the treasury
 * stays there after paying the highest possible fee. Everything else stays accrued, visibly, for the next run.
 * Returns the intents.
 */
export async function collectPayouts(deps: CollectPayoutsDeps): Promise<readonly Intent[]> {
  const { db } = deps;
  if (await db.flags.isSet('payouts-paused')) return [];
  // Rewards that a restored database calls payable may have been paid after the dump, under intents it does not know.
  if (await db.flags.isSet('quarantined')) return [];
  // The chain is asked outside the transaction; what was accrued meanwhile is read again under the lock.
  const candidates = await db.referrals.lockAccrued(CANDIDATES);
  if (candidates.length === 0) return [];
  const payable = await payableInviters(
    deps,
    candidates.map((row) => row.inviterId),
  );
  if (payable.size === 0) return [];
  const spendable = (await deps.chain.balance(deps.treasury.address)) - RENT_EXEMPT_MINIMUM;
  const intents = await db.transact(async (stores) => {
    // One round at a time: the balance read above is then all there is to spend. The end of a round asks for the next.
    if ((await stores.intents.countOpenByWallet(deps.treasury.id)) > 0) return [];
    const parts: PayoutPart[] = [];
    for (const row of await stores.referrals.lockAccrued(CANDIDATES)) {
      const target = payable.get(row.inviterId);
      if (target === undefined) continue;
      if (row.lamports < maxBigint(target.leastLamports, maxBigint(1n, deps.minimumLamports))) continue;
      parts.push({ ...row, recipient: target.recipient });
    }
    const created: Intent[] = [];
    for (const batch of affordableBatches(parts, spendable)) {
      created.push(await holdPayout(deps, stores, batch));
    }
    return created;
  });
  if (intents.length > 0) deps.relay.nudge();
  return intents;
}

/** Each inviter's active wallet and the least it can receive, by inviter; those without a wallet are left out. */
async function payableInviters(
  { db, chain }: CollectPayoutsDeps,
  inviterIds: readonly string[],
): Promise<ReadonlyMap<string, Payable>> {
  const targets: { readonly inviterId: string; readonly recipient: Address }[] = [];
  for (const inviterId of inviterIds) {
    const user = await db.users.find(inviterId);
    const wallet = user?.activeWalletId ? await db.wallets.find(user.activeWalletId) : null;
    if (wallet !== null && wallet.userId === inviterId && wallet.deletedAt === null) {
      targets.push({ inviterId, recipient: wallet.address });
    }
  }
  const { accounts } = await chain.accounts(targets.map((target) => target.recipient));
  return new Map(
    targets.map((target, index) => {
      const missing = RENT_EXEMPT_MINIMUM - (accounts[index]?.lamports ?? 0n);
      return [target.inviterId, { ...target, leastLamports: maxBigint(0n, missing) }];
    }),
  );
}

/** Batches in order, as long as the treasury can pay them with the highest possible fee. */
function affordableBatches(parts: readonly PayoutPart[], spendable: bigint): readonly PayoutPart[][] {
  const batches: PayoutPart[][] = [];
  const fee = networkFeeCap('normal');
  let batch: PayoutPart[] = [];
  let left = spendable;
  for (const part of parts) {
    const cost = part.lamports + (batch.length === 0 ? fee : 0n);
    if (cost > left) continue;
    if (batch.length === 0) batches.push(batch);
    batch.push(part);
    left -= cost;
    if (batch.length === BATCH_SIZE) batch = [];
  }
  return batches;
}
