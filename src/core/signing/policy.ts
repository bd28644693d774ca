import { brokenLaunchRule, isDeskLaunch } from '../../intents/launch/policy.ts';
import type {
  CreateTokenParams,
  IntentParams,
  LaunchParams,
  PrepareTokenParams,
  RevokeAuthorityParams,
} from '../../intents/params.ts';
import type { Address } from '../address/address.ts';
import { assertNever } from '../errors/assert-never.ts';
import type { Instruction } from '../instruction.ts';
import type { Intent } from '../intents/intent.ts';
import type { LookupTable } from '../lookup-tables/lookup-table.ts';
import type { PriorityTier } from '../users/settings.ts';
import type { AssociatedAddress, HeldAccounts } from './account-book.ts';
import { decodeInstruction, type WalletAction } from './decode-instruction.ts';
import { checkPayout, checkWithdrawSol, checkWithdrawToken } from './payment-rules.ts';
import { deny } from './policy-rule.ts';
import { checkFee, isCommon, type ReadMessage, readMessage } from './read-message.ts';
import {
  expectedCreation,
  expectedPreparation,
  expectedRevocation,
  sameInstructions,
} from './token-rules.ts';
import { checkTrade } from './trade-rule.ts';

export type PolicyContext = {
  readonly intent: Intent;
  readonly wallet: Address;
  readonly treasury: Address;
  /** Programs of the configured venues. A trade may call their swaps, in the forms that are known (`swap-forms.ts`). */
  readonly venuePrograms: readonly Address[];
  /** Programs of the aggregators that are switched on. Their swap is signed only with a check of its outcome behind it. */
  readonly aggregatorPrograms?: readonly Address[];
  /** True where routes of our own may go through the public router program. */
  readonly routerProgram?: boolean;
  /** The operator's own tables, as they were written down and as the chain shows them. Trades and launches may use them. */
  readonly lookupTables?: readonly LookupTable[];
  /** Derives the wallet's own accounts; without it a trade sells only from accounts that a transfer of its message names. */
  readonly associated?: AssociatedAddress;
  /** What the accounts are that `accountsToKnow` names, freshly read; without it nothing is signed that only a balance proves. */
  readonly held?: HeldAccounts;
};

/** How one kind of intent is judged, beside the rules that all share. */
type KindRule<P> = {
  /** Who may sign beside the wallet: a new mint for its own account, one key per pool of a split. Nothing else ever. */
  readonly coSigners: number;
  readonly mayLookUp?: true;
  /** `own` are the instructions and actions beside memo and budget. */
  judge(own: OwnPart, params: P, context: PolicyContext): void;
};

type OwnPart = Pick<ReadMessage, 'signers' | 'instructions' | 'actions'>;

/** Pools in one trade. */
export const MAX_POOLS = 5;

/** One rule per kind. A kind that stands nowhere here does not compile, and is not signed. */
const KIND_RULES: { readonly [P in IntentParams as P['kind']]: KindRule<P> } = {
  'withdraw-sol': {
    coSigners: 0,
    judge: ({ actions }, params) => checkWithdrawSol(allowed(actions), params),
  },
  'withdraw-token': {
    coSigners: 0,
    judge: ({ actions }, params, { wallet }) => checkWithdrawToken(allowed(actions), params, wallet),
  },
  payout: { coSigners: 0, judge: ({ actions }, params) => checkPayout(allowed(actions), params) },
  buy: { coSigners: MAX_POOLS, mayLookUp: true, judge: checkTrade },
  sell: { coSigners: MAX_POOLS, mayLookUp: true, judge: checkTrade },
  'prepare-token': { coSigners: 1, judge: checkRebuilt },
  'create-token': { coSigners: 1, judge: checkRebuilt },
  'revoke-authority': { coSigners: 0, judge: checkRebuilt },
  launch: { coSigners: 1, mayLookUp: true, judge: checkLaunch },
};

