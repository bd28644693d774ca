import type { Address, Instruction } from '@tradepost/solana';
import { hasCode } from '../../../core/errors/app-error.ts';
import type { Chain, CompiledMessage, MessageCompiler, Simulation } from '../../../platform/ports/chain.ts';
import type { Programs } from '../../../platform/ports/programs.ts';
import { type NetworkFee, networkFee } from '../../fees/use/network-fee.ts';
import { assertAffords, assertSimulation, type Watched } from './check-simulation.ts';
import { compileFitting } from './compile-fitting.ts';
import type { TransactionPlan } from './plan.ts';

/** The cluster's limit per transaction: a message may use it while its real need is measured. */
export const MAX_UNITS = 1_400_000;
/** The cluster's limit of loaded bytes: a message of version 1 may use it while its real need is measured. */
export const MAX_LOADED_BYTES = 64 * 1024 * 1024;
/** Loaded bytes are charged by whole pages. */
const PAGE_BYTES = 32 * 1024;
/** An account counts this much beside its data. */
const ACCOUNT_BYTES = 64;
/** Simulations at most, while others of the wallet's transactions land in between. */
const LOOKS = 8;

export type MeasureDeps = {
  readonly chain: Pick<Chain, 'simulate' | 'accounts' | 'rentExemption'>;
  readonly compiler: Pick<MessageCompiler, 'compile'>;
  readonly programs: Pick<Programs, 'computeBudget'>;
};

type Priced = Pick<NetworkFee, 'units' | 'microLamportsPerUnit'>;

/** Units to request after a simulation: a tenth more than it used, and a little for changes of the state until then. */
export function unitsToAsk({ unitsConsumed }: Pick<Simulation, 'unitsConsumed'>): number {
  return Math.min(MAX_UNITS, Math.ceil(unitsConsumed * 1.1) + 300);
}

/**
 * Loaded bytes to request after a simulation: as many as it counted, and one page for changes of the state until then, with every account
 * that it writes counted once more, because it may not exist yet. The cluster's limit where the node counts none.
 */
export function loadedBytesToAsk({ loadedBytes }: Pick<Simulation, 'loadedBytes'>, writable: number): number {
  if (loadedBytes === null) return MAX_LOADED_BYTES;
  const pages = Math.ceil((loadedBytes + ACCOUNT_BYTES * writable) / PAGE_BYTES) + 1;
  return Math.min(MAX_LOADED_BYTES, pages * PAGE_BYTES);
}

/** The input of a simulation: a plan under a payer's blockhash, with what precedes its instructions. */
export type Measurable = {
  readonly payer: Address;
  readonly blockhash: string;
  readonly plan: TransactionPlan;
  /** Between the compute budget and the plan's own instructions. */
  readonly before: readonly Instruction[];
};

/**
 * The message of a plan at a network fee, in the first form that it fits. `loadedBytes` is for version 1 and the cluster's limit where left
 * out. Throws a RangeError when it fits in no form.
 */
export function compilePlan(
  deps: Pick<MeasureDeps, 'compiler' | 'programs'>,
  { payer, blockhash, plan, before }: Measurable,
  fee: Priced,
  loadedBytes = MAX_LOADED_BYTES,
): CompiledMessage {
  const { lookupTables = [], needsTables = false, version1 = false } = plan;
  const instructions = [...deps.programs.computeBudget(fee), ...before, ...plan.instructions];
  const wanted = { payer, blockhash, instructions, lookupTables };
  if (needsTables) return deps.compiler.compile(wanted);
  return compileFitting(deps.compiler, { ...wanted, ...(version1 ? { version1: { loadedBytes } } : {}) });
}

/** The message as it is simulated first: every unit that there is, and no price for them. */
export function compileDraft(
  deps: Pick<MeasureDeps, 'compiler' | 'programs'>,
  input: Measurable,
): CompiledMessage {
  return compilePlan(deps, input, { units: MAX_UNITS, microLamportsPerUnit: 0n });
}

export type Measured = {
  readonly message: CompiledMessage;
  readonly fee: NetworkFee;
  readonly simulation: Simulation;
  /** The accounts that the simulation was compared with. */
  readonly watched: Watched;
};

/**
 * Judges the simulation of a draft and gives the message with the compute budget that it needs. `simulation` is of the draft
 * with the watched accounts. Throws as `assertSimulation` and `assertAffords`.
 */
export async function measured(
  deps: MeasureDeps,
  input: Measurable,
  seen: {
    readonly draft: CompiledMessage;
    readonly simulation: Simulation;
    readonly watched: Watched;
    readonly marketPrice: bigint;
  },
): Promise<Measured> {
  const { plan } = input;
  const { draft, marketPrice } = seen;
  const units = unitsToAsk(seen.simulation);
  const fee = networkFee({
    units,
    marketPrice,
    tier: plan.tier,
    signatures: draft.signers.length,
    atMost: plan.priorityAtMost ?? null,
  });
  // Another key may pay the network: then the fee is no matter of the watched wallet.
  const pays = seen.watched.addresses[0] === input.payer;
  const feeLamports = pays ? fee.totalLamports : 0n;
  const judged = await judgeSimulation(deps, input, draft, { ...seen, feeLamports });
  // The draft paid no priority fee; the signed message will.
  const minimum = await deps.chain.rentExemption(0);
  assertAffords(judged.simulation, judged.watched, { lamports: pays ? fee.priorityLamports : 0n, minimum });
  plan.onPassed?.();
  const loaded = loadedBytesToAsk(judged.simulation, draft.writable.length);
  return { ...judged, fee, message: compilePlan(deps, input, fee, loaded) };
}

/**
 * Simulates, unless that was done, and judges by the earlier content of the accounts. Another transaction of the same wallet that lands
 * between the two reads looks like a loss of this one. So a denial counts only while the accounts still equal the compared ones. Else they
 * are read again and the message is simulated again.
 */
export async function judgeSimulation(
  { chain, programs }: MeasureDeps,
  { plan, before }: Measurable,
  message: CompiledMessage,
  given: { readonly watched: Watched; readonly feeLamports: bigint; readonly simulation?: Simulation },
): Promise<Pick<Measured, 'simulation' | 'watched'>> {
  const { addresses } = given.watched;
  const budget = programs.computeBudget({ units: 0, microLamportsPerUnit: 0n }).length;
  const lead = budget - message.dropped + before.length;
  let { watched } = given;
  let simulation = given.simulation ?? (await chain.simulate(message.bytes, addresses));
  for (let look = 1; ; look += 1) {
    // After the simulation: one that failed for its rent made the next answer a new one.
    const minimum = await chain.rentExemption(0);
    try {
      assertSimulation(simulation, { ...plan, lead }, watched, { feeLamports: given.feeLamports, minimum });
      return { simulation, watched };
    } catch (error) {
      if (look === LOOKS || !hasCode(error, 'POLICY_DENIED')) throw error;
      const { accounts } = await chain.accounts(addresses);
      const lamports = (all: Watched['before']): string => all.map((one) => one?.lamports ?? 0n).join();
      if (lamports(accounts) === lamports(watched.before)) throw error;
      watched = { addresses, before: accounts };
      simulation = await chain.simulate(message.bytes, addresses);
    }
  }
}
