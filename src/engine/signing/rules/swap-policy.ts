import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { PriorityTier } from '../../../modules/settings/rules/settings.ts';
import type { TipTerms } from '../../intents/rules/tip-terms.ts';
import type { LookupTable } from '../../lookup-tables/rules/lookup-table.ts';
import type { AssociatedAddress, HeldAccounts } from './account-book.ts';
import { assertWorth, type ExchangeTerms, judgeExchange } from './judge-exchange.ts';
import { MAX_POOLS, type TipRules } from './kind-policy.ts';
import { deny } from './policy-rule.ts';
import { checkFee, type ReadMessage, readMessage } from './read-message.ts';
import { withoutSwapTip } from './tip-rule.ts';

export type SwapPolicyContext = {
  /** Signs, and pays and receives unless one of the next two is another one. */
  readonly user: Address;
  /** Pays the network and nothing else; null where the trader does. */
  readonly feePayer: Address | null;
  /** Another account that must get the whole output; null where the trader's own does. See `ExchangeTerms`. */
  readonly destination: NonNullable<ExchangeTerms['destination']> | null;
  /** True where wrapped SOL on a side is a token in the trader's own account of it. */
  readonly solAsToken: boolean;
  /** True where the trader asked that the account of the token sold be closed when it is empty. */
  readonly closesSold?: boolean;
  readonly mintIn: Address;
  readonly mintOut: Address;
  /** All that may leave the wallet of `mintIn`, the referrer's part included. */
  readonly amount: bigint;
  /** Tokens that the route passes through. */
  readonly intermediates: readonly Address[];
  /** The amount that must reach the trader, the referrer's part taken off. */
  readonly minOut: bigint;
  /** Where the referrer's part goes; 0 units are not paid at all. */
  readonly referrer: {
    readonly account: Address;
    readonly side: 'in' | 'out';
    readonly units: bigint;
  } | null;
  /** Its tier, and a lower cap on priority where the caller asked for one. */
  readonly priority: { readonly tier: PriorityTier; readonly capLamports: bigint | null };
  /** The tip that the caller asked for; null where none was. */
  readonly tip?: TipTerms | null;
  /** Accounts that a tip may go to; without them no tip is handed out. */
  readonly tips?: TipRules;
  /** Tables that the message may use, as they were read from the chain. */
  readonly lookupTables: readonly LookupTable[];
  /** Programs that this route may call: the venues', or the aggregators' when `byAggregator`. */
  readonly programs: readonly Address[];
  /** True where a route of our own may go through the public router program. */
  readonly routerProgram?: boolean;
  /** True when an aggregator's router made the swap: then the message itself must prove its proceeds. */
  readonly byAggregator: boolean;
  /** As in `PolicyContext`. */
  readonly associated?: AssociatedAddress;
  readonly held?: HeldAccounts;
  /** Rent of a token account, read with `held`; see `openAccountBook`. */
  readonly tokenAccountRent?: bigint;
};

/**
 * The sibling of `assertPolicy` for a swap that another person will sign: it has no intent, its referrer takes the treasury's part, and
 * both sides may be tokens. Deny by default: throws POLICY_DENIED with the rule unless every instruction is one that exactly this swap
 * needs. The signer of an API's answer cannot read it, so a fault of our own assembly, of a venue or of an aggregator must end here.
 */
export function assertSwapPolicy(message: Uint8Array, context: SwapPolicyContext): void {
  const { user, feePayer, destination, solAsToken, amount, minOut, referrer, byAggregator, priority } =
    context;
  const whole = readMessage(message, context.lookupTables);
  const { signers } = whole;
  const own = feePayer === null ? [user] : [feePayer, user];
  if (signers[0] !== own[0] || own.some((one) => !signers.includes(one))) deny('signers');
  // One key per pool of a split may co-sign; beside an aggregator's swap no other key has a reason to.
  if (signers.length > own.length + (byAggregator ? 0 : MAX_POOLS)) deny('signers');
  if (feePayer !== null) checkPayer(whole, { user, feePayer });
  // An aggregator's own call may pay anywhere: no bytes of ours would show to whom.
  if (byAggregator && destination !== null) deny('swap-destination');
  if (byAggregator && solAsToken) deny('swap-wrapped');
  checkFee(whole, priority.tier, priority.capLamports);
  const { tip = null, tips } = context;
  const { actions } = withoutSwapTip(
    whole,
    tip,
    tips === undefined ? { wallet: user } : { wallet: user, tips },
  );
  if (actions.some(({ kind }) => kind === 'memo')) deny('memo');

  const owed = referrer?.units ?? 0n;
  const paysSol = referrer?.side === 'in' || (context.mintOut === WSOL_MINT && !solAsToken);
  // The trader's key moves nothing out of another owner's account, so no part can be taken of what arrives there.
  if (destination !== null && owed > 0n && referrer?.side !== 'in') deny('swap-destination');
  const feeIn = referrer?.side === 'in' ? owed : 0n;
  const terms: ExchangeTerms = {
    ...context,
    wallet: user,
    lamportsTo: paysSol ? (referrer?.account ?? null) : null,
    tokensTo: paysSol ? null : (referrer?.account ?? null),
    venuePrograms: byAggregator ? [] : context.programs,
    aggregatorPrograms: byAggregator ? context.programs : [],
    routerProgram: context.routerProgram === true,
  };
  const exchange = judgeExchange(actions, terms);
  if (exchange.isAlone && signers.length !== own.length) deny('signers');
  if (exchange.lamportsPaid !== (paysSol ? owed : 0n)) deny('sol-amount');
  // A trader who is the referrer too is paid by a transfer of the account to itself.
  const paysSelf = terms.tokensTo !== null && exchange.proved(terms.tokensTo) === context.mintOut;
  if (exchange.tokensPaid !== (paysSol || paysSelf ? 0n : owed)) deny('token-amount');
  assertWorth(exchange, terms, { least: minOut + owed - feeIn, spendable: amount - feeIn });
}

/** The network's fee is all that the payer's signature is for: an instruction that names the payer could spend as the payer. */
function checkPayer(
  { instructions }: Pick<ReadMessage, 'instructions'>,
  { user, feePayer }: { readonly user: Address; readonly feePayer: Address },
): void {
  if (feePayer === user) deny('swap-payer');
  const names = instructions.some(({ accounts }) => accounts.some(({ address }) => address === feePayer));
  if (names) deny('swap-payer');
}
