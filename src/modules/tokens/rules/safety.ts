import type { Address } from '@tradepost/solana';
import { imitatedToken } from './look-alike.ts';
import type { Token } from './token.ts';

/** BLOCK: buying needs an explicit confirmation of this mint. Selling is never blocked by any level. */
export type SafetyLevel = 'OK' | 'CAREFUL' | 'BLOCK';

/** One fact about a token that its holder should know. `NOTE` does not raise the level. */
export type SafetyWarning =
  | { readonly code: 'PERMANENT_DELEGATE'; readonly severity: 'BLOCK'; readonly delegate: Address }
  | { readonly code: 'TRANSFER_HOOK'; readonly severity: 'BLOCK'; readonly program: Address }
  | { readonly code: 'DEFAULT_FROZEN'; readonly severity: 'BLOCK' }
  | { readonly code: 'NON_TRANSFERABLE'; readonly severity: 'BLOCK' }
  /** A rehearsed sale was refused on the chain's present state. */
  | { readonly code: 'CANNOT_SELL'; readonly severity: 'BLOCK' }
  /** A rehearsed purchase was refused. */
  | { readonly code: 'CANNOT_BUY'; readonly severity: 'CAREFUL' }
  | { readonly code: 'POOR_EXIT'; readonly severity: 'CAREFUL'; readonly returnedBps: number }
  | { readonly code: 'MINT_AUTHORITY_LIVE'; readonly severity: 'CAREFUL' }
  | { readonly code: 'FREEZE_AUTHORITY_LIVE'; readonly severity: 'CAREFUL' }
  | {
      readonly code: 'TRANSFER_FEE';
      /** CAREFUL above 10 %, now or scheduled, and where an authority can raise it. */
      readonly severity: 'NOTE' | 'CAREFUL';
      /** The rate of this epoch. */
      readonly bps: number;
      /** The rate that a scheduled change brings, when it is another. */
      readonly nextBps: number | null;
      /** An authority can still change it. */
      readonly changeable: boolean;
    }
  | { readonly code: 'MINT_CLOSE_AUTHORITY'; readonly severity: 'CAREFUL' }
  | { readonly code: 'PAUSABLE'; readonly severity: 'CAREFUL' }
  /** Nothing of it moves until its issuer ends the pause. */
  | { readonly code: 'PAUSED'; readonly severity: 'BLOCK' }
  | { readonly code: 'CONFIDENTIAL_TRANSFER'; readonly severity: 'CAREFUL' }
  | { readonly code: 'INTEREST_BEARING'; readonly severity: 'NOTE' }
  | { readonly code: 'SCALED_AMOUNTS'; readonly severity: 'NOTE' }
  /** Its name, picture and links can become others; the units held stay the same. */
  | { readonly code: 'METADATA_CHANGEABLE'; readonly severity: 'NOTE' }
  /** Few hands hold much of it: `largestBps` is the largest account's part. */
  | {
      readonly code: 'CONCENTRATED';
      readonly severity: 'NOTE' | 'CAREFUL';
      readonly top10Bps: number;
      readonly largestBps: number;
    }
  | { readonly code: 'SAME_SYMBOL'; readonly severity: 'CAREFUL'; readonly mint: Address }
  /** No source shows that it is a day old. */
  | { readonly code: 'YOUNG'; readonly severity: 'CAREFUL' }
  | { readonly code: 'SMALL'; readonly severity: 'CAREFUL'; readonly liquidityUsd: number }
  | { readonly code: 'FEW_HOLDERS'; readonly severity: 'CAREFUL'; readonly holders: number }
  | {
      readonly code: 'NOT_ENOUGH_KNOWN';
      readonly severity: 'CAREFUL';
      readonly unknown: readonly UnknownFact[];
    };

/** The facts of a market that could not be found out. */
export type UnknownFact = 'age' | 'liquidity' | 'holders' | 'exit';

export type TokenSafety = { readonly level: SafetyLevel; readonly warnings: readonly SafetyWarning[] };

/** A token whose ticker others imitate. */
export type WellKnownToken = { readonly symbol: string; readonly mint: Address };

/** The result of a rehearsed purchase and sale. */
export type Exit =
  | { readonly kind: 'sold'; readonly spentLamports: bigint; readonly returnedLamports: bigint }
  | { readonly kind: 'cannot-buy' }
  | { readonly kind: 'cannot-sell' }
  /** It could not be tried: nothing is known. */
  | { readonly kind: 'unchecked' };

const HIGH_FEE_BPS = 1_000;
/** Of the amount paid: below this, the way out costs more than fees explain. */
const GOOD_EXIT_BPS = 9_000;

