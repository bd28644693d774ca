import type { Address } from '../address/address.ts';
import { ROUTER_PROGRAM, WSOL_MINT } from '../address/programs.ts';
import { divCeil } from '../amounts/rounding.ts';
import { AppError } from '../errors/app-error.ts';
import type { Instruction } from '../instruction.ts';
import type { Intent } from '../intents/intent.ts';
import {
  type BuyParams,
  type CreateTokenParams,
  type LaunchParams,
  middlesOfTerms,
  type PayoutParams,
  type PrepareTokenParams,
  type RevokeAuthorityParams,
  type SellParams,
  type WithdrawSolParams,
  type WithdrawTokenParams,
} from '../intents/params.ts';
import type { LookupTable } from '../lookup-tables/lookup-table.ts';
import type { DecodedRouteCall } from '../swap/router-program/route-call.ts';
import { PRIORITY_TIERS, type PriorityTier } from '../users/settings.ts';
import { decodeInstruction, type WalletAction } from './decode-instruction.ts';
import { decodeMessage, UndecodableMessageError } from './decode-message.ts';
import { brokenLaunchRule, isDeskLaunch } from './launch-rule.ts';
import { brokenRouterRule } from './router-rule.ts';
import {
  expectedCreation,
  expectedPreparation,
  expectedRevocation,
  sameInstructions,
} from './token-rules.ts';
import { opensForWrapping, wrapsInto } from './wrapped-account.ts';

export type PolicyContext = {
  readonly intent: Intent;
  readonly wallet: Address;
  readonly treasury: Address;
  /** Programs of the configured venues. What they do with a trade's accounts is bounded by the simulation, not here. */
  readonly venuePrograms: readonly Address[];
  /** Programs of the aggregators that are switched on. Their swap is signed only with a check of its outcome behind it. */
  readonly aggregatorPrograms?: readonly Address[];
  /** True where routes of our own may go through the public router program. */
  readonly routerProgram?: boolean;
  /** The operator's own tables, as they were written down and as the chain shows them. Trades and launches may use them. */
  readonly lookupTables?: readonly LookupTable[];
};

/** Every rule, by the name that POLICY_DENIED carries. */
export type PolicyRule =
  | 'message'
  | 'signers'
  | 'memo'
  | 'compute-budget'
  | 'priority-fee'
  | 'program'
  | 'instruction'
  | 'sol-source'
  | 'sol-destination'
  | 'sol-amount'
  | 'token-destination'
  | 'token-amount'
  | 'account-opening'
  | 'account-closing'
  | 'swap-check';

/** Rent of a token account stays well below this; a wrapped-SOL account may hold that much beyond the traded amount. */
export const RENT_ALLOWANCE = 5_000_000n;
/** Pools in one trade. */
export const MAX_POOLS = 5;
const DEFAULT_UNITS_PER_INSTRUCTION = 200_000n;

/**
 * Deny by default: throws POLICY_DENIED with the rule unless every instruction of the message is one that this kind of
 * intent needs, towards the addresses and within the amounts of the intent's row. The bytes are decoded here, so that
 * whoever built them need not be trusted: a venue's or aggregator's answer cannot smuggle in an Assign, a nonce, an
 * authority change, an approval, a close to a stranger or a second payment.
 */
export function assertPolicy(message: Uint8Array, context: PolicyContext): void {
  const { params } = context.intent;
  const mayLookUp = params.kind === 'buy' || params.kind === 'sell' || params.kind === 'launch';
  const { signers, actions, instructions } = readMessage(message, mayLookUp ? context.lookupTables : []);
  checkCommon(signers, actions, context);
  if (
    params.kind === 'prepare-token' ||
    params.kind === 'create-token' ||
    params.kind === 'revoke-authority'
  ) {
    checkRebuilt(instructions, signers, params, context);
    return;
  }
  if (params.kind === 'launch') {
    checkLaunch(instructions, signers, params, context);
    return;
  }
  if (actions.some((action) => action.kind === 'forbidden')) deny('instruction');
  switch (params.kind) {
    case 'withdraw-sol':
      checkWithdrawSol(actions, params);
      break;
    case 'withdraw-token':
      checkWithdrawToken(actions, params, context);
      break;
    case 'payout':
      checkPayout(actions, params);
      break;
    case 'buy':
    case 'sell':
      checkTrade(actions, params, context, signers.length);
      break;
  }
}

/** Refuses with the rule's name. */
export function deny(rule: PolicyRule): never {
  throw new AppError('POLICY_DENIED', { rule });
}

