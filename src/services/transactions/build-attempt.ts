import { toBase58 } from '../../core/address/address.ts';
import { hasCode } from '../../core/errors/app-error.ts';
import { assertNever } from '../../core/errors/assert-never.ts';
import type { Instruction } from '../../core/instruction.ts';
import type { Attempt, Intent } from '../../core/intents/intent.ts';
import type { CompiledMessage, Simulation } from '../../core/ports/chain.ts';
import type { Wallet } from '../../core/wallets/wallet.ts';
import { assertMaySign } from '../guard/assert-may-sign.ts';
import {
  assertAffords,
  assertSimulation,
  type Watched,
  watchedOf,
  writableAddresses,
} from './check-simulation.ts';
import { compileFitting } from './compile-fitting.ts';
import type { TransactionDeps } from './deps.ts';
import { marketPrice, type NetworkFee, networkFee } from './network-fee.ts';
import type { PlanBuilder, PlanBuilders, TransactionPlan } from './plan.ts';

/** The cluster's limit per transaction: what a message may use while its real need is measured. */
const MAX_UNITS = 1_400_000;
/** Simulations at most, while others of the wallet's transactions land in between. */
const LOOKS = 8;

export type BuildDeps = Pick<
  TransactionDeps,
  'db' | 'chain' | 'compiler' | 'programs' | 'vault' | 'clock' | 'ids' | 'plans'
>;

/**
 * A signed attempt that exists only in memory: nothing is stored and nothing was sent. Plans, simulates against `confirmed`
 * state, compares the simulated balance changes with what the intent allows, collects co-signatures and lets the vault sign
 * under its policy. Throws the AppError of the first refusal; then nothing was signed by the wallet.
 */
export async function buildAttempt(
  deps: BuildDeps,
  intent: Intent,
  wallet: Wallet,
  n: number,
  { isRepeat }: { readonly isRepeat: boolean } = { isRepeat: false },
): Promise<Attempt> {
  // Asked for a repeat a moment ago, and again by the signer: here it only spares planning in vain.
  if (!isRepeat) await assertMaySign(deps, intent);
  const id = deps.ids.ulid();
  const plan = await planFor(deps.plans, intent, wallet, id);
  const { message, terms, blockhash, signatures, own } = await signed(deps, intent, wallet, plan);
  return {
    id,
    intentId: intent.id,
    n,
    signedTransaction: deps.compiler.assemble(message, signatures),
    signature: toBase58(own),
    blockhash: blockhash.blockhash,
    lastValidBlockHeight: blockhash.lastValidBlockHeight,
    signedSlot: blockhash.slot,
    signedAt: deps.clock.now(),
    status: 'SIGNED',
    sendCount: 0,
    lastSentAt: null,
    landedSlot: null,
    chainError: null,
    deathProof: null,
    landingProof: null,
    terms,
  };
}

/** The plan with every signature; when it is refused on the way there, the one that it names for that case. */
async function signed(
  deps: BuildDeps,
  intent: Intent,
  wallet: Wallet,
  plan: TransactionPlan,
): ReturnType<typeof simulateAndSign> {
  try {
    return await simulateAndSign(deps, intent, wallet, plan);
  } catch (error) {
    if (plan.instead === undefined) throw error;
    return signed(deps, intent, wallet, await plan.instead(error));
  }
}

async function simulateAndSign(deps: BuildDeps, intent: Intent, wallet: Wallet, plan: TransactionPlan) {
  const { message, terms, blockhash } = await priceAndSimulate(deps, intent, wallet, plan);
  const others = message.signers.filter((signer) => signer !== wallet.address);
  const signatures = new Map(
    others.length > 0 && plan.coSign !== null ? await plan.coSign(message.bytes, others) : [],
  );
  // The signer asks for the switches again: planning takes seconds, and whoever froze everything meanwhile means this one too.
  const own = await deps.vault.sign({ intentId: intent.id, message: message.bytes });
  signatures.set(wallet.address, own);
  return { message, terms, blockhash, signatures, own };
}

