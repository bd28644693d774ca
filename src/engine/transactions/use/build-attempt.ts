import { toBase58 } from '@tradepost/solana';
import { hasCode } from '../../../core/errors/app-error.ts';
import type { Wallet } from '../../../modules/wallets/rules/wallet.ts';
import type { UnsignedAttempt } from '../../../platform/ports/vault.ts';
import { bidOf } from '../../fees/rules/bid.ts';
import { marketPrice, networkFee } from '../../fees/use/network-fee.ts';
import type { IntentKind, ParamsByKind } from '../../intents/kinds/params.ts';
import type { Attempt, Intent } from '../../intents/rules/intent.ts';
import { assertMaySign } from '../../switches/use/assert-may-sign.ts';
import { watchedOf, writableAddresses } from './check-simulation.ts';
import type { TransactionDeps } from './deps.ts';
import { compileDraft, compilePlan, judgeSimulation, measured } from './measure.ts';
import type { PlanBuilders, TransactionPlan } from './plan.ts';

/** In the place of the wallet's signature until there is one. */
const UNSIGNED = new Uint8Array(64);

export type BuildDeps = Pick<
  TransactionDeps,
  'db' | 'chain' | 'compiler' | 'programs' | 'vault' | 'clock' | 'ids' | 'plans'
>;

/**
 * A signed attempt that exists only in memory: nothing is stored and nothing was sent. Plans, simulates against `confirmed` state, compares
 * the simulated balance changes with the intent's limits, collects co-signatures and lets the vault sign under its policy. Throws the
 * AppError of the first refusal; then nothing was signed by the wallet.
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
  const { params } = intent;
  const plan = await planOf(deps.plans, { kind: params.kind, params }, intent, wallet, { id, n });
  return signed(deps, { intent, wallet, id, n }, plan);
}

/** The attempt's intent, wallet, id and number. */
type Named = {
  readonly intent: Intent;
  readonly wallet: Wallet;
  readonly id: string;
  readonly n: number;
};

/** The plan with every signature; when it is refused on the way there, the one that it names for that case. */
async function signed(deps: BuildDeps, named: Named, plan: TransactionPlan): Promise<Attempt> {
  try {
    return await simulateAndSign(deps, named, plan);
  } catch (error) {
    // Nothing else is built while the fate of an earlier signature is unknown.
    if (plan.instead === undefined || hasCode(error, 'ATTEMPT_UNDECIDED')) throw error;
    return signed(deps, named, await plan.instead(error));
  }
}

async function simulateAndSign(
  deps: BuildDeps,
  { intent, wallet, id, n }: Named,
  plan: TransactionPlan,
): Promise<Attempt> {
  const { message, terms, blockhash } = await priceAndSimulate(deps, intent, wallet, plan, n);
  const others = message.signers.filter((signer) => signer !== wallet.address);
  const signatures = new Map(
    others.length > 0 && plan.coSign !== null ? await plan.coSign(message.bytes, others) : [],
  );
  signatures.set(wallet.address, UNSIGNED);
  const row: UnsignedAttempt = {
    id,
    intentId: intent.id,
    n,
    signedTransaction: deps.compiler.assemble(message, signatures),
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
  // The signer checks the switches again. Planning takes seconds, and a freeze meanwhile includes this intent too.
  const own = await deps.vault.sign({ intentId: intent.id, message: message.bytes, attempt: row });
  signatures.set(wallet.address, own);
  return { ...row, signedTransaction: deps.compiler.assemble(message, signatures), signature: toBase58(own) };
}

/** The message of a plan as attempt `n` would sign it now, simulated and judged; nothing is signed, sent or stored. Throws the first refusal. */
export async function priceAndSimulate(
  deps: Pick<BuildDeps, 'chain' | 'compiler' | 'programs'>,
  intent: Pick<Intent, 'id'>,
  wallet: Pick<Wallet, 'address'>,
  planned: TransactionPlan,
  n = 1,
) {
  const payer = wallet.address;
  const writable = writableAddresses(payer, planned);
  const [blockhash, market, { accounts }] = await Promise.all([
    deps.chain.agedBlockhash(),
    marketPrice(
      deps.chain,
      { payer, own: planned.expect.tokens.map(({ account }) => account) },
      planned.instructions,
      planned.tier,
    ),
    deps.chain.accounts(writable),
  ]);
  const price = bidOf(market, n);
  const watched = watchedOf(payer, planned, { addresses: writable, before: accounts });
  const input = {
    payer,
    blockhash: blockhash.blockhash,
    plan: planned,
    before: [deps.programs.memo(intent.id)],
  };
  const draft = compileDraft(deps, input);
  if (planned.units !== null) {
    // The units are known, so the message that is simulated is the one that is signed.
    const { units, tier } = planned;
    const fee = networkFee({ units, marketPrice: price, tier, signatures: draft.signers.length });
    const plan = { ...planned, ...planned.finish?.(fee.totalLamports) };
    const message = compilePlan(deps, { ...input, plan }, fee);
    await judgeSimulation(deps, { ...input, plan }, message, { watched, feeLamports: fee.totalLamports });
    return { message, terms: plan.terms, blockhash };
  }
  const simulation = await deps.chain.simulate(draft.bytes, watched.addresses);
  const { message } = await measured(deps, input, { draft, simulation, watched, marketPrice: price });
  return { message, terms: planned.terms, blockhash };
}

/** The plan by the intent's own kind: params and builder share their key. */
function planOf<K extends IntentKind>(
  plans: PlanBuilders,
  { kind, params }: { readonly kind: K; readonly params: ParamsByKind[K] },
  intent: Intent,
  wallet: Wallet,
  { id, n }: Pick<Attempt, 'id' | 'n'>,
): Promise<TransactionPlan> {
  return plans[kind]({ ...intent, params }, wallet, id, n);
}
