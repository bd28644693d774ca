import { balancedTransfer, type Stamp } from './balanced-transfer.ts';
import type { EarnReason, LedgerTransfer } from './entry.ts';

/**
 * The postings that move points. Each key names the one event that earns or costs them, so that a replay of the event changes nothing; keys
 * that a person could reach twice name the Telegram account, which outlives wallets.
 */

/** Points come into being. `points` is above zero. Throws a RangeError otherwise. */
export function earnTransfer(
  stamp: Stamp,
  input: {
    readonly userId: string;
    readonly reason: EarnReason;
    readonly key: string;
    readonly ref: string;
    readonly points: bigint;
  },
): LedgerTransfer {
  positive(input.points);
  return balancedTransfer(stamp, 'POINT', input.reason, input.key, input.ref, [
    { account: { kind: 'points-issued' }, amount: -input.points },
    { account: { kind: 'points', owner: input.userId }, amount: input.points },
  ]);
}

/** Points are given for an item of the shop. The ledger refuses it when the person has fewer. */
export function redeemTransfer(
  stamp: Stamp,
  input: {
    readonly userId: string;
    readonly redemptionId: string;
    readonly item: string;
    readonly points: bigint;
  },
): LedgerTransfer {
  positive(input.points);
  return balancedTransfer(
    stamp,
    'POINT',
    'points-redeem',
    `points-redeem/${input.redemptionId}`,
    input.item,
    [
      { account: { kind: 'points', owner: input.userId }, amount: -input.points },
      { account: { kind: 'points-spent' }, amount: input.points },
    ],
  );
}

/** A season's end takes these points away, once per season and person. */
export function seasonTransfer(
  stamp: Stamp,
  input: { readonly userId: string; readonly season: number; readonly points: bigint },
): LedgerTransfer {
  positive(input.points);
  const { season, userId, points } = input;
  return balancedTransfer(stamp, 'POINT', 'points-season', `points-season/${season}/${userId}`, `${season}`, [
    { account: { kind: 'points', owner: userId }, amount: -points },
    { account: { kind: 'points-expired' }, amount: points },
  ]);
}

/** A stake goes to the games. The ledger refuses it when the person has fewer. */
export function betTransfer(
  stamp: Stamp,
  input: { readonly userId: string; readonly roundId: string; readonly points: bigint },
): LedgerTransfer {
  positive(input.points);
  const { roundId, userId, points } = input;
  return balancedTransfer(stamp, 'POINT', 'points-bet', `points-bet/${roundId}`, roundId, [
    { account: { kind: 'points', owner: userId }, amount: -points },
    { account: { kind: 'points-games' }, amount: points },
  ]);
}

/** A round's payout, the stake included. Not earned: the weekly board leaves it out. */
export function winTransfer(
  stamp: Stamp,
  input: { readonly userId: string; readonly roundId: string; readonly points: bigint },
): LedgerTransfer {
  positive(input.points);
  const { roundId, userId, points } = input;
  return balancedTransfer(stamp, 'POINT', 'points-win', `points-win/${roundId}`, roundId, [
    { account: { kind: 'points-games' }, amount: -points },
    { account: { kind: 'points', owner: userId }, amount: points },
  ]);
}

/** Points go into a convert period. The ledger refuses it when the person has fewer. */
export function lockTransfer(
  stamp: Stamp,
  input: {
    readonly userId: string;
    readonly period: number;
    readonly entryId: string;
    readonly points: bigint;
  },
): LedgerTransfer {
  positive(input.points);
  const { entryId, period, userId, points } = input;
  return balancedTransfer(stamp, 'POINT', 'points-lock', `points-lock/${entryId}`, `${period}`, [
    { account: { kind: 'points', owner: userId }, amount: -points },
    { account: { kind: 'points-locked', owner: userId }, amount: points },
  ]);
}

/** Settles a person's locked points when a period ends, once: converted points are spent, others come back. */
export function unlockTransfer(
  stamp: Stamp,
  input: {
    readonly userId: string;
    readonly period: number;
    readonly points: bigint;
    readonly converted: boolean;
  },
): LedgerTransfer {
  positive(input.points);
  const { period, userId, points, converted } = input;
  const reason = converted ? 'points-convert' : 'points-unlock';
  // One key for both ends: a period ends one way for a person.
  return balancedTransfer(stamp, 'POINT', reason, `points-unlock/${period}/${userId}`, `${period}`, [
    { account: { kind: 'points-locked', owner: userId }, amount: -points },
    { account: converted ? { kind: 'points-spent' } : { kind: 'points', owner: userId }, amount: points },
  ]);
}

function positive(points: bigint): void {
  if (points <= 0n) throw new RangeError(`points: expected more than 0, got ${points}`);
}
