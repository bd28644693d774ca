import {
  type Address,
  type Instruction,
  LAMPORTS_PER_SIGNATURE,
  maxBigint,
  minBigint,
  mulDivFloor,
  SYSTEM_PROGRAM,
} from '@tradepost/solana';
import { priorityFee } from '../../../core/amounts/priority-fee.ts';
import { PRIORITY_TIERS, type PriorityTier } from '../../../modules/settings/rules/settings.ts';
import type { Chain } from '../../../platform/ports/chain.ts';
import { priorityCap } from '../rules/network-fee-cap.ts';

const MICRO = 1_000_000n;

export type NetworkFee = {
  readonly units: number;
  readonly microLamportsPerUnit: bigint;
  readonly priorityLamports: bigint;
  /** Base fee of all signatures plus the priority fee: the exact cost of landing. */
  readonly totalLamports: bigint;
};

/** The fee of `units` at the market's price, lowered where it would exceed the tier's cap in lamports, or `atMost`. */
export function networkFee(input: {
  readonly units: number;
  readonly marketPrice: bigint;
  readonly tier: PriorityTier;
  readonly signatures: number;
  readonly atMost?: bigint | null;
}): NetworkFee {
  const { units, marketPrice, tier, signatures, atMost = null } = input;
  const highest = mulDivFloor(priorityCap(tier, atMost), MICRO, BigInt(units));
  const price = minBigint(marketPrice, highest);
  const priorityLamports = priorityFee(BigInt(units), price);
  return {
    units,
    microLamportsPerUnit: price,
    priorityLamports,
    totalLamports: BigInt(signatures) * LAMPORTS_PER_SIGNATURE + priorityLamports,
  };
}

/**
 * Micro-lamports per unit that recent transactions paid for writing contended accounts, at the tier's percentile. `own`: the payer's
 * accounts beside the payer. Without them a crowd in the same pools asks the node one question for all traders. The tier's floor at least:
 * quiet accounts say 0, and a node that does not serve the question says nothing.
 */
export async function marketPrice(
  chain: Pick<Chain, 'priorityPrice'>,
  { payer, own = [] }: { readonly payer: Address; readonly own?: readonly Address[] },
  instructions: readonly Instruction[],
  tier: PriorityTier,
): Promise<bigint> {
  const told = await chain.priorityPrice(
    contended(instructions, [payer, ...own]),
    PRIORITY_TIERS[tier].percentile,
  );
  return maxBigint(told ?? 0n, PRIORITY_TIERS[tier].floor);
}

/**
 * Accounts that others write too: the pools' accounts. No other trader bids for the payer's own, and this very transaction makes the
 * wrapped-SOL account. Naming them would ask a question of its own per payer and trade, with the same answer.
 */
function contended(instructions: readonly Instruction[], own: readonly Address[]): readonly Address[] {
  const written = new Set<Address>();
  const made = new Set<Address>(own);
  for (const { programId, accounts } of instructions) {
    if (programId !== SYSTEM_PROGRAM) continue;
    for (const { address } of accounts) made.add(address);
  }
  for (const { accounts } of instructions) {
    for (const { address, writable } of accounts) if (writable && !made.has(address)) written.add(address);
  }
  return [...written];
}
