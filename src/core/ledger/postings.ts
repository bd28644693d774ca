import { type Bps, bpsFloor } from '../amounts/bps.ts';
import { accountKey, type LedgerEntry, type LedgerTransfer } from './entry.ts';

/**
 * The few transfers this service posts, in the accountant's words of docs/ledger.md. Each is balanced or is never built;
 * each has a key made of what it is about, so that whoever repeats it changes nothing.
 */

type Stamp = { readonly id: string; readonly createdAt: number };

/** The inviter's part of a fee, rounded down: the remainder of a lamport stays with the service. */
export function inviterShare(feeLamports: bigint, shareBps: Bps): bigint {
  return bpsFloor(feeLamports, shareBps);
}

/** The fee of a trade or of a token's creation reached the treasury for good: revenue, less what is owed to the inviter from now on. */
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
  return transfer(stamp, 'trade-fee', `trade-fee/${input.signature}`, input.intentId, [
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
  return transfer(stamp, 'payout-hold', `payout-hold/${intentId}`, intentId, [
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
  return transfer(stamp, 'payout-capture', `payout-capture/${intentId}`, intentId, [
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
  return transfer(stamp, 'payout-void', `payout-void/${intentId}`, intentId, [
    ...parts.map(({ inviterId, lamports }) => inFlight(inviterId, -lamports)),
    ...parts.map(({ inviterId, lamports }) => payable(inviterId, lamports)),
    { account: { kind: 'network-fees' }, amount: -networkFeeLamports },
    { account: { kind: 'treasury' }, amount: networkFeeLamports },
  ]);
}

function payable(owner: string, amount: bigint): LedgerEntry {
  return { account: { kind: 'referral-payable', owner }, amount };
}

function inFlight(owner: string, amount: bigint): LedgerEntry {
  return { account: { kind: 'referral-in-flight', owner }, amount };
}

/** One entry per account, no empty entries. Throws a RangeError when the entries do not sum to zero. */
function transfer(
  stamp: Stamp,
  reason: LedgerTransfer['reason'],
  key: string,
  ref: string,
  entries: readonly LedgerEntry[],
): LedgerTransfer {
  const byAccount = new Map<string, LedgerEntry>();
  for (const { account, amount } of entries) {
    const known = byAccount.get(accountKey(account));
    byAccount.set(accountKey(account), { account, amount: (known?.amount ?? 0n) + amount });
  }
  const merged = [...byAccount.values()].filter((entry) => entry.amount !== 0n);
  const sum = merged.reduce((total, entry) => total + entry.amount, 0n);
  if (sum !== 0n) throw new RangeError(`${reason} of ${ref} is out of balance by ${sum}`);
  return { ...stamp, key, reason, ref, currency: 'LAMPORT', entries: merged };
}
