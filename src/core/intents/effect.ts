import type { IntentParams } from '../../intents/params.ts';
import type { Address } from '../address/address.ts';
import type { LandedTransaction } from '../ports/chain.ts';

export type EffectParties = {
  /** Pays the network fee, always. */
  readonly wallet: Address;
  readonly params: IntentParams;
  /** The mint that the transaction makes or fills, when it is a creation. */
  readonly createdMint: Address | null;
};

/**
 * Whether a landed transaction's record shows what its status claims: one that failed took the fee and changed nothing else, one
 * that worked did what the intent asks for. Amounts that the chain may round or a market decides are judged by their sign
 * alone, so that no honest record is doubted.
 */
export function showsEffect(landed: LandedTransaction, err: string | null, parties: EffectParties): boolean {
  if ((landed.err === null) !== (err === null)) return false;
  if (!landed.balances.some(({ address }) => address === parties.wallet)) return false;
  return err === null ? showsSuccess(landed, parties) : showsFeeAlone(landed, parties.wallet);
}

/** The sums of a record that bookings follow from: equal records, equal text. */
export function bookedSums(landed: LandedTransaction, wallet: Address, treasury: Address): string {
  return [landed.feeLamports, lamportsDelta(landed, wallet), lamportsDelta(landed, treasury)].join('/');
}

function showsFeeAlone(landed: LandedTransaction, wallet: Address): boolean {
  const lamports = landed.balances.every(
    ({ address, before, after }) => after - before === (address === wallet ? -landed.feeLamports : 0n),
  );
  return lamports && landed.tokenBalances.every(({ before, after }) => before === after);
}

function showsSuccess(landed: LandedTransaction, { wallet, params, createdMint }: EffectParties): boolean {
  switch (params.kind) {
    case 'withdraw-sol': {
      const got = lamportsDelta(landed, params.destination);
      return params.everything
        ? got > 0n && got === -lamportsDelta(landed, wallet) - landed.feeLamports
        : got === params.lamports;
    }
    case 'withdraw-token':
      return tokenDelta(landed, wallet, params.mint) === -params.amount;
    case 'buy':
      return tokenDelta(landed, wallet, params.mint) > 0n;
    case 'sell':
      return tokenDelta(landed, wallet, params.mint) < 0n;
    case 'payout':
      return showsPayout(landed, params.items);
    case 'prepare-token':
    case 'create-token':
    case 'launch':
      return createdMint !== null && showsCreation(landed, createdMint);
    case 'revoke-authority':
      // A right given up is in no balance: the fee is all that can be seen.
      return -lamportsDelta(landed, wallet) >= landed.feeLamports;
  }
}

/** Two inviters may be paid to one address. */
function showsPayout(
  landed: LandedTransaction,
  items: Extract<IntentParams, { kind: 'payout' }>['items'],
): boolean {
  const owed = new Map<Address, bigint>();
  for (const { recipient, lamports } of items) owed.set(recipient, (owed.get(recipient) ?? 0n) + lamports);
  return [...owed].every(([recipient, lamports]) => lamportsDelta(landed, recipient) === lamports);
}

/** The mint came to be, or (a second half) somebody holds more of it than before. */
function showsCreation(landed: LandedTransaction, mint: Address): boolean {
  const account = landed.balances.find(({ address }) => address === mint);
  if (account !== undefined && account.before === 0n && account.after > 0n) return true;
  return landed.tokenBalances.some((token) => token.mint === mint && token.after > token.before);
}

function lamportsDelta(landed: LandedTransaction, account: Address): bigint {
  const found = landed.balances.find(({ address }) => address === account);
  return found === undefined ? 0n : found.after - found.before;
}

function tokenDelta(landed: LandedTransaction, owner: Address, mint: Address): bigint {
  return landed.tokenBalances
    .filter((token) => token.owner === owner && token.mint === mint)
    .reduce((sum, { before, after }) => sum + after - before, 0n);
}
