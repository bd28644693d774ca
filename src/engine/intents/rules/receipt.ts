import { type Address, LAMPORTS_PER_SIGNATURE, maxBigint, WSOL_MINT } from '@tradepost/solana';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';
import type { IntentParams } from '../kinds/params.ts';
import { rulesOf } from '../kinds/rules.ts';
import type { LandedReceipt } from './intent.ts';
import { filledLamports, lamportsDelta, tokenDelta } from './landed-sums.ts';

/**
 * The receipt of a landed transaction, from chain data alone: nothing is taken from the quote. Signed from the wallet's
 * point of view. The treasury's own payouts carry no platform fee.
 */
export function landedReceipt(
  landed: LandedTransaction,
  parties: {
    readonly wallet: Address;
    readonly treasury: Address;
    readonly params: IntentParams;
    /** The mint that the transaction makes, when it is a creation. */
    readonly createdMint?: Address | null;
  },
): LandedReceipt {
  const { wallet, treasury, params } = parties;
  const createdMint = landed.err === null ? (parties.createdMint ?? null) : null;
  const baseFee = BigInt(landed.signatureCount) * LAMPORTS_PER_SIGNATURE;
  const priorityFee = maxBigint(0n, landed.feeLamports - baseFee);
  const platformFee = wallet === treasury ? 0n : maxBigint(0n, lamportsDelta(landed, treasury));
  const rules = rulesOf(params.kind);
  const tipTo = rules.policy.tipOf?.(params)?.to;
  const tip = tipTo === undefined ? 0n : maxBigint(0n, lamportsDelta(landed, tipTo));
  const recipient = rules.recipientOf?.(params) ?? null;
  return {
    signature: landed.signature,
    slot: landed.slot,
    landedAt: landed.blockTime === null ? null : landed.blockTime * 1_000,
    feeLamports: landed.feeLamports,
    baseFeeLamports: landed.feeLamports - priorityFee,
    priorityFeeLamports: priorityFee,
    walletLamportsDelta: lamportsDelta(landed, wallet),
    tokenDeltas: tokenDeltas(landed, wallet),
    rentLamports:
      createdMint === null
        ? openedRent(landed, (owner) => owner === wallet || owner === recipient) -
          returnedRent(landed, wallet)
        : (rules.creationRent?.({ landed, wallet, params, createdMint }, platformFee) ??
          filledLamports(landed, treasury)),
    platformFeeLamports: platformFee,
    ...(tip > 0n ? { tipLamports: tip } : {}),
    ...(createdMint === null ? {} : { createdMint }),
    ...(recipient !== null && 'mint' in params
      ? { arrivedUnits: tokenDelta(landed, recipient, params.mint) }
      : {}),
  };
}

function tokenDeltas(landed: LandedTransaction, wallet: Address): LandedReceipt['tokenDeltas'] {
  const byMint = new Map<Address, bigint>();
  for (const balance of landed.tokenBalances) {
    if (balance.owner !== wallet) continue;
    byMint.set(balance.mint, (byMint.get(balance.mint) ?? 0n) + balance.after - balance.before);
  }
  return [...byMint].filter(([, delta]) => delta !== 0n).map(([mint, delta]) => ({ mint, delta }));
}

/** Lamports locked as rent in token accounts that did not exist before. Wrapped SOL beyond the rent is money, not rent. */
function openedRent(landed: LandedTransaction, isParty: (owner: Address) => boolean): bigint {
  let rent = 0n;
  for (const token of landed.tokenBalances) {
    const lamports = landed.balances.find((balance) => balance.address === token.account);
    if (lamports === undefined || lamports.before !== 0n || !isParty(token.owner)) continue;
    rent += lamports.after - (token.mint === WSOL_MINT ? token.after : 0n);
  }
  return rent;
}

/**
 * Rent that came back from token accounts of the wallet that the transaction closed. Without it the rent that a sale gives back would be
 * reported, and kept, as its profit.
 */
function returnedRent(landed: LandedTransaction, wallet: Address): bigint {
  let rent = 0n;
  for (const token of landed.tokenBalances) {
    const lamports = landed.balances.find((balance) => balance.address === token.account);
    if (lamports === undefined || lamports.after !== 0n || token.owner !== wallet) continue;
    rent += lamports.before - (token.mint === WSOL_MINT ? token.before : 0n);
  }
  return rent;
}
