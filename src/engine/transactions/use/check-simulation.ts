import {
  type Address,
  addressFromBytes,
  type ChainAccount,
  maxBigint,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_PROGRAM,
} from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import type { Simulation } from '../../../platform/ports/chain.ts';
import { isPriceFailure } from '../../intents/rules/retry.ts';
import type { TransactionPlan } from './plan.ts';

const NO_RIGHTS = '/';

/** Which of the plan's own instructions failed: the cause of an error that a failed simulation becomes. */
class FailedInstruction extends Error {
  readonly index: number;

  constructor(index: number) {
    super(`instruction ${index} of the plan failed`);
    this.index = index;
  }
}

/** The instruction of the plan that an error of `assertSimulation` blames; null when it blames none. */
export function failedInstruction(error: unknown): number | null {
  return error instanceof Error && error.cause instanceof FailedInstruction ? error.cause.index : null;
}

/** The place of the failed instruction in a simulated message; null when none of them failed. */
export function instructionIn({ err }: Pick<Simulation, 'err'>): number | null {
  const found = /"InstructionError":\s*\[\s*(\d+)/.exec(err ?? '');
  return found === null ? null : Number(found[1]);
}

/** The accounts to compare simulated ones with: the same accounts, read before. The wallet comes first. */
export type Watched = {
  readonly addresses: readonly Address[];
  readonly before: readonly (ChainAccount | null)[];
};

/** Everything of the plan that could change to the wallet's harm: the wallet first, then all that is writable. */
export function writableAddresses(
  wallet: Address,
  plan: Pick<TransactionPlan, 'expect' | 'instructions'>,
): readonly Address[] {
  const writable = plan.instructions.flatMap(({ accounts }) =>
    accounts.filter((account) => account.writable).map((account) => account.address),
  );
  return [...new Set([wallet, ...plan.expect.tokens.map((token) => token.account), ...writable])];
}

/** Of those, the accounts to compare: the wallet, the tokens the plan speaks of, and every token account of the wallet. */
export function watchedOf(
  wallet: Address,
  plan: Pick<TransactionPlan, 'expect'>,
  { addresses, before }: Watched,
): Watched {
  const spokenOf = new Set([wallet, ...plan.expect.tokens.map((token) => token.account)]);
  const kept = addresses
    .map((account, index) => ({ account, state: before[index] ?? null }))
    .filter(({ account, state }) => spokenOf.has(account) || holderOf(state) === wallet);
  return { addresses: kept.map(({ account }) => account), before: kept.map(({ state }) => state) };
}

/** The network fee of the message, and the rent-exempt minimum of a plain account as the chain has it now. */
export type Limits = { readonly feeLamports: bigint; readonly minimum: bigint };

/**
 * Throws unless the simulation succeeded and shows what the intent's row allows: a failed one by its cause, a worse price
 * as PRICE_MOVED, an unexplained loss as POLICY_DENIED. Whether a node charges the fee in a simulation differs, so both
 * comparisons allow for `feeLamports`.
 */
export function assertSimulation(
  simulation: Simulation,
  /** `lead`: instructions of the message before the plan's own. */
  plan: Pick<TransactionPlan, 'expect' | 'terms'> & { readonly lead?: number },
  watched: Watched,
  { feeLamports, minimum }: Limits,
): void {
  if (simulation.err !== null) throw simulationError(simulation, plan, watched, { feeLamports, minimum });
  const at = (account: Address): readonly [ChainAccount | null, ChainAccount | null] => {
    const index = watched.addresses.indexOf(account);
    return [watched.before[index] ?? null, simulation.after[index] ?? null];
  };
  for (const token of plan.expect.tokens) {
    const [before, after] = at(token.account);
    const delta = tokenAmountOf(after) - tokenAmountOf(before);
    if (delta < token.minDelta) throw worse(plan, token.minDelta, delta);
  }
  assertUntouched(simulation, plan, watched);
  const delta = (simulation.after[0]?.lamports ?? 0n) - (watched.before[0]?.lamports ?? 0n);
  const { maxLamportsOut, minLamportsIn } = plan.expect;
  if (-delta > maxLamportsOut + feeLamports) throw new AppError('POLICY_DENIED', { rule: 'simulated-spend' });
  if (minLamportsIn !== null && delta < minLamportsIn - feeLamports) throw worse(plan, minLamportsIn, delta);
}

/**
 * Changes that no amount shows: the wallet handed to another program; a token account of it handed over, closed, or opened to a delegate;
 * tokens that the plan does not name. A venue's program runs with the wallet's signature. It could do each of these by a call of its own,
 * which the signing policy does not see.
 */
function assertUntouched(
  simulation: Simulation,
  plan: Pick<TransactionPlan, 'expect'>,
  watched: Watched,
): void {
  const [wallet] = watched.addresses;
  const itself = simulation.after[0] ?? null;
  if (itself !== null && (itself.owner !== SYSTEM_PROGRAM || itself.data.length > 0)) {
    throw new AppError('POLICY_DENIED', { rule: 'simulated-wallet-owner' });
  }
  const closes = new Set(plan.expect.closes ?? []);
  const spokenOf = new Set(plan.expect.tokens.map((token) => token.account));
  for (let index = 1; index < watched.addresses.length; index++) {
    const account = watched.addresses[index];
    const before = watched.before[index] ?? null;
    const after = simulation.after[index] ?? null;
    if (account === undefined || (before === null && after === null)) continue;
    // Its lamports are seen at the wallet, and its units above where the plan sells them.
    const isEmptied = tokenAmountOf(before) === 0n || spokenOf.has(account);
    if (after === null && closes.has(account) && isEmptied) continue;
    if (account === plan.expect.elsewhere) {
      if (before === null || holderOf(after) === holderOf(before)) continue;
      throw new AppError('POLICY_DENIED', { rule: 'simulated-token-authority' });
    }
    if (holderOf(after) !== wallet || rightsOf(after) !== (before === null ? NO_RIGHTS : rightsOf(before))) {
      throw new AppError('POLICY_DENIED', { rule: 'simulated-token-authority' });
    }
    if (!spokenOf.has(account) && tokenAmountOf(after) < tokenAmountOf(before)) {
      throw new AppError('POLICY_DENIED', { rule: 'simulated-other-tokens' });
    }
  }
}

/**
 * Throws when paying `lamports` more than the simulation did would leave the wallet short, or with something below `minimum`, the
 * rent-exempt minimum of now.
 */
export function assertAffords(
  simulation: Simulation,
  watched: Watched,
  { lamports, minimum }: { readonly lamports: bigint; readonly minimum: bigint },
): void {
  const after = simulation.after[0]?.lamports ?? 0n;
  const left = after - lamports;
  const before = watched.before[0]?.lamports ?? 0n;
  if (left < 0n) throw insufficient(before, before - after, lamports);
  if (left > 0n && left < minimum) throw new AppError('RENT_REMAINDER', { left, minimum });
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

/** The owner field of a token account (bytes 32..64, alike in both token programs), or null for anything else. */
function holderOf(account: ChainAccount | null): Address | null {
  if (account === null || account.data.length < TOKEN_ACCOUNT_BYTES) return null;
  if (account.owner !== TOKEN_PROGRAM && account.owner !== TOKEN_2022_PROGRAM) return null;
  return addressFromBytes(account.data.subarray(32, 64));
}

/** The other keys that may move or close: the delegate (its tag at 72, its key) and the close authority (its tag at 129, its key). */
function rightsOf(account: ChainAccount | null): string {
  if (account === null) return NO_RIGHTS;
  const option = (at: number) =>
    account.data[at] === 1 ? addressFromBytes(account.data.subarray(at + 4, at + 36)) : '';
  return `${option(72)}/${option(129)}`;
}

function simulationError(
  simulation: Simulation,
  plan: Pick<TransactionPlan, 'expect' | 'terms'> & { readonly lead?: number },
  watched: Watched,
  { feeLamports, minimum }: Limits,
): AppError {
  const err = simulation.err ?? '';
  const { logs } = simulation;
  const failed = instructionIn(simulation);
  const cause = failed === null ? {} : { cause: new FailedInstruction(failed - (plan.lead ?? 0)) };
  const available = watched.before[0]?.lamports ?? 0n;
  // A lagging node does not know a fresh blockhash yet: ask again, nothing is wrong with the request.
  if (/BlockhashNotFound/.test(err)) return new AppError('CHAIN_UNREACHABLE', { endpoint: '', cause: err });
  if (/InsufficientFundsForFee|AccountNotFound/.test(err)) {
    return insufficient(available, plan.expect.maxLamportsOut, feeLamports);
  }
  const rent = /InsufficientFundsForRent.*?(\d+)/.exec(err);
  if (rent?.[1] === '0') {
    const left = available - plan.expect.maxLamportsOut - feeLamports;
    return new AppError('RENT_REMAINDER', { left, minimum });
  }
  if (rent !== null) return new AppError('RECIPIENT_BELOW_RENT', { minimum, wouldHold: 0n });
  const short = logs.map((line) => /insufficient lamports (\d+), need (\d+)/.exec(line)).find(Boolean);
  if (short !== undefined && short !== null) {
    // Of one instruction: earlier ones took the difference of the two.
    const spent = available + BigInt(short[2] ?? 0) - BigInt(short[1] ?? 0);
    return insufficient(available, maxBigint(spent, plan.expect.maxLamportsOut), feeLamports);
  }
  if (plan.terms !== null && isPriceFailure(logs)) {
    return new AppError('PRICE_MOVED', { minOut: plan.terms.minOut, got: 0n }, cause);
  }
  return new AppError('SIMULATION_FAILED', { err, logs: logs.slice(-20) }, cause);
}

function insufficient(available: bigint, amount: bigint, fees: bigint): AppError {
  return new AppError('INSUFFICIENT_LAMPORTS', { needed: amount + fees, available, amount, fees });
}