/**
 * Deny by default: throws POLICY_DENIED with the rule unless every instruction of the message is one that this kind of
 * intent needs, towards the addresses and within the amounts of the intent's row. The bytes are decoded here, so that
 * whoever built them need not be trusted: a venue's or aggregator's answer cannot smuggle in an Assign, a nonce, an
 * authority change, an approval, a close to a stranger or a second payment.
 */
export function assertPolicy(message: Uint8Array, context: PolicyContext): void {
  const { params } = context.intent;
  const rule = ruleOf(params.kind);
  const read = readMessage(message, rule.mayLookUp === true ? context.lookupTables : []);
  checkCommon(read, rule, context);
  const { signers } = read;
  rule.judge(
    {
      signers,
      instructions: read.instructions.filter((instruction) => !isCommon(decodeInstruction(instruction))),
      actions: read.actions.filter((action) => !isCommon(action)),
    },
    params,
    context,
  );
}

/** A row of a kind that this version does not know may come from a newer one, or from whoever writes the database. */
function ruleOf(kind: IntentParams['kind']): KindRule<IntentParams> {
  return Object.hasOwn(KIND_RULES, kind) ? KIND_RULES[kind] : deny('kind');
}

/** Rules of every kind: who signs, the one memo with the intent's id, the fee's cap, nobody else's money or accounts. */
function checkCommon(
  { signers, actions }: ReadMessage,
  { coSigners }: Pick<KindRule<never>, 'coSigners'>,
  { intent, wallet }: PolicyContext,
): void {
  if (signers[0] !== wallet) deny('signers');
  // What a co-signer does with its own accounts is its own affair: every instruction is judged by what it does to the wallet.
  if (signers.length > 1 + coSigners) deny('signers');

  const memos = actions.filter((action) => action.kind === 'memo');
  // Two equal intents on one blockhash would have one signature, and both would count as paid: the id keeps them apart.
  const [memo] = memos;
  if (memos.length !== 1 || memo === undefined || memo.text !== intent.id || memo.signers !== 0) deny('memo');

  checkFee(actions, tierOf(intent.params));
  for (const action of actions) {
    if (action.kind === 'transfer-sol' && action.from !== wallet) deny('sol-source');
    if (action.kind === 'create-associated' && action.payer !== wallet) deny('account-opening');
  }
}

function tierOf(params: Intent['params']): PriorityTier {
  return params.kind === 'payout' ? 'normal' : params.tier;
}

function allowed(actions: readonly WalletAction[]): readonly WalletAction[] {
  return actions.some((action) => action.kind === 'forbidden') ? deny('instruction') : actions;
}

/** A creation or a revocation: exactly the instructions that its row stands for, or nothing. */
function checkRebuilt(
  { instructions: own, signers }: OwnPart,
  params: PrepareTokenParams | CreateTokenParams | RevokeAuthorityParams,
  { wallet, treasury }: PolicyContext,
): void {
  const expected = expectedList(own, params, { wallet, treasury, signers });
  if (expected === null || !sameInstructions(own, expected)) deny('instruction');
}

function expectedList(
  own: readonly Instruction[],
  params: PrepareTokenParams | CreateTokenParams | RevokeAuthorityParams,
  parties: Parameters<typeof expectedCreation>[2],
): readonly Instruction[] | null {
  switch (params.kind) {
    case 'prepare-token':
      return expectedPreparation(own, params, parties);
    case 'create-token':
      return expectedCreation(own, params, parties);
    case 'revoke-authority':
      return expectedRevocation(params, parties.wallet);
    default:
      return assertNever(params);
  }
}

/** A launch: the desk's own list, rebuilt, or a pad's program with nothing beside it that could move more than was agreed. */
function checkLaunch(
  { instructions: own, signers }: OwnPart,
  params: LaunchParams,
  { wallet, treasury, venuePrograms }: PolicyContext,
): void {
  const parties = { wallet, treasury, signers, venuePrograms };
  if (params.program === null) {
    if (!isDeskLaunch(own, params, parties)) deny('instruction');
    return;
  }
  const broken = brokenLaunchRule(own, params, parties);
  if (broken !== null) deny(broken);
}
