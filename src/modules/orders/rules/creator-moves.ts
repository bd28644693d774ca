import { type Address, isOnCurve, minBigint } from '@tradepost/solana';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';

/** Units of a token that its creator gave to another wallet, in one final transaction. */
export type CreatorMove = {
  readonly mint: Address;
  readonly creator: Address;
  readonly signature: string;
  readonly recipient: Address;
  readonly slot: bigint;
  readonly units: bigint;
};

/** A wallet that got tokens of the creator: its sales count as the creator's, up to these units. */
export type Recipient = {
  readonly wallet: Address;
  readonly units: bigint;
  /** The slot of its first receipt: earlier sales are its own. */
  readonly fromSlot: bigint;
};

/** Recipients of one creator whose sales are looked for; of more, those that got the most. */
export const MOST_RECIPIENTS = 20;

/**
 * A creator's transfers in a transaction, by token and recipient. A recipient is an owner that a key can sign for: a pool is none, so a
 * sale on a market gives nothing away. Together the recipients of a token get no more than the creator gave. A failed transaction moves nothing.
 */
export function creatorMoves(
  creator: Address,
  { signature, slot, err, tokenBalances }: LandedTransaction,
): readonly CreatorMove[] {
  if (err !== null) return [];
  const byMint = new Map<Address, Map<Address, bigint>>();
  const add = (mint: Address, owner: Address, units: bigint): void => {
    const owners = byMint.get(mint) ?? new Map<Address, bigint>();
    byMint.set(mint, owners.set(owner, (owners.get(owner) ?? 0n) + units));
  };
  for (const { owner, newOwner, mint, before, after } of tokenBalances) {
    add(mint, owner, -before);
    add(mint, newOwner ?? owner, after);
  }
  return [...byMint].flatMap(([mint, owners]) => {
    let left = -(owners.get(creator) ?? 0n);
    return [...owners].flatMap(([recipient, net]): readonly CreatorMove[] => {
      if (recipient === creator || net <= 0n || left <= 0n || !isOnCurve(recipient)) return [];
      const units = minBigint(net, left);
      left -= units;
      return [{ mint, creator, signature, recipient, slot, units }];
    });
  });
}

/** The recipients of moves after a slot, those with the most units first, `MOST_RECIPIENTS` at most. */
export function recipientsAfter(moves: readonly CreatorMove[], sinceSlot: bigint): readonly Recipient[] {
  const found = new Map<Address, Recipient>();
  for (const { recipient: wallet, units, slot } of moves) {
    if (slot <= sinceSlot) continue;
    const known = found.get(wallet) ?? { wallet, units: 0n, fromSlot: slot };
    found.set(wallet, {
      wallet,
      units: known.units + units,
      fromSlot: minBigint(known.fromSlot, slot),
    });
  }
  return [...found.values()]
    .toSorted((a, b) => Number(b.units > a.units) - Number(b.units < a.units))
    .slice(0, MOST_RECIPIENTS);
}
