import { LAMPORTS_PER_SOL } from '@tradepost/solana';
import { type Bps, bps } from '../../../core/amounts/bps.ts';

export type ShopEffect =
  /** Less of the platform fee for so many days; a second one starts when the first ends. */
  | { readonly kind: 'fee-discount'; readonly bps: Bps; readonly days: number }
  /** One more deposit wallet than the operator's limit, for good. */
  | { readonly kind: 'wallet-slot' }
  /** The right to choose the referral code once. */
  | { readonly kind: 'custom-code' }
  /** A mark on the person's cards. */
  | { readonly kind: 'badge' }
  /** SOL out of the operator's budget, paid like an inviter's share. */
  | { readonly kind: 'sol-rebate'; readonly lamports: bigint };

export type ShopItem = {
  /** Part of stock rows and histories: never reused for another thing. */
  readonly id: string;
  readonly points: bigint;
  readonly effect: ShopEffect;
  /** How many one person can have in all; null = any number. */
  readonly perPerson: number | null;
  /** Asks for a finalized trade first: mining alone must not reach items that are worth money. */
  readonly needsTrade: boolean;
  readonly from: number;
  readonly until: number | null;
};

const since = { from: Date.UTC(2026, 10, 1), until: null };

export const SHOP: readonly ShopItem[] = [
  {
    id: 'fee-10-1',
    points: 150n,
    effect: { kind: 'fee-discount', bps: bps(1_000), days: 1 },
    perPerson: null,
    needsTrade: false,
    ...since,
  },
  {
    id: 'fee-10-7',
    points: 800n,
    effect: { kind: 'fee-discount', bps: bps(1_000), days: 7 },
    perPerson: null,
    needsTrade: false,
    ...since,
  },
  {
    id: 'slot-1',
    points: 1_500n,
    effect: { kind: 'wallet-slot' },
    perPerson: 3,
    needsTrade: false,
    ...since,
  },
  {
    id: 'code-1',
    points: 1_000n,
    effect: { kind: 'custom-code' },
    perPerson: null,
    needsTrade: false,
    ...since,
  },
  { id: 'badge-1', points: 300n, effect: { kind: 'badge' }, perPerson: 1, needsTrade: false, ...since },
  {
    id: 'rebate-1',
    points: 3_000n,
    effect: { kind: 'sol-rebate', lamports: LAMPORTS_PER_SOL / 200n },
    perPerson: 10,
    needsTrade: true,
    ...since,
  },
];

/** The name under which the lamports for rebates are kept; an operator fills it. */
export const REBATE_BUDGET = 'rebate-budget';

export function shopAt(now: number, shop: readonly ShopItem[] = SHOP): readonly ShopItem[] {
  return shop.filter(({ from, until }) => from <= now && (until === null || now < until));
}

/** Something a person got for points. */
export type Redemption = {
  readonly id: string;
  readonly userId: string;
  /** Minted before the button was shown. */
  readonly idemKey: string;
  readonly item: string;
  readonly points: bigint;
  readonly effect: ShopEffect;
  /** When the effect begins and ends; null = it does not end. */
  readonly startsAt: number;
  readonly endsAt: number | null;
  readonly createdAt: number;
};
