import type { Address } from '@tradepost/solana';
import type { ExitSet } from '../../settings/rules/exit-set.ts';
import type { SafetyWarning } from '../../tokens/rules/safety.ts';

/** Of each purchase: a sum of its own, or a part of the leader's, 1 to 100 percent. */
export type CopySize =
  | { readonly kind: 'fixed'; readonly lamports: bigint }
  | { readonly kind: 'share'; readonly percent: number };

/** The terms of a copy that a person agreed to. Sums are lamports, network fees not counted. */
export type CopyRules = {
  readonly size: CopySize;
  /** The most of one purchase, of all within 24 hours, and of all. */
  readonly tradeLamports: bigint;
  readonly dayLamports: bigint;
  readonly totalLamports: bigint;
  /** Purchases of the leader below it are not copied; 0 = all. */
  readonly leastLamports: bigint;
  /** Each purchase of a token; otherwise the first one alone. */
  readonly each: boolean;
  /** Tokens that are less than a day old, too. */
  readonly young: boolean;
  /** Warnings about a token that were agreed to. */
  readonly accepted: readonly SafetyWarning['code'][];
  /** The sales that go with each purchase. */
  readonly exits: ExitSet;
};

/**
 * Why it buys nothing now. `mandate`: trades were locked, the PIN is another one, or its time is over. `cap`: a limit of the guard.
 * `budget`: all of its sum was spent. `failures`: too many of its transactions failed on the chain. `restored`: the database was restored.
 */
export const COPY_PAUSES = ['person', 'panic', 'mandate', 'cap', 'budget', 'failures', 'restored'] as const;
export type CopyPause = (typeof COPY_PAUSES)[number];

/** A person's standing wish to trade as a followed wallet does. An ended one sells nothing more; a paused one still sells. */
export type Copy = {
  readonly id: string;
  readonly userId: string;
  readonly walletId: string;
  readonly followId: string;
  readonly leader: Address;
  readonly status: 'ON' | 'PAUSED' | 'ENDED';
  readonly reason: CopyPause | null;
  readonly rules: CopyRules;
  /** Of the guard when the PIN was typed: a lock raises that, and then it buys no more. */
  readonly lockEpoch: number;
  /** Epoch milliseconds: the mandate's end. */
  readonly until: number;
  /** The signer's word for the agreed terms; null where it has none. */
  readonly certificate: string | null;
  /** Trades of the leader count from here on: of the last time that it was switched on. */
  readonly since: number;
  readonly version: number;
  readonly createdAt: number;
};

/** The facts of a copy that the signer certifies. */
export type CopyFacts = Pick<Copy, 'id' | 'userId' | 'walletId' | 'leader' | 'rules' | 'lockEpoch' | 'until'>;

/** The facts of a copy, and nothing of its state. */
export function copyFacts({ id, userId, walletId, leader, rules, lockEpoch, until }: CopyFacts): CopyFacts {
  return { id, userId, walletId, leader, rules, lockEpoch, until };
}

export const COPY_LIMITS = {
  perPerson: 5,
  /** The longest time of a mandate. */
  mandateMs: 30 * 86_400_000,
  dayMs: 86_400_000,
  /** The least of a purchase. */
  leastBuyLamports: 10_000_000n,
  /** The most of one purchase that a form takes. */
  mostTradeLamports: 100_000_000_000n,
} as const;

export const COPY_DEFAULTS: Omit<CopyRules, 'exits'> = {
  size: { kind: 'fixed', lamports: 100_000_000n },
  tradeLamports: 500_000_000n,
  dayLamports: 1_000_000_000n,
  totalLamports: 5_000_000_000n,
  leastLamports: 0n,
  each: false,
  young: false,
  accepted: [],
};

/** Warnings about a mint that a person may agree to at the start. No word lifts one that blocks. */
export const ACCEPTABLE: readonly SafetyWarning['code'][] = [
  'MINT_AUTHORITY_LIVE',
  'FREEZE_AUTHORITY_LIVE',
  'TRANSFER_FEE',
  'MINT_CLOSE_AUTHORITY',
  'PAUSABLE',
  'CONFIDENTIAL_TRANSFER',
  'CONCENTRATED',
];

/** The fault of rules; null where a copy can be switched on with them. */
export type RulesMisfit = 'size' | 'trade-cap' | 'day-cap' | 'total-cap' | 'least' | 'accepted';

/** The first misfit. `mostDayLamports`: the most that orders and copies may buy within 24 hours. */
export function misfitOf(
  { size, tradeLamports, dayLamports, totalLamports, leastLamports, accepted }: CopyRules,
  mostDayLamports: bigint,
): RulesMisfit | null {
  const { leastBuyLamports: least, mostTradeLamports: most } = COPY_LIMITS;
  if (size.kind === 'share' && !(Number.isInteger(size.percent) && size.percent >= 1 && size.percent <= 100))
    return 'size';
  if (size.kind === 'fixed' && size.lamports < least) return 'size';
  if (tradeLamports < least || tradeLamports > most) return 'trade-cap';
  if (size.kind === 'fixed' && size.lamports > tradeLamports) return 'size';
  if (dayLamports < tradeLamports || dayLamports > mostDayLamports) return 'day-cap';
  if (totalLamports < dayLamports) return 'total-cap';
  if (leastLamports < 0n) return 'least';
  return accepted.every((code) => ACCEPTABLE.includes(code)) ? null : 'accepted';
}

/** Whether rules allow something that others did not: then the PIN is asked. */
export function isWider(rules: CopyRules, before: CopyRules): boolean {
  const larger = (['tradeLamports', 'dayLamports', 'totalLamports'] as const).some(
    (cap) => rules[cap] > before[cap],
  );
  const sized =
    rules.size.kind !== before.size.kind ||
    (rules.size.kind === 'fixed' && before.size.kind === 'fixed'
      ? rules.size.lamports > before.size.lamports
      : rules.size.kind === 'share' &&
        before.size.kind === 'share' &&
        rules.size.percent > before.size.percent);
  return (
    larger ||
    sized ||
    rules.leastLamports < before.leastLamports ||
    (rules.each && !before.each) ||
    (rules.young && !before.young) ||
    rules.accepted.some((code) => !before.accepted.includes(code))
  );
}
