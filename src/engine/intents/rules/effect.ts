import type { Address } from '@tradepost/solana';
import type { LandedTransaction } from '../../../platform/ports/chain.ts';
import type { Landed } from '../kinds/kind.ts';
import type { IntentParams } from '../kinds/params.ts';
import { rulesOf } from '../kinds/rules.ts';
import { lamportsDelta } from './landed-sums.ts';

export type EffectParties = Omit<Landed<IntentParams>, 'landed'>;

/**
 * Whether a landed transaction's record shows the effect that its status claims. One that failed took the fee and changed nothing else. One
 * that worked did the intent's act, by the rule of its kind.
 */
export function showsEffect(landed: LandedTransaction, err: string | null, parties: EffectParties): boolean {
  if ((landed.err === null) !== (err === null)) return false;
  if (!landed.balances.some(({ address }) => address === parties.wallet)) return false;
  return err === null
    ? rulesOf(parties.params.kind).showsEffect({ landed, ...parties })
    : showsFeeAlone(landed, parties.wallet);
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
