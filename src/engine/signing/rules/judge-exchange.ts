import { type Address, WSOL_MINT } from '@tradepost/solana';
import { assertNever } from '../../../core/errors/assert-never.ts';
import {
  type AccountBook,
  type AssociatedAddress,
  type HeldAccounts,
  openAccountBook,
} from './account-book.ts';
import type { WalletAction } from './decode-instruction.ts';
import { judgeCall } from './judge-call.ts';
import { assertArrives, isTokenSide } from './order-sides.ts';
import { deny } from './policy-rule.ts';
import { opensForWrapping, wrapsInto } from './wrapped-account.ts';

/** Rent of a token account stays well below this; a wrapped-SOL account may be opened with that much beyond the amount. */
const RENT_ALLOWANCE = 5_000_000n;
/** One that wraps, and one of a venue that takes lamports and not wrapped ones. */
const MOST_OPENINGS = 2;

/** The limits of one exchange of a wallet's, for any requester. */
export type ExchangeTerms = {
  readonly wallet: Address;
  readonly mintIn: Address;
  readonly mintOut: Address;
  /** Tokens that the route may pass through. */
  readonly intermediates: readonly Address[];
  /** The account that may receive lamports (the treasury, a referrer). `tokensTo`: the one that may receive units of the bought token. */
  readonly lamportsTo: Address | null;
  /** Whether the account of the sold token may be closed after the sale. */
  readonly closesSold?: boolean;
  readonly tokensTo: Address | null;
  /**
   * Where everything that is bought must arrive, in place of an account of the wallet's. `owner`: whose associated account it is, which the
   * message may open; null where it must be there already.
   */
  readonly destination?: { readonly account: Address; readonly owner: Address | null } | null;
  /** True where wrapped SOL on a side is a token in the wallet's own account: nothing is wrapped, and no lamports are spent or gained. */
  readonly solAsToken?: boolean;
  /** Programs whose swaps may be called, each in a form that is known. */
  readonly venuePrograms: readonly Address[];
  /** Programs that may be called in any form, with a check of the outcome behind. */
  readonly aggregatorPrograms: readonly Address[];
  readonly routerProgram: boolean;
  readonly associated?: AssociatedAddress;
  readonly held?: HeldAccounts;
  /** Rent of a token account, read with `held`; see `openAccountBook`. */
  readonly tokenAccountRent?: bigint;
};

/** The effect of the message, proved by its bytes alone. */
export type Exchange = {
  readonly lamportsPaid: bigint;
  readonly tokensPaid: bigint;
  /** Lamports that accounts for wrapping were opened with, and how many those are. */
  readonly funded: bigint;
  readonly openings: number;
  /** Calls of any program that swaps. */
  readonly calls: number;
  /** True where no second key has a reason to sign beside the wallet. */
  readonly isAlone: boolean;
  /** As in `AccountBook`. */
  readonly net: AccountBook['net'];
  readonly proved: AccountBook['proved'];
};

/** The knowledge so far of a message. */
export type ExchangeFold = {
  readonly terms: ExchangeTerms;
  readonly book: AccountBook;
  /** The two ends of the exchange and all that it may pass through. */
  readonly tokens: readonly Address[];
  /** Intermediate tokens that have an associated account of the wallet's; SOL passes through one that wraps. */
  readonly passing: readonly Address[];
  /** Accounts for wrapping that were created and not initialized, by their lamports, and those that are open. */
  readonly created: Map<Address, bigint>;
  readonly open: Set<Address>;
  /** Where orders without a minimum pay into, until a check behind them says how much. */
  readonly unproved: Set<Address>;
  lamportsPaid: bigint;
  tokensPaid: bigint;
  funded: bigint;
  openings: number;
  /** Calls of programs that swap: all, those of the router program that were read whole, and those of unknown programs. */
  calls: number;
  routes: number;
  foreign: number;
};

/**
 * Goes over a message's instructions and proves by them alone the wallet's possible loss and its sure gain. Each account that is spent from
 * is the wallet's and holds a token of the order. Venues pay to accounts that the message proves to be the wallet's own, and amounts are
 * those that the chain enforces. A swap whose bytes show no amount is an order on a book or an aggregator's call. It may empty every
 * account that it names, unless a later check proves the rest. The amount that such a check finds counts only as far as it exceeds the
 * account's earlier content. Throws POLICY_DENIED with the rule for each instruction that no exchange needs. Whether the sums are enough is
 * for the caller to compare.
 */
