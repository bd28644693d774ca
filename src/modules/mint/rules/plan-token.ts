import { type Address, MAX_U64 } from '@tradepost/solana';
import { type IsOwnLink, lineProblem, MAX_NAME_BYTES, MAX_SYMBOL_BYTES } from './check-text.ts';
import { planExtensions } from './plan-extensions.ts';
import { planMetadata } from './plan-metadata.ts';
import type { TokenProblem } from './problem.ts';
import { account, type Refuse, wallet } from './refuse.ts';
import type { TokenDraft } from './token-draft.ts';
import type { MetadataSource, TokenSpec } from './token-spec.ts';

export const DEFAULT_DECIMALS = 6;
export const DEFAULT_SUPPLY = '1000000000';
/** One whole token and its fractions must fit a u64 with room for a supply; wallets show no more anyway. */
export const MAX_DECIMALS = 18;

/** The request, checked and complete. */
export type PlannedToken = {
  readonly payer: Address;
  /** The mint that the caller signs for; null = a generated one. */
  readonly newMint: Address | null;
  readonly spec: TokenSpec;
  readonly metadata: MetadataSource;
};

export type TokenPlan =
  | { readonly kind: 'planned'; readonly token: PlannedToken }
  | { readonly kind: 'refused'; readonly problems: readonly TokenProblem[] };

/**
 * Checks a draft against every rule that needs no look at the chain, and fills in the defaults: name = symbol, 6 decimals, 10^9 whole
 * tokens to the payer, mint authority kept, no freeze authority. Either the whole plan or every problem at once, in the order of the
 * fields. `isOwn` says which links are this service's, by http too. Pure.
 */
export function planToken(draft: TokenDraft, isOwn: IsOwnLink = () => false): TokenPlan {
  const problems: TokenProblem[] = [];
  const refuse: Refuse = (problem) => {
    if (problem !== null) problems.push(problem);
  };

  const payer = wallet('payer', draft.payer, refuse);
  const symbol = draft.symbol ?? '';
  if (symbol === '') refuse({ field: 'symbol', code: 'FIELD_REQUIRED' });
  else refuse(lineProblem('symbol', symbol, MAX_SYMBOL_BYTES));
  const newMint = draft.newMint === undefined ? null : wallet('newMint', draft.newMint, refuse);
  if (newMint !== null && draft.newMint === draft.payer) {
    refuse({ field: 'newMint', code: 'ADDRESS_CONFLICT', other: 'payer' });
  }
  const name = draft.name ?? symbol;
  if (draft.name !== undefined) refuse(lineProblem('name', draft.name, MAX_NAME_BYTES));
  const metadata = planMetadata(draft, refuse, isOwn);

  const decimals = draft.decimals ?? DEFAULT_DECIMALS;
  const hasDecimals = Number.isInteger(decimals) && decimals >= 0 && decimals <= MAX_DECIMALS;
  if (!hasDecimals) refuse({ field: 'decimals', code: 'DECIMALS_OUT_OF_RANGE', max: MAX_DECIMALS });
  const supply = planSupply(draft.mintSupply ?? DEFAULT_SUPPLY, hasDecimals ? decimals : 0, refuse);
  const mintTo = planRecipient(draft, payer, refuse);

  const program = draft.program ?? 'token';
  if (program !== 'token' && program !== 'token2022') {
    refuse({ field: 'program', code: 'PROGRAM_UNKNOWN' });
  }
  const extensions = planExtensions(draft, refuse);

  if (problems.length > 0 || payer === null || mintTo === null || supply === null) {
    return { kind: 'refused', problems };
  }
  return {
    kind: 'planned',
    token: {
      payer,
      newMint,
      metadata,
      spec: {
        program: program === 'token2022' ? 'token2022' : 'token',
        name,
        symbol,
        decimals,
        supply,
        mintTo,
        mintAuthority: draft.mintAuthority ?? true,
        freezeAuthority: draft.freezeAuthority ?? false,
        updateAuthority: draft.updateAuthority ?? true,
        extensions,
      },
    },
  };
}

/** The most whole tokens that fit a u64 with these decimals. */
export function maxWholeTokens(decimals: number): bigint {
  return MAX_U64 / 10n ** BigInt(decimals);
}

/** Smallest units of a supply in whole tokens, or null with its problem. */
function planSupply(whole: string, decimals: number, refuse: Refuse): bigint | null {
  if (!/^[1-9][0-9]{0,19}$/.test(whole)) {
    refuse({ field: 'mintSupply', code: 'SUPPLY_INVALID' });
    return null;
  }
  const maxWhole = maxWholeTokens(decimals);
  if (BigInt(whole) > maxWhole) {
    refuse({ field: 'mintSupply', code: 'SUPPLY_TOO_LARGE', maxWhole, decimals });
    return null;
  }
  return BigInt(whole) * 10n ** BigInt(decimals);
}

/** The receiver of the supply: any wallet or program, but not the mint itself. */
function planRecipient(draft: TokenDraft, payer: Address | null, refuse: Refuse): Address | null {
  const field = 'mintToPubkey';
  const given = draft.mintToPubkey;
  if (given === undefined) {
    if (draft.mintSupply !== undefined) refuse({ field, code: 'MINT_TO_REQUIRED' });
    return payer;
  }
  if (given === draft.newMint) refuse({ field, code: 'ADDRESS_CONFLICT', other: 'newMint' });
  return account(field, given, refuse);
}
