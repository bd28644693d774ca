import type { Address } from '../../core/address/address.ts';
import { SYSTEM_PROGRAM } from '../../core/address/programs.ts';
import { LAMPORTS_PER_SIGNATURE } from '../../core/amounts/lamports.ts';
import { divCeil, minBigint, mulDivFloor } from '../../core/amounts/rounding.ts';
import type { Instruction } from '../../core/instruction.ts';
import type { Chain } from '../../core/ports/chain.ts';
import { PRIORITY_TIERS, type PriorityTier } from '../../core/users/settings.ts';

const MICRO = 1_000_000n;

export type NetworkFee = {
  readonly units: number;
  readonly microLamportsPerUnit: bigint;
  readonly priorityLamports: bigint;
  /** Base fee of all signatures plus the priority fee: exactly what landing costs. */
  readonly totalLamports: bigint;
};

/** The fee of `units` at the market's price, the price lowered where the tier's cap in lamports would be exceeded. */
export function networkFee(input: {
  readonly units: number;
  readonly marketPrice: bigint;
  readonly tier: PriorityTier;
  readonly signatures: number;
}): NetworkFee {
  const { units, marketPrice, tier, signatures } = input;
  const highest = mulDivFloor(PRIORITY_TIERS[tier].capLamports, MICRO, BigInt(units));
  const price = minBigint(marketPrice, highest);
  const priorityLamports = divCeil(BigInt(units) * price, MICRO);
  return {
    units,
    microLamportsPerUnit: price,
    priorityLamports,
    totalLamports: BigInt(signatures) * LAMPORTS_PER_SIGNATURE + priorityLamports,
  };
}

/** The most a transaction of this tier can cost: what a confirm screen may promise as "up to". */
export function networkFeeCap(tier: PriorityTier, signatures = 1): bigint {
  return BigInt(signatures) * LAMPORTS_PER_SIGNATURE + PRIORITY_TIERS[tier].capLamports;
}

/**
 * Micro-lamports per unit that recent transactions paid for writing what others write too, at the tier's percentile. `own`: the
 * payer's accounts beside the payer. Without them a crowd in the same pools asks the node one question, whoever trades.
 */
export function marketPrice(
  chain: Pick<Chain, 'priorityPrice'>,
  { payer, own = [] }: { readonly payer: Address; readonly own?: readonly Address[] },
  instructions: readonly Instruction[],
  tier: PriorityTier,
): Promise<bigint> {
  return chain.priorityPrice(contended(instructions, [payer, ...own]), PRIORITY_TIERS[tier].percentile);
}

/**
 * What others write too: the pools' accounts. Nobody outbids anybody for the payer's own, and the wrapped-SOL account is
 * made by this very transaction; naming them would ask a question of its own per payer and trade, with the same answer.
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
