import { type Address, maxBigint } from '@tradepost/solana';
import { networkFeeCap } from '../../../engine/fees/rules/network-fee-cap.ts';
import type { Intent } from '../../../engine/intents/rules/intent.ts';
import type { Relay } from '../../../engine/transactions/use/relay-outbox.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Ids } from '../../../platform/ports/ids.ts';
import type { Database } from '../../../platform/ports/stores.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { holdPayouts, type PayoutPart } from './hold-payout.ts';

/** Nineteen transfers fit a packet; fifteen leave room for the memo and the compute budget. */
const BATCH_SIZE = 15;
/** Inviters whose wallets are looked at in one call to the chain. */
const PAGE = 300;
/**
 * Inviters who are paid in one round, fifty transactions side by side. The next round waits for the last of them, so that a
 * worker's death, which costs a lease, costs it per fifty. More would hold the rewards' locks for seconds on a busy machine.
 */
const ROUND = 750;

export type CollectPayoutsDeps = {
  readonly db: Database;
  readonly chain: Pick<Chain, 'accounts' | 'balance' | 'rentExemption'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly treasury: Wallet;
  /** Smallest debt that is paid; 0 = any amount that the recipient can receive. */
  readonly minimumLamports: bigint;
  /** The most that all payouts of 24 hours may pay: a round pays no more, and the signer signs no more. Absent: any sum. */
  readonly capLamports?: bigint;
  readonly relay: Pick<Relay, 'nudge'>;
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
  // While a round is under way there is nothing to do; asked again under the lock, this spares the chain the question.
  if ((await db.intents.countOpenByWallet(deps.treasury.id)) > 0) return [];
  // The chain is asked outside the transaction; new rewards are read again under the lock.
  const minimum = await deps.chain.rentExemption(0);
  // The signer proves no other conversion, and one that it cannot prove would hold up the whole payout.
  const conversions = (await db.convert.payable()).map(String);
  const payable = await payableInviters(deps, minimum, conversions);
  if (payable.size === 0) return [];
  const spendable = (await deps.chain.balance(deps.treasury.address)) - minimum;
  const most = { spendable, capLamports: deps.capLamports ?? spendable };
  const intents = await db.transact(async (stores) => {
    // One round at a time: the balance read above is then all there is to spend. The end of a round asks for the next.
    if ((await stores.intents.countOpenByWallet(deps.treasury.id)) > 0) return [];
    const parts: PayoutPart[] = [];
    for (const row of await stores.referrals.lockAccrued([...payable.keys()], conversions)) {
      const target = payable.get(row.inviterId);
      if (target !== undefined && row.lamports >= target.leastLamports)
        parts.push({ ...row, recipient: target.recipient });
    }
    return holdPayouts(deps, stores, affordableBatches(parts, most));
  });
  if (intents.length > 0) deps.relay.nudge();
  return intents;
}

/**
 * Inviters who can be paid now, by id, one round's worth. A wallet that cannot receive its debt is passed over, at any number of them.
 * Otherwise a few hundred empty wallets with large debts would block everybody else for ever.
 */
async function payableInviters(
  { db, chain, clock, minimumLamports }: CollectPayoutsDeps,
  minimum: bigint,
  conversions: readonly string[],
): Promise<ReadonlyMap<string, { readonly recipient: Address; readonly leastLamports: bigint }>> {
  const payable = new Map<string, { readonly recipient: Address; readonly leastLamports: bigint }>();
  const leastLamports = maxBigint(1n, minimumLamports);
  const now = clock.now();
  for (let offset = 0; payable.size < ROUND; offset += PAGE) {
    const candidates = await db.referrals.payoutCandidates({
      limit: PAGE,
      offset,
      leastLamports,
      now,
      conversions,
    });
    if (candidates.length === 0) break;
    const { accounts } = await chain.accounts(candidates.map((candidate) => candidate.recipient));
    candidates.forEach(({ inviterId, recipient, lamports }, index) => {
      // What the wallet lacks of the rent-exempt minimum.
      const least = maxBigint(leastLamports, minimum - (accounts[index]?.lamports ?? 0n));
      if (lamports >= least && payable.size < ROUND)
        payable.set(inviterId, { recipient, leastLamports: least });
    });
    if (candidates.length < PAGE) break;
  }
  return payable;
}

/** Batches in order, as long as the treasury can pay them with the highest possible fee, and all together are within a day's cap. */
function affordableBatches(
  parts: readonly PayoutPart[],
  { spendable, capLamports }: { readonly spendable: bigint; readonly capLamports: bigint },
): readonly PayoutPart[][] {
  const batches: PayoutPart[][] = [];
  const fee = networkFeeCap('normal');
  let batch: PayoutPart[] = [];
  let left = spendable;
  let mayPay = capLamports;
  for (const part of parts) {
    const cost = part.lamports + (batch.length === 0 ? fee : 0n);
    if (cost > left || part.lamports > mayPay) continue;
    if (batch.length === 0) batches.push(batch);
    batch.push(part);
    left -= cost;
    mayPay -= part.lamports;
    if (batch.length === BATCH_SIZE) batch = [];
  }
  return batches;
}