/** The message of a plan as it would be signed now, simulated and judged; nothing is signed, sent or stored. Throws the first refusal. */
export async function priceAndSimulate(
  deps: Pick<BuildDeps, 'chain' | 'compiler' | 'programs'>,
  intent: Pick<Intent, 'id'>,
  wallet: Pick<Wallet, 'address'>,
  planned: TransactionPlan,
) {
  const payer = wallet.address;
  const writable = writableAddresses(payer, planned);
  const [blockhash, price, { accounts: before }] = await Promise.all([
    deps.chain.latestBlockhash(),
    marketPrice(deps.chain, payer, planned.instructions, planned.tier),
    deps.chain.accounts(writable),
  ]);
  const watched = watchedOf(payer, planned, { addresses: writable, before });
  const { addresses } = watched;
  const compile = (
    instructions: readonly Instruction[],
    fee: Pick<NetworkFee, 'units' | 'microLamportsPerUnit'>,
  ) =>
    compileFitting(deps.compiler, {
      payer,
      blockhash: blockhash.blockhash,
      instructions: [...deps.programs.computeBudget(fee), deps.programs.memo(intent.id), ...instructions],
      lookupTables: planned.lookupTables ?? [],
    });
  const feeOf = (units: number, message: CompiledMessage): NetworkFee =>
    networkFee({ units, marketPrice: price, tier: planned.tier, signatures: message.signers.length });

  const draft = compile(planned.instructions, { units: MAX_UNITS, microLamportsPerUnit: 0n });
  if (planned.units !== null) {
    // The units are known, so the message that is simulated is the one that is signed.
    const fee = feeOf(planned.units, draft);
    const plan = { ...planned, ...planned.finish?.(fee.totalLamports) };
    const message = compile(plan.instructions, fee);
    await judgedSimulation(deps, message, plan, watched, fee.totalLamports);
    return { message, terms: plan.terms, blockhash };
  }
  const simulation = await deps.chain.simulate(draft.bytes, addresses);
  const fee = feeOf(Math.min(MAX_UNITS, Math.ceil(simulation.unitsConsumed * 1.1) + 300), draft);
  const judged = await judgedSimulation(deps, draft, planned, watched, fee.totalLamports, simulation);
  // The draft paid no priority fee; the signed message will.
  assertAffords(judged.simulation, judged.watched, fee.priorityLamports);
  return { message: compile(planned.instructions, fee), terms: planned.terms, blockhash };
}

/**
 * Simulates and judges by what the accounts held before. Another transaction of the same wallet that lands between the two
 * reads looks like a loss of this one, so a denial stands only when the accounts still are what they were compared with;
 * else they are read again and the message is simulated again.
 */
async function judgedSimulation(
  deps: Pick<BuildDeps, 'chain'>,
  message: CompiledMessage,
  plan: TransactionPlan,
  watched: Watched,
  feeLamports: bigint,
  made?: Simulation,
): Promise<{ readonly simulation: Simulation; readonly watched: Watched }> {
  const { addresses } = watched;
  let compared = watched;
  let simulation = made ?? (await deps.chain.simulate(message.bytes, addresses));
  for (let look = 1; ; look += 1) {
    try {
      assertSimulation(simulation, plan, compared, feeLamports);
      return { simulation, watched: compared };
    } catch (error) {
      if (look === LOOKS || !hasCode(error, 'POLICY_DENIED')) throw error;
      const { accounts: before } = await deps.chain.accounts(addresses);
      const lamports = (all: Watched['before']): string => all.map((one) => one?.lamports ?? 0n).join();
      if (lamports(before) === lamports(compared.before)) throw error;
      compared = { addresses, before };
      simulation = await deps.chain.simulate(message.bytes, addresses);
    }
  }
}

/** The builder of the intent's own kind: the table is total, and params and builder share their key. */
async function planFor(
  plans: PlanBuilders,
  intent: Intent,
  wallet: Wallet,
  attemptId: string,
): Promise<TransactionPlan> {
  const build = <K extends Intent['kind']>(
    builder: PlanBuilder<K>,
    params: Extract<Intent['params'], { kind: K }>,
  ): Promise<TransactionPlan> => builder({ ...intent, params }, wallet, attemptId);
  const { params } = intent;
  switch (params.kind) {
    case 'withdraw-sol':
      return build(plans['withdraw-sol'], params);
    case 'withdraw-token':
      return build(plans['withdraw-token'], params);
    case 'buy':
      return build(plans.buy, params);
    case 'sell':
      return build(plans.sell, params);
    case 'payout':
      return build(plans.payout, params);
    case 'prepare-token':
      return build(plans['prepare-token'], params);
    case 'create-token':
      return build(plans['create-token'], params);
    case 'revoke-authority':
      return build(plans['revoke-authority'], params);
    case 'launch':
      return build(plans.launch, params);
    default:
      return assertNever(params);
  }
}
