import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { WalletAction } from './decode-instruction.ts';
import type { ExchangeFold } from './judge-exchange.ts';
import { assertArrives, isTokenSide } from './order-sides.ts';
import { deny, type PolicyRule } from './policy-rule.ts';
import { brokenRouterRule } from './router-rule.ts';
import type { SwapCall, SwapEnd } from './swap-forms.ts';

type CallAction = Extract<WalletAction, { kind: 'swap-call' | 'router-call' | 'foreign' }>;

/**
 * A call of a program that swaps. A call whose bytes say everything counts by them. Any other call is signed only where it is an
 * aggregator's. It then may have emptied every account that it names. Throws POLICY_DENIED with the rule that is broken.
 */
export function judgeCall(fold: ExchangeFold, action: CallAction): void {
  fold.calls += 1;
  const broken = brokenCallRule(fold, action);
  if (broken === null) count(fold, action);
  else if (fold.terms.aggregatorPrograms.includes(action.programId)) anything(fold, action.writes);
  else deny(broken);
}

function brokenCallRule(fold: ExchangeFold, action: CallAction): PolicyRule | null {
  const { terms } = fold;
  switch (action.kind) {
    case 'swap-call':
      return terms.venuePrograms.includes(action.programId) ? brokenSwapRule(fold, action.call) : 'program';
    case 'router-call':
      return terms.routerProgram ? brokenRouterRule(action.call, fold) : 'program';
    case 'foreign':
      // A venue's program, but no swap of a known form: its effect is unknown.
      return terms.venuePrograms.includes(action.programId) ? 'instruction' : 'program';
  }
}

/** The rule that a venue's swap breaks: its owner, its source, its destination, and the wallet's accounts anywhere else. */
function brokenSwapRule({ terms, tokens, book }: ExchangeFold, call: SwapCall): PolicyRule | null {
  if (call.owner !== terms.wallet) return 'instruction';
  const from = book.spendable(call.source);
  if (from === null || from === terms.mintOut || !tokens.includes(from)) return 'token-source';
  if (isTokenSide(terms, from)) {
    if (call.source === 'lamports') return 'swap-wrapped';
  } else if (from === WSOL_MINT && call.source !== 'lamports' && !book.isWrapped(call.source)) {
    return 'token-source';
  }
  const to = book.proved(call.destination);
  // An order on a book that pays elsewhere is proved by no check.
  if (to === null && call.minOut === null) return 'swap-check';
  if (to === null || to === from || to === terms.mintIn || !tokens.includes(to)) return 'token-destination';
  if (call.idle !== undefined && !isIdle(book, call.idle)) return 'instruction';
  return call.others.some(book.isOwn) ? 'instruction' : null;
}

/** Where a program asks for an account and does not use it, the only account of the wallet is its plain one of wrapped SOL. */
function isIdle({ isOwn, isWrapped, mintOf }: ExchangeFold['book'], account: Address): boolean {
  return !isOwn(account) || (mintOf(account) === WSOL_MINT && !isWrapped(account));
}

/** The movements of a call that was read whole. The rules above checked its tokens. */
function count(fold: ExchangeFold, action: CallAction): void {
  if (action.kind === 'foreign' || action.call === null) return;
  const { source, destination, amountIn, minOut } = action.call;
  const from = fold.book.spendable(source) ?? deny('token-source');
  const to = fold.book.proved(destination) ?? deny('token-destination');
  assertArrives(fold, destination, to);
  if (action.kind === 'router-call') fold.routes += 1;
  if (amountIn === null) empty(fold, source);
  else fold.book.move(source, from, -amountIn);
  if (minOut !== null) fold.book.move(destination, to, minOut);
  else if (destination !== 'lamports') fold.unproved.add(destination);
}

/** An aggregator's call: of the wallet's accounts it may change those of the order alone, and may empty them. */
function anything(fold: ExchangeFold, writes: readonly Address[]): void {
  const { terms, tokens, book } = fold;
  fold.foreign += 1;
  for (const account of writes) {
    if (account === terms.wallet) continue;
    // Without a look at the chain it is unknown which accounts are the wallet's.
    if (terms.held?.has(account) !== true && !book.isWrapped(account)) deny('swap-check');
    if (!book.isOwn(account)) continue;
    const mint = book.mintOf(account);
    if (mint === null || !tokens.includes(mint)) deny('instruction');
    if (mint === WSOL_MINT && !book.isWrapped(account)) deny('instruction');
    empty(fold, account);
  }
  // Only a check that comes after the last of them says anything about it.
  for (const account of book.proofs.keys()) empty(fold, account);
}

/** Charged with its whole content, until a later check proves the rest. */
function empty(fold: ExchangeFold, account: SwapEnd): void {
  if (!fold.book.empty(account)) deny('swap-check');
}