export function judgeExchange(actions: readonly WalletAction[], terms: ExchangeTerms): Exchange {
  const { mintIn, mintOut } = terms;
  const passing = terms.intermediates.filter((mint) => ![mintIn, mintOut, WSOL_MINT].includes(mint));
  const solAsToken = isTokenSide(terms, mintIn) || isTokenSide(terms, mintOut);
  const fold: ExchangeFold = {
    terms,
    passing,
    tokens: [mintIn, mintOut, ...terms.intermediates],
    book: openAccountBook({ ...terms, mints: [mintIn, ...passing], solAsToken }),
    created: new Map(),
    open: new Set(),
    unproved: new Set(),
    lamportsPaid: 0n,
    tokensPaid: 0n,
    funded: 0n,
    openings: 0,
    calls: 0,
    routes: 0,
    foreign: 0,
  };
  if (terms.destination) fold.book.prove(terms.destination.account, mintOut);
  for (const action of actions) {
    if (action.kind === 'transfer-token' && action.authority === terms.wallet) {
      fold.book.name(action.source, action.mint);
    }
  }
  for (const action of actions) take(fold, action);
  return closed(fold);
}

function take(fold: ExchangeFold, action: WalletAction): void {
  switch (action.kind) {
    case 'compute-limit':
    case 'compute-price':
    case 'memo':
      break;
    case 'transfer-sol':
      paySol(fold, action);
      break;
    case 'create-seeded':
      createAccount(fold, action);
      break;
    case 'open-token-account':
      initialize(fold, action);
      break;
    case 'create-associated':
      openAssociated(fold, action);
      break;
    case 'close-token-account':
      closeAccount(fold, action);
      break;
    case 'harvest-fees':
      harvest(fold, action);
      break;
    case 'transfer-token':
      if (action.authority !== fold.terms.wallet) receive(fold, action);
      else if (action.source === action.destination) check(fold, action);
      else spend(fold, action);
      break;
    case 'swap-call':
    case 'router-call':
    case 'foreign':
      judgeCall(fold, action);
      break;
    case 'withdraw-excess':
    case 'forbidden':
      deny('instruction');
      break;
    default:
      assertNever(action);
  }
}

type Of<K extends WalletAction['kind']> = Extract<WalletAction, { kind: K }>;

function paySol(fold: ExchangeFold, { from, to, lamports }: Of<'transfer-sol'>): void {
  if (from !== fold.terms.wallet) deny('sol-source');
  if (to !== fold.terms.lamportsTo) deny('sol-destination');
  fold.lamportsPaid += lamports;
}

function createAccount(fold: ExchangeFold, action: Of<'create-seeded'>): void {
  if (!opensForWrapping(action, fold.terms.wallet)) deny('account-opening');
  if (isTokenSide(fold.terms, WSOL_MINT)) deny('swap-wrapped');
  fold.created.set(action.account, action.lamports);
  fold.funded += action.lamports;
  fold.openings += 1;
}

function initialize(fold: ExchangeFold, action: Of<'open-token-account'>): void {
  const lamports = fold.created.get(action.account) ?? deny('account-opening');
  if (!wrapsInto(action, fold.terms.wallet)) deny('account-opening');
  fold.created.delete(action.account);
  fold.open.add(action.account);
  fold.book.wrap(action.account, lamports);
}

function openAssociated({ terms, passing, book }: ExchangeFold, action: Of<'create-associated'>): void {
  if (action.payer !== terms.wallet) deny('account-opening');
  if (terms.destination && action.mint === terms.mintOut) {
    const { account, owner } = terms.destination;
    if (action.account !== account || action.owner !== owner) deny('swap-destination');
    return;
  }
  if (action.owner !== terms.wallet) deny('account-opening');
  if (action.mint === WSOL_MINT && !isTokenSide(terms, WSOL_MINT)) deny('account-opening');
  if (![terms.mintOut, ...passing].includes(action.mint)) deny('account-opening');
  book.prove(action.account, action.mint);
}

/**
 * Closes only accounts that this message opened: a wrapped-SOL account, or one of the middle, in which a program leaves nothing behind.
 * Where the terms say so it also closes the account of the sold token, which the token program closes only when it is empty.
 */
