import type { ExitSet } from '../../settings/rules/exit-set.ts';
import type { SafetyWarning } from '../../tokens/rules/safety.ts';

/** Of each purchase: a sum of its own, or a part of the leader's, 1 to 100 percent. */
export type CopySize =
  | { readonly kind: 'fixed'; readonly lamports: bigint }
  | { readonly kind: 'share'; readonly percent: number };

/** What a person agreed to of a copy. Sums are lamports, network fees not counted. */
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

/** What is wrong with rules; null where a copy can be switched on with them. */
export type RulesMisfit = 'size' | 'trade-cap' | 'day-cap' | 'total-cap' | 'least' | 'accepted';

/** The first misfit. `mostDayLamports`: what may be bought without a tap within 24 hours, orders and copies together. */
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
