import type { Address } from '../address/address.ts';
import { WSOL_MINT } from '../address/programs.ts';
import { LAMPORTS_PER_SIGNATURE } from '../amounts/lamports.ts';
import { maxBigint } from '../amounts/rounding.ts';
import type { LandedTransaction } from '../ports/chain.ts';
import type { LandedReceipt } from './intent.ts';
import type { IntentParams, LaunchParams } from './params.ts';

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
  const recipient = 'destination' in params ? params.destination : null;
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
        : params.kind === 'launch'
          ? launchCost(landed, wallet, platformFee, params)
          : filledLamports(landed, treasury),
    platformFeeLamports: platformFee,
    ...(createdMint === null ? {} : { createdMint }),
    ...(params.kind === 'withdraw-token'
      ? { arrivedUnits: unitsDelta(landed, params.destination, params.mint) }
      : {}),
  };
}

function unitsDelta(landed: LandedTransaction, owner: Address, mint: Address): bigint {
  return landed.tokenBalances
    .filter((balance) => balance.owner === owner && balance.mint === mint)
    .reduce((sum, { before, after }) => sum + after - before, 0n);
}

function lamportsDelta(landed: LandedTransaction, account: Address): bigint {
  const found = landed.balances.find((balance) => balance.address === account);
  return found === undefined ? 0n : found.after - found.before;
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
 * Rent that came back from token accounts of the wallet that the transaction closed. Without it the rent that a sale gives back
 * would be told, and kept, as its profit.
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

/** What rent and the launchpad took: everything that left the wallet but the network's fee, the platform's and the first buy. */
function launchCost(
  landed: LandedTransaction,
  wallet: Address,
  platformFee: bigint,
  { firstBuy }: LaunchParams,
): bigint {
  const spent = -lamportsDelta(landed, wallet) - landed.feeLamports - platformFee;
  return maxBigint(0n, spent - (firstBuy?.lamports ?? 0n));
}

/** Lamports in every account that was empty before: what a creation locks in mint, holder's account and metadata record. */
function filledLamports(landed: LandedTransaction, treasury: Address): bigint {
  return landed.balances
    .filter((balance) => balance.before === 0n && balance.address !== treasury)
    .reduce((sum, balance) => sum + balance.after, 0n);
}
