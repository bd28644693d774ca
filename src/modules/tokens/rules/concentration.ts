import { type Address, BURN_ADDRESSES } from '@tradepost/solana';
import { levelOf, type SafetyWarning, type TokenSafety } from './safety.ts';

/** How much of a supply few hands hold, in basis points. Pools, curves and burnt units belong to no holder. */
export type Concentration = { readonly top10Bps: number; readonly largestBps: number };

/** The largest accounts of a token, and who owns each; null where that is not known. */
export type LargestAccount = {
  readonly account: Address;
  readonly owner: Address | null;
  readonly amount: bigint;
};

const TOP = 10;
const NOTED_BPS = 3_000;
const CAREFUL_BPS = 5_000;
const ONE_HAND_BPS = 2_000;

/** Null where there is no supply to hold. `pools`: accounts and owners of venues. */
export function concentration(
  largest: readonly LargestAccount[],
  supply: bigint,
  pools: ReadonlySet<Address>,
): Concentration | null {
  if (supply === 0n) return null;
  const isNobodys = ({ account, owner }: LargestAccount): boolean =>
    pools.has(account) || (owner !== null && (pools.has(owner) || BURN_ADDRESSES.includes(owner)));
  const top = largest.filter((one) => !isNobodys(one)).slice(0, TOP);
  const share = (units: bigint): number => Number((units * 10_000n) / supply);
  return {
    top10Bps: share(top.reduce((sum, { amount }) => sum + amount, 0n)),
    largestBps: share(top[0]?.amount ?? 0n),
  };
}

/** A token's safety with its holders' power over its price; the same where they are not counted, or few hold little. */
export function withConcentration(safety: TokenSafety, held: Concentration | null): TokenSafety {
  const warning = held === null ? null : concentrationWarning(held);
  if (warning === null) return safety;
  const warnings = [...safety.warnings, warning];
  return { level: levelOf(warnings), warnings };
}

function concentrationWarning({ top10Bps, largestBps }: Concentration): SafetyWarning | null {
  if (top10Bps < NOTED_BPS && largestBps < ONE_HAND_BPS) return null;
  const isGrave = top10Bps >= CAREFUL_BPS || largestBps >= ONE_HAND_BPS;
  return { code: 'CONCENTRATED', severity: isGrave ? 'CAREFUL' : 'NOTE', top10Bps, largestBps };
}