/** The message decoded whole, its lookups resolved by `tables` alone. Throws POLICY_DENIED when it cannot be. */
export function readMessage(
  message: Uint8Array,
  tables: readonly LookupTable[] = [],
): {
  readonly signers: readonly Address[];
  readonly actions: readonly WalletAction[];
  readonly instructions: readonly Instruction[];
} {
  try {
    const { signers, instructions } = decodeMessage(message, tables);
    return { signers, actions: instructions.map(decodeInstruction), instructions };
  } catch (error) {
    if (error instanceof UndecodableMessageError) {
      throw new AppError('POLICY_DENIED', { rule: 'message' }, { cause: error });
    }
    throw error;
  }
}

/** Rules of every kind: who signs, the one memo with the intent's id, the fee's cap, nobody else's money or accounts. */
function checkCommon(
  signers: readonly Address[],
  actions: readonly WalletAction[],
  { intent, wallet }: PolicyContext,
): void {
  if (signers[0] !== wallet) deny('signers');
  if (signers.length > 1 + maxCoSigners(intent.params.kind)) deny('signers');

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

/**
 * Venues may co-sign a trade, one key per pool of a split, and a new mint signs for its own account; nothing else ever has a
 * second signer. What a co-signer does with its own accounts is its own affair: every instruction is judged by what it does to
 * the wallet.
 */
function maxCoSigners(kind: Intent['kind']): number {
  if (kind === 'prepare-token' || kind === 'create-token' || kind === 'launch') return 1;
  return kind === 'buy' || kind === 'sell' ? MAX_POOLS : 0;
}

function tierOf(params: Intent['params']): PriorityTier {
  return params.kind === 'payout' ? 'normal' : params.tier;
}

/** One compute budget at most, and a priority fee within the tier's cap. */
export function checkFee(actions: readonly WalletAction[], tier: PriorityTier): void {
  const limits = actions.filter((action) => action.kind === 'compute-limit');
  const prices = actions.filter((action) => action.kind === 'compute-price');
  if (limits.length > 1 || prices.length > 1) deny('compute-budget');
  const units =
    limits[0] === undefined
      ? DEFAULT_UNITS_PER_INSTRUCTION * BigInt(actions.length)
      : BigInt(limits[0].units);
  const price = prices[0]?.microLamports ?? 0n;
  if (divCeil(units * price, 1_000_000n) > PRIORITY_TIERS[tier].capLamports) deny('priority-fee');
}

/** What is left for the kind's own rule after the parts that are alike everywhere. */
function ownActions(actions: readonly WalletAction[]): readonly WalletAction[] {
  return actions.filter((action) => !isCommon(action));
}

/** Memo and budget: what every transaction of ours carries. */
export function isCommon({ kind }: WalletAction): boolean {
  return kind === 'memo' || kind === 'compute-limit' || kind === 'compute-price';
}

/** A creation or a revocation: exactly the instructions that its row stands for, or nothing. */
function checkRebuilt(
  instructions: readonly Instruction[],
  signers: readonly Address[],
  params: PrepareTokenParams | CreateTokenParams | RevokeAuthorityParams,
  { wallet, treasury }: PolicyContext,
): void {
  const own = instructions.filter((instruction) => !isCommon(decodeInstruction(instruction)));
  const parties = { wallet, treasury, signers };
  const expected =
    params.kind === 'revoke-authority'
      ? expectedRevocation(params, wallet)
      : params.kind === 'create-token'
        ? expectedCreation(own, params, parties)
        : expectedPreparation(own, params, parties);
  if (expected === null || !sameInstructions(own, expected)) deny('instruction');
}

/** A launch: the desk's own list, rebuilt, or a pad's program with nothing beside it that could move more than was agreed. */
function checkLaunch(
  instructions: readonly Instruction[],
  signers: readonly Address[],
  params: LaunchParams,
  { wallet, treasury, venuePrograms }: PolicyContext,
): void {
  const own = instructions.filter((instruction) => !isCommon(decodeInstruction(instruction)));
  const parties = { wallet, treasury, signers, venuePrograms };
  if (params.program === null) {
    if (!isDeskLaunch(own, params, parties)) deny('instruction');
    return;
  }
  const broken = brokenLaunchRule(own, params, parties);
  if (broken !== null) deny(broken);
}

function checkWithdrawSol(actions: readonly WalletAction[], params: WithdrawSolParams): void {
  const [transfer, ...rest] = ownActions(actions);
  if (transfer?.kind !== 'transfer-sol' || rest.length > 0) refuseKind(transfer, rest);
  if (transfer.to !== params.destination) deny('sol-destination');
  if (!params.everything && transfer.lamports !== params.lamports) deny('sol-amount');
}

function checkWithdrawToken(
  actions: readonly WalletAction[],
  params: WithdrawTokenParams,
  { wallet }: PolicyContext,
): void {
  let account: Address | null = null;
  let moved = 0n;
  for (const action of ownActions(actions)) {
    if (action.kind === 'create-associated') {
      if (action.owner !== params.destination || action.mint !== params.mint) deny('account-opening');
      if (action.tokenProgram !== params.tokenProgram) deny('account-opening');
      account = action.account;
    } else if (action.kind === 'transfer-token') {
      // The creation above makes the chain itself check that this is the recipient's associated account.
      if (action.destination !== account) deny('token-destination');
      if (action.mint !== params.mint || action.tokenProgram !== params.tokenProgram)
        deny('token-destination');
      if (action.authority !== wallet || action.extraAccounts > 0) deny('instruction');
      moved += action.amount;
    } else refuseKind(action, []);
  }
  if (moved !== params.amount) deny('token-amount');
}

function checkPayout(actions: readonly WalletAction[], params: PayoutParams): void {
  const owed = params.items.map((item) => ({ to: item.recipient, lamports: item.lamports }));
  for (const action of ownActions(actions)) {
    if (action.kind !== 'transfer-sol') refuseKind(action, []);
    const index = owed.findIndex((item) => item.to === action.to);
    if (index < 0) deny('sol-destination');
    const exact = owed.findIndex((item) => item.to === action.to && item.lamports === action.lamports);
    if (exact < 0) deny('sol-amount');
    owed.splice(exact, 1);
  }
  if (owed.length > 0) deny('sol-amount');
}

/**
 * A trade: the fee to the treasury at most as agreed; tokens leave the wallet's accounts at most by the amount in; a
 * wrapped-SOL account is opened for the wallet itself and closed to it again; the rest is the venue's own program. The route
 * may pass through the tokens that the confirmed terms name and no others: the wallet's own associated account of such a
 * token may be opened, and closed to the wallet where the same message opens it (a token program never closes one that
 * holds anything); by transfers no more leaves it than transfers of the message bring in. Where a venue's program has a part
 * in the route its payments are not visible here, and that what was there before stays is for the simulation to show. A call
 * of the router program is either a plan of our own, read whole (`brokenRouterRule`), the only call of the message and with
 * the agreed minimum, or an aggregator's, which needs a check of its outcome behind it.
 */
function checkTrade(
  actions: readonly WalletAction[],
  params: BuyParams | SellParams,
  { wallet, treasury, venuePrograms, aggregatorPrograms = [], routerProgram = false }: PolicyContext,
  signatures: number,
): void {
  const mintIn = params.kind === 'buy' ? WSOL_MINT : params.mint;
  const mintOut = params.kind === 'buy' ? params.mint : WSOL_MINT;
  const middles = middlesOfTerms(params.terms).filter((mint) => mint !== params.mint && mint !== WSOL_MINT);
  const passing = new Map<Address, bigint>(middles.map((mint) => [mint, 0n]));
  const middleAccounts = new Set<Address>();
  const opened = new Set<Address>();
  const initialized = new Set<Address>();
  const closed = new Set<Address>();
  /** Accounts that the message proves to be the wallet's, with their mints. */
  const own = new Map<Address, Address>();
  /** Where orders on a book pay into, until a check behind them says how much. */
  const unproved = new Set<Address>();
  let isForeign = false;
  let routed: DecodedRouteCall | null = null;
  let checked: { readonly account: Address; readonly mint: Address; readonly amount: bigint } | null = null;
  let fee = 0n;
  let funded = 0n;
  let spent = 0n;
  for (const action of ownActions(actions)) {
    switch (action.kind) {
      case 'transfer-sol':
        if (action.to !== treasury) deny('sol-destination');
        fee += action.lamports;
        break;
      case 'create-seeded':
        if (!opensForWrapping(action, wallet)) deny('account-opening');
        opened.add(action.account);
        funded += action.lamports;
        break;
      case 'open-token-account':
        if (!wrapsInto(action, wallet, opened)) deny('account-opening');
        initialized.add(action.account);
        own.set(action.account, WSOL_MINT);
        break;
      case 'create-associated':
        if (action.owner !== wallet || ![params.mint, WSOL_MINT, ...middles].includes(action.mint)) {
          deny('account-opening');
        }
        own.set(action.account, action.mint);
        if (middles.includes(action.mint)) middleAccounts.add(action.account);
        break;
      case 'transfer-token':
        if (action.source === action.destination && action.authority === wallet) {
          // To itself: moves nothing and fails unless the account holds that much. A check of the outcome.
          if (action.extraAccounts > 0) deny('instruction');
          unproved.delete(action.source);
          checked = { account: action.source, mint: action.mint, amount: action.amount };
        } else if (action.authority === wallet) {
          const held = passing.get(action.mint);
          if (held !== undefined) passing.set(action.mint, held - action.amount);
          else if (action.mint !== mintIn) deny('token-destination');
          else spent += action.amount;
        } else if (!own.has(action.destination)) {
          // The venue's side of the exchange must reach an account that is proved to be the wallet's.
          deny('token-destination');
        } else {
          const held = passing.get(action.mint);
          if (held !== undefined) passing.set(action.mint, held + action.amount);
        }
        break;
      case 'close-token-account':
        if (
          action.destination !== wallet ||
          action.authority !== wallet ||
          !(initialized.has(action.account) || middleAccounts.has(action.account))
        ) {
          deny('account-closing');
        }
        closed.add(action.account);
        break;
      case 'take-order':
        if (!venuePrograms.includes(action.programId)) deny('program');
        if (action.owner !== wallet) deny('instruction');
        unproved.add(action.receiver);
        checked = null;
        break;
      case 'router-call': {
        const terms = {
          wallet,
          mintIn,
          mintOut,
          middles,
          programs: venuePrograms,
          own,
          wrapped: initialized,
        };
        const broken = routerProgram ? brokenRouterRule(action.call, terms) : 'program';
        if (broken === null && action.call !== null) {
          if (routed !== null) deny('instruction');
          routed = action.call;
          spent += action.call.amountIn;
        } else if (aggregatorPrograms.includes(action.programId)) isForeign = true;
        else deny(broken ?? 'instruction');
        checked = null;
        break;
      }
      case 'foreign':
        if (aggregatorPrograms.includes(action.programId)) {
          // Only a check that comes after the last of them says anything about it.
          isForeign = true;
          checked = null;
        } else if (!venuePrograms.includes(action.programId)) deny('program');
        break;
      case 'compute-limit':
      case 'compute-price':
      case 'memo':
        break;
      case 'forbidden':
        deny('instruction');
    }
  }
  const least = params.terms.minOut + (params.kind === 'sell' ? fee : 0n);
  const calls = actions.filter(({ kind }) => ['foreign', 'router-call', 'take-order'].includes(kind));
  if (routed !== null && calls.length > 1) deny('instruction');
  if (routed !== null && routed.minOut < least) {
    if (!aggregatorPrograms.includes(ROUTER_PROGRAM)) deny('swap-check');
    isForeign = true;
  }
  // Nobody has a reason to sign beside the wallet there.
  if ((isForeign || routed !== null) && signatures !== 1) deny('signers');
  // An order on a book is proved by a check of the account that it pays into, the whole trade by one of its minimum.
  if (unproved.size > 0) deny('swap-check');
  const isTaken = calls.length > 0 && calls.every((action) => action.kind === 'take-order');
  if (isForeign || isTaken) {
    if (checked === null || checked.mint !== mintOut || checked.amount < least || !own.has(checked.account)) {
      deny('swap-check');
    }
  }
  if (calls.length === 0 && [...passing.values()].some((left) => left < 0n)) deny('token-amount');
  if (fee > params.terms.platformFeeLamports) deny('sol-amount');
  const spendable = params.kind === 'buy' ? params.lamportsIn - fee : params.amountIn;
  if (spent > spendable) deny('token-amount');
  const fundable = (params.kind === 'buy' ? spendable : 0n) + RENT_ALLOWANCE * BigInt(opened.size);
  if (funded > fundable || opened.size > 2) deny('account-opening');
  // What was opened with the wallet's lamports must come back to it within the same transaction.
  for (const account of opened) {
    if (!initialized.has(account)) deny('account-opening');
    if (!closed.has(account)) deny('account-closing');
  }
}

/** Names the rule that an instruction out of place breaks. */
function refuseKind(action: WalletAction | undefined, rest: readonly WalletAction[]): never {
  const odd = action !== undefined && action.kind !== 'transfer-sol' ? action : rest[0];
  deny(odd?.kind === 'foreign' || odd?.kind === 'router-call' ? 'program' : 'instruction');
}
