import type { Address } from '../../core/address/address.ts';
import { RENT_EXEMPT_MINIMUM } from '../../core/amounts/lamports.ts';
import { AppError } from '../../core/errors/app-error.ts';
import { isPriceFailure } from '../../core/intents/retry.ts';
import type { ChainAccount, Simulation } from '../../core/ports/chain.ts';
import type { TransactionPlan } from './plan.ts';

/** What simulated accounts are compared with: the same accounts, read before. The wallet comes first. */
export type Watched = {
  readonly addresses: readonly Address[];
  readonly before: readonly (ChainAccount | null)[];
};

export function watchedAddresses(wallet: Address, plan: Pick<TransactionPlan, 'expect'>): readonly Address[] {
  return [...new Set([wallet, ...plan.expect.tokens.map((token) => token.account)])];
}

/**
 * Throws unless the simulation succeeded and shows what the intent's row allows: a failed one by its cause, a worse price
 * as PRICE_MOVED, an unexplained loss as POLICY_DENIED. Whether a node charges the fee in a simulation differs, so both
 * comparisons allow for `feeLamports`.
 */
export function assertSimulation(
  simulation: Simulation,
  plan: Pick<TransactionPlan, 'expect' | 'terms'>,
  watched: Watched,
  feeLamports: bigint,
): void {
  if (simulation.err !== null) throw simulationError(simulation, plan, watched, feeLamports);
  const at = (account: Address): readonly [ChainAccount | null, ChainAccount | null] => {
    const index = watched.addresses.indexOf(account);
    return [watched.before[index] ?? null, simulation.after[index] ?? null];
  };
  for (const token of plan.expect.tokens) {
    const [before, after] = at(token.account);
    const delta = tokenAmountOf(after) - tokenAmountOf(before);
    if (delta < token.minDelta) throw worse(plan, token.minDelta, delta);
  }
  const delta = (simulation.after[0]?.lamports ?? 0n) - (watched.before[0]?.lamports ?? 0n);
  const { maxLamportsOut, minLamportsIn } = plan.expect;
  if (-delta > maxLamportsOut + feeLamports) throw new AppError('POLICY_DENIED', { rule: 'simulated-spend' });
  if (minLamportsIn !== null && delta < minLamportsIn - feeLamports) throw worse(plan, minLamportsIn, delta);
}

/** Throws when paying `lamports` more than the simulation did would leave the wallet short or below the rent minimum. */
export function assertAffords(simulation: Simulation, watched: Watched, lamports: bigint): void {
  const after = simulation.after[0]?.lamports ?? 0n;
  const left = after - lamports;
  const before = watched.before[0]?.lamports ?? 0n;
  if (left < 0n) throw insufficient(before, before - after, lamports);
  if (left > 0n && left < RENT_EXEMPT_MINIMUM) throw rentRemainder(left, 0n);
}

function worse(plan: Pick<TransactionPlan, 'terms'>, least: bigint, got: bigint): AppError {
  return plan.terms === null
    ? new AppError('POLICY_DENIED', { rule: 'simulated-tokens' })
    : new AppError('PRICE_MOVED', { minOut: least, got });
}

/** Amount of a token account: bytes 64..72, little endian, alike in both token programs. Zero when it does not exist. */
function tokenAmountOf(account: ChainAccount | null): bigint {
  if (account === null || account.data.length < 72) return 0n;
  const { buffer, byteOffset } = account.data;
  return new DataView(buffer, byteOffset + 64, 8).getBigUint64(0, true);
}

function simulationError(
  simulation: Simulation,
  plan: Pick<TransactionPlan, 'expect' | 'terms'>,
  watched: Watched,
  feeLamports: bigint,
): AppError {
  const err = simulation.err ?? '';
  const { logs } = simulation;
  const available = watched.before[0]?.lamports ?? 0n;
  // A lagging node does not know a fresh blockhash yet: ask again, nothing is wrong with the wish.
  if (/BlockhashNotFound/.test(err)) return new AppError('CHAIN_UNREACHABLE', { endpoint: '', cause: err });
  if (/InsufficientFundsForFee|AccountNotFound/.test(err)) {
    return insufficient(available, plan.expect.maxLamportsOut, feeLamports);
  }
  const rent = /InsufficientFundsForRent.*?(\d+)/.exec(err);
  if (rent?.[1] === '0')
    return rentRemainder(available - plan.expect.maxLamportsOut - feeLamports, available);
  if (rent !== null) {
    return new AppError('RECIPIENT_BELOW_RENT', { minimum: RENT_EXEMPT_MINIMUM, wouldHold: 0n });
  }
  const short = logs.map((line) => /insufficient lamports (\d+), need (\d+)/.exec(line)).find(Boolean);
  if (short !== undefined && short !== null) {
    return insufficient(available, BigInt(short[2] ?? 0), feeLamports);
  }
  if (plan.terms !== null && isPriceFailure(logs)) {
    return new AppError('PRICE_MOVED', { minOut: plan.terms.minOut, got: 0n });
  }
  return new AppError('SIMULATION_FAILED', { err, logs: logs.slice(-20) });
}

function insufficient(available: bigint, amount: bigint, fees: bigint): AppError {
  return new AppError('INSUFFICIENT_LAMPORTS', { needed: amount + fees, available, amount, fees });
}

function rentRemainder(left: bigint, maxAmount: bigint): AppError {
  return new AppError('RENT_REMAINDER', { left, minimum: RENT_EXEMPT_MINIMUM, maxAmount });
}
