import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { DecodedRouteCall } from '../../../modules/trading/rules/router-program/route-call.ts';
import type { AccountBook } from './account-book.ts';
import type { PolicyRule } from './policy-rule.ts';

export type RouterTerms = {
  readonly terms: {
    readonly wallet: Address;
    readonly mintIn: Address;
    readonly mintOut: Address;
    /** Tokens that may be in the middle. */
    readonly intermediates: readonly Address[];
    /** Programs of the venues that may be steps. */
    readonly venuePrograms: readonly Address[];
    /** As in `ExchangeTerms`. */
    readonly solAsToken?: boolean;
  };
  readonly book: Pick<AccountBook, 'proofs' | 'spendable' | 'isWrapped' | 'isOwn'>;
};

/**
 * The rule that a call of the router program breaks, or null. The program itself believes its head and measures the outcome on any account
 * that its last step names, so here every place is checked: each step spends from and pays into one account per token; the first holds the
 * sold token. Those of the bought token and of the middle are proved to be the wallet's own, for the agreed mints; the wallet and its
 * accounts occur nowhere else. The caller compares how much may be spent, and the least.
 */
export function brokenRouterRule(
  call: DecodedRouteCall | null,
  { terms, book }: RouterTerms,
): PolicyRule | null {
  const { wallet, mintIn, mintOut, intermediates, venuePrograms, solAsToken = false } = terms;
  const own = book.proofs;
  // Not a plan of our own making: another instruction, an unknown step, a fee, accounts that are none of its steps'.
  if (call === null) return 'instruction';
  if (call.owner !== wallet || call.steps.some(({ owner }) => owner !== wallet)) return 'instruction';
  if (call.steps.some(({ variant }) => !venuePrograms.includes(variant.program))) return 'program';

  const bought = Math.max(...call.steps.map(({ output }) => output));
  const accounts = new Map<number, Address>([
    [0, call.source],
    [bought, call.destination],
  ]);
  for (const { input, output, source, destination } of call.steps) {
    for (const [token, account] of [
      [input, source],
      [output, destination],
    ] as const) {
      const known = accounts.get(token);
      if (known === undefined) accounts.set(token, account);
      else if (known !== account) return 'token-destination';
    }
  }
  if (new Set(accounts.values()).size !== accounts.size) return 'token-destination';

  if (call.mintOut !== mintOut || own.get(call.destination) !== mintOut) return 'token-destination';
  // SOL is spent from the account that this message wrapped it into, a token from one that is proved to hold it.
  if (mintIn === WSOL_MINT && !solAsToken && !book.isWrapped(call.source)) return 'instruction';
  if (book.spendable(call.source) !== mintIn) return 'token-source';
  const passed = [...accounts].filter(([token]) => token !== 0 && token !== bought);
  const mints = passed.map(([, account]) => own.get(account));
  if (mints.some((mint) => mint === undefined || mint === mintIn || mint === mintOut)) {
    return 'token-destination';
  }
  if (mints.some((mint) => mint !== undefined && !intermediates.includes(mint))) return 'token-destination';
  const named = new Set<Address>(accounts.values());
  return call.steps.some(({ others }) => others.some((one) => named.has(one) || book.isOwn(one)))
    ? 'instruction'
    : null;
}
