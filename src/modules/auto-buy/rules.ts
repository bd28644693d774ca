import { isAddress } from '@tradepost/solana';
import type { SafetyLevel } from '../tokens/rules/safety.ts';

/** Buying at once when a token's address is pasted. A person's own choice; off unless they turned it on. */
export type AutoBuy = {
  readonly on: boolean;
  /** Of one purchase. */
  readonly lamports: bigint;
  /** Of all of them within 24 hours. */
  readonly dayLamports: bigint;
  /** How much one may move the price, in bps. */
  readonly maxImpactBps: number;
};

export const AUTO_BUY_OFF: AutoBuy = {
  on: false,
  lamports: 100_000_000n,
  dayLamports: 1_000_000_000n,
  maxImpactBps: 500,
};

export const AUTO_BUY_IMPACTS_BPS = [100, 300, 500] as const;
export const AUTO_BUY_WINDOW_MS = 86_400_000;

/** The key of an intent without a question to the person. `update` names the message: the same one again is the same purchase. */
export const autoBuyKey = (update: string): string => `${AUTO_BUY_PREFIX}${update}`;
export const AUTO_BUY_PREFIX = 'auto-';
export const isAutoBuy = (idemKey: string): boolean => idemKey.startsWith(AUTO_BUY_PREFIX);

/** Why a pasted token is shown and not bought. */
export type AutoBuyRefusal =
  | 'not-exact'
  | 'borrowed'
  | 'late'
  | 'bought-before'
  | 'warned'
  | 'impact'
  | 'day'
  | 'cap'
  | 'sending-down'
  | 'pin';

/**
 * The one address that a message is, or that the link it is leads to. Null for a sentence, several words, or an address in it that is
 * another: an address pasted in passing is no order.
 */
export function exactMint(text: string): string | null {
  const given = text.trim();
  if (given === '' || /\s/.test(given) || given.length > 300) return null;
  const words = given.match(/[1-9A-HJ-NP-Za-km-z]{32,}/g) ?? [];
  const [only, ...others] = [...new Set(words.filter(isAddress))];
  return only === undefined || others.length > 0 || words.length > 1 ? null : only;
}

export type AutoBuyFacts = {
  readonly setting: AutoBuy;
  /** The message is exactly the mint, or a link with exactly it. */
  readonly isExact: boolean;
  readonly isBorrowed: boolean;
  /** It waited while the bot was away: the price it was sent for is gone. */
  readonly isLate: boolean;
  /** This token, by hand or not, within 24 hours. */
  readonly boughtBefore: boolean;
  readonly safety: SafetyLevel;
  readonly impactBps: number;
  /** Lamports of purchases like this one within 24 hours. */
  readonly spentToday: bigint;
  /** Lamports of everything that was bought without a tap within 24 hours, orders too, and the most of it. */
  readonly spentUnasked: bigint;
  readonly capUnasked: bigint;
  readonly needsPin: boolean;
};

/** The first reason against buying without a question, or null. This never refuses a purchase by a tap. */
export function judgeAutoBuy(facts: AutoBuyFacts): AutoBuyRefusal | null {
  const { lamports, dayLamports, maxImpactBps } = facts.setting;
  if (!facts.isExact) return 'not-exact';
  if (facts.isBorrowed) return 'borrowed';
  if (facts.isLate) return 'late';
  if (facts.boughtBefore) return 'bought-before';
  if (facts.safety !== 'OK') return 'warned';
  // Written so that NaN is refused.
  if (!(facts.impactBps <= maxImpactBps)) return 'impact';
  if (facts.spentToday + lamports > dayLamports) return 'day';
  if (facts.spentUnasked + lamports > facts.capUnasked) return 'cap';
  return facts.needsPin ? 'pin' : null;
}