function closeAccount({ terms, passing, open, book }: ExchangeFold, action: Of<'close-token-account'>): void {
  const { account, destination, authority } = action;
  const mint = book.proved(account);
  const isSold =
    terms.closesSold === true && terms.mintIn !== WSOL_MINT && book.spendable(account) === terms.mintIn;
  const isOurs = open.has(account) || isSold || (mint !== null && passing.includes(mint));
  if (!isOurs || destination !== terms.wallet || authority !== terms.wallet) deny('account-closing');
  open.delete(account);
  book.close(account);
}

/** Only of the sold token's account, and only where the terms let a sale close it: the fees of others are not our business. */
function harvest({ terms, book }: ExchangeFold, { mint, accounts }: Of<'harvest-fees'>): void {
  const [account] = accounts;
  if (terms.closesSold !== true || account === undefined || accounts.length !== 1) deny('instruction');
  if (mint !== terms.mintIn || book.spendable(account) !== mint) deny('instruction');
}

/** The other side of the exchange: it must reach an account that is proved to be the wallet's, and not come from one. */
function receive(fold: ExchangeFold, action: Of<'transfer-token'>): void {
  const { book } = fold;
  if (book.proved(action.destination) !== action.mint) deny('token-destination');
  if (book.isOwn(action.source)) deny('token-source');
  assertArrives(fold, action.destination, action.mint);
  book.move(action.destination, action.mint, action.amount);
}

/** To itself: moves nothing and fails unless the account holds that much. */
function check({ book, unproved }: ExchangeFold, action: Of<'transfer-token'>): void {
  if (action.extraAccounts > 0) deny('instruction');
  unproved.delete(action.source);
  book.holds(action.source, action.mint, action.amount);
}

function spend(fold: ExchangeFold, action: Of<'transfer-token'>): void {
  const { terms, book, passing } = fold;
  const { source, destination, mint, amount } = action;
  if (action.extraAccounts > 0) deny('instruction');
  if (book.isOthers(source) && book.proved(destination) === mint) {
    receive(fold, action);
    return;
  }
  const isInside = book.proved(destination) === WSOL_MINT && mint === WSOL_MINT;
  if (mint === WSOL_MINT && !book.isWrapped(source) && !isTokenSide(terms, mint)) {
    // The wallet's own wrapped SOL is no part of any order; joined to the SOL wrapped for this one it would be spent.
    deny(isInside ? 'token-amount' : 'token-destination');
  }
  if (isInside) {
    book.move(source, mint, -amount);
    book.move(destination, mint, amount);
  } else if (mint === terms.mintOut) {
    if (destination !== terms.tokensTo) deny('token-destination');
    fold.tokensPaid += amount;
  } else {
    if (mint !== terms.mintIn && mint !== WSOL_MINT && !passing.includes(mint)) deny('token-destination');
    book.move(source, mint, -amount);
  }
}

/** The checks that need the whole message. */
function closed(fold: ExchangeFold): Exchange {
  const { book, calls, routes, foreign } = fold;
  if (routes > 0 && calls > 1) deny('instruction');
  if (fold.unproved.size > 0) deny('swap-check');
  // Accounts opened with the wallet's lamports return them to it within the same transaction.
  if (fold.created.size > 0 || fold.openings > MOST_OPENINGS) deny('account-opening');
  if (fold.open.size > 0) deny('account-closing');
  return {
    lamportsPaid: fold.lamportsPaid,
    tokensPaid: fold.tokensPaid,
    funded: fold.funded,
    openings: fold.openings,
    calls,
    isAlone: routes + foreign > 0,
    net: book.net,
    proved: book.proved,
  };
}

/**
 * Throws POLICY_DENIED unless the exchange is worth it. It must bring at least `least` of the bought token for at most `spendable` of the
 * sold one. It must take nothing of any other token, and wrap no more than is sold.
 */
export function assertWorth(
  { net, calls, funded, openings }: Exchange,
  { mintIn, mintOut, intermediates }: ExchangeTerms,
  { least, spendable }: { readonly least: bigint; readonly spendable: bigint },
): void {
  if (net(mintOut) < least) deny(calls > 0 ? 'swap-check' : 'token-amount');
  if (-net(mintIn) > spendable) deny('token-amount');
  const others = [...intermediates, WSOL_MINT].filter((mint) => mint !== mintIn && mint !== mintOut);
  if (others.some((mint) => net(mint) < 0n)) deny('token-amount');
  const fundable = (mintIn === WSOL_MINT ? spendable : 0n) + RENT_ALLOWANCE * BigInt(openings);
  if (funded > fundable) deny('account-opening');
}
