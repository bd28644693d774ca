import { type Bps, bpsFloor } from '../../../core/amounts/bps.ts';
import { balancedTransfer, type Stamp } from './balanced-transfer.ts';
import type { LedgerEntry, LedgerTransfer } from './entry.ts';

/**
 * The few transfers this service posts, in the accountant's words of docs/ledger.md. Each is balanced or is never built; each has a key
 * made of its subject, so that a repeat changes nothing.
 */

/** The inviter's part of a fee, rounded down: the remainder of a lamport stays with the service. */
export function inviterShare(feeLamports: bigint, shareBps: Bps): bigint {
  return bpsFloor(feeLamports, shareBps);
}

/** The fee of a trade or of a token's creation reached the treasury for good: revenue, less the new debt to the inviter. */
export function tradeFeeTransfer(
  stamp: Stamp,
  input: {
    readonly intentId: string;
    readonly signature: string;
    readonly feeLamports: bigint;
    readonly inviter: { readonly id: string; readonly shareLamports: bigint } | null;
  },
): LedgerTransfer {
  const share = input.inviter?.shareLamports ?? 0n;
  if (share < 0n || share > input.feeLamports) throw new RangeError('a share is between nothing and the fee');
  return balancedTransfer(stamp, 'LAMPORT', 'trade-fee', `trade-fee/${input.signature}`, input.intentId, [
    { account: { kind: 'treasury' }, amount: -input.feeLamports },
    { account: { kind: 'revenue' }, amount: input.feeLamports - share },
    ...(input.inviter === null
      ? []
      : [{ account: { kind: 'referral-payable', owner: input.inviter.id }, amount: share } as const]),
  ]);
}

type PayoutPart = { readonly inviterId: string; readonly lamports: bigint };

/** Rewards go into a payout: no longer payable, not yet paid. */
export function payoutHold(stamp: Stamp, intentId: string, parts: readonly PayoutPart[]): LedgerTransfer {
  return balancedTransfer(stamp, 'LAMPORT', 'payout-hold', `payout-hold/${intentId}`, intentId, [
    ...parts.map(({ inviterId, lamports }) => payable(inviterId, -lamports)),
    ...parts.map(({ inviterId, lamports }) => inFlight(inviterId, lamports)),
  ]);
}

/** The payout is final: the debt is gone and so are the treasury's lamports, the network fee included. */
export function payoutCapture(
  stamp: Stamp,
  intentId: string,
  parts: readonly PayoutPart[],
  networkFeeLamports: bigint,
): LedgerTransfer {
  const paid = parts.reduce((sum, part) => sum + part.lamports, 0n);
  return balancedTransfer(stamp, 'LAMPORT', 'payout-capture', `payout-capture/${intentId}`, intentId, [
    ...parts.map(({ inviterId, lamports }) => inFlight(inviterId, -lamports)),
    { account: { kind: 'network-fees' }, amount: -networkFeeLamports },
    { account: { kind: 'treasury' }, amount: paid + networkFeeLamports },
  ]);
}

/** The payout did not and cannot land: the rewards are payable again; a fee that was burnt is the service's. */
export function payoutVoid(
  stamp: Stamp,
  intentId: string,
  parts: readonly PayoutPart[],
  networkFeeLamports: bigint,
): LedgerTransfer {
  return balancedTransfer(stamp, 'LAMPORT', 'payout-void', `payout-void/${intentId}`, intentId, [
    ...parts.map(({ inviterId, lamports }) => inFlight(inviterId, -lamports)),
    ...parts.map(({ inviterId, lamports }) => payable(inviterId, lamports)),
    { account: { kind: 'network-fees' }, amount: -networkFeeLamports },
    { account: { kind: 'treasury' }, amount: networkFeeLamports },
  ]);
}

/** A voucher was redeemed: its lamports are owed to the person and wait for the next payout, like an inviter's share. */
export function rebateTransfer(
  stamp: Stamp,
  input: { readonly redemptionId: string; readonly userId: string; readonly lamports: bigint },
): LedgerTransfer {
  return balancedTransfer(stamp, 'LAMPORT', 'rebate', `rebate/${input.redemptionId}`, input.redemptionId, [
    { account: { kind: 'rebates' }, amount: -input.lamports },
    payable(input.userId, input.lamports),
  ]);
}

/** A convert period was settled: the share is owed to the person and waits for the next payout, like an inviter's. */
export function conversionTransfer(
  stamp: Stamp,
  input: { readonly name: string; readonly userId: string; readonly lamports: bigint },
): LedgerTransfer {
  return balancedTransfer(stamp, 'LAMPORT', 'conversion', `conversion/${input.name}`, input.name, [
    { account: { kind: 'conversions' }, amount: -input.lamports },
    payable(input.userId, input.lamports),
  ]);
}

function payable(owner: string, amount: bigint): LedgerEntry {
  return { account: { kind: 'referral-payable', owner }, amount };
}

function inFlight(owner: string, amount: bigint): LedgerEntry {
  return { account: { kind: 'referral-in-flight', owner }, amount };
}