/**
 * The powers that the mint itself gives its authors over a holder, gravest first. Says "no problem found by these checks" at most: it knows
 * nothing of liquidity, holders or intentions. Source of truth: the mint account; money.md §8.1.
 */
export function tokenSafety(
  token: Token,
  context: { readonly epoch: bigint; readonly wellKnown: readonly WellKnownToken[] },
): TokenSafety {
  const { extensions } = token;
  const warnings: SafetyWarning[] = [];
  if (extensions.permanentDelegate !== null) {
    warnings.push({ code: 'PERMANENT_DELEGATE', severity: 'BLOCK', delegate: extensions.permanentDelegate });
  }
  if (extensions.transferHook !== null) {
    warnings.push({ code: 'TRANSFER_HOOK', severity: 'BLOCK', program: extensions.transferHook });
  }
  if (extensions.defaultFrozen) warnings.push({ code: 'DEFAULT_FROZEN', severity: 'BLOCK' });
  if (extensions.nonTransferable) warnings.push({ code: 'NON_TRANSFERABLE', severity: 'BLOCK' });
  if (extensions.paused === true) warnings.push({ code: 'PAUSED', severity: 'BLOCK' });
  const imitated = imitatedToken(token, context.wellKnown);
  if (imitated !== null) warnings.push({ code: 'SAME_SYMBOL', severity: 'CAREFUL', mint: imitated });
  if (token.mintAuthority !== null) warnings.push({ code: 'MINT_AUTHORITY_LIVE', severity: 'CAREFUL' });
  if (token.freezeAuthority !== null) warnings.push({ code: 'FREEZE_AUTHORITY_LIVE', severity: 'CAREFUL' });
  const fee = feeWarning(token, context.epoch);
  if (fee !== null) warnings.push(fee);
  if (extensions.mintCloseAuthority !== null) {
    warnings.push({ code: 'MINT_CLOSE_AUTHORITY', severity: 'CAREFUL' });
  }
  if (extensions.pausable) warnings.push({ code: 'PAUSABLE', severity: 'CAREFUL' });
  if (extensions.confidentialTransfer) warnings.push({ code: 'CONFIDENTIAL_TRANSFER', severity: 'CAREFUL' });
  if (extensions.interestBearing) warnings.push({ code: 'INTEREST_BEARING', severity: 'NOTE' });
  if (extensions.scaledAmounts === true) warnings.push({ code: 'SCALED_AMOUNTS', severity: 'NOTE' });
  if ((token.updateAuthority ?? null) !== null) {
    warnings.push({ code: 'METADATA_CHANGEABLE', severity: 'NOTE' });
  }
  return { level: levelOf(warnings), warnings };
}

/** The same with the result of the rehearsal, which goes first: it happened, while the others only could. */
export function withExit(safety: TokenSafety, exit: Exit | undefined): TokenSafety {
  const warning = exit === undefined ? null : exitWarning(exit);
  if (warning === null) return safety;
  const warnings = [warning, ...safety.warnings];
  return { level: levelOf(warnings), warnings };
}

function exitWarning(exit: Exit): SafetyWarning | null {
  switch (exit.kind) {
    case 'cannot-sell':
      return { code: 'CANNOT_SELL', severity: 'BLOCK' };
    case 'cannot-buy':
      return { code: 'CANNOT_BUY', severity: 'CAREFUL' };
    case 'unchecked':
      return null;
    case 'sold': {
      const returnedBps = Number((exit.returnedLamports * 10_000n) / exit.spentLamports);
      return returnedBps < GOOD_EXIT_BPS ? { code: 'POOR_EXIT', severity: 'CAREFUL', returnedBps } : null;
    }
  }
}

/** The gravest of the findings. */
export function levelOf(warnings: readonly SafetyWarning[]): SafetyLevel {
  if (warnings.some((warning) => warning.severity === 'BLOCK')) return 'BLOCK';
  return warnings.some((warning) => warning.severity === 'CAREFUL') ? 'CAREFUL' : 'OK';
}

function feeWarning(token: Token, epoch: bigint): SafetyWarning | null {
  const schedule = token.extensions.transferFee;
  if (schedule === null) return null;
  const scheduled = epoch < schedule.newerEpoch;
  const { bps } = scheduled ? schedule.older : schedule.newer;
  const nextBps = scheduled && schedule.newer.bps !== bps ? schedule.newer.bps : null;
  const changeable = schedule.authority !== null;
  if (bps === 0 && nextBps === null && !changeable) return null;
  const severity = changeable || Math.max(bps, nextBps ?? 0) > HIGH_FEE_BPS ? 'CAREFUL' : 'NOTE';
  return { code: 'TRANSFER_FEE', severity, bps, nextBps, changeable };
}
