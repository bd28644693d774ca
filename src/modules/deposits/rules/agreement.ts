import type { Address } from '@tradepost/solana';
import type { LandedTransaction, Testimony } from '../../../platform/ports/chain.ts';
import { type Arrival, arrivalsOf } from './arrivals.ts';

/** The joint answer of nodes of different hosts about one transaction, as far as it concerns one wallet. */
export type Agreement =
  /** Two say the same, or one alone says it; `final` where each of them calls it final. */
  | {
      readonly kind: 'agreed';
      readonly landed: LandedTransaction;
      readonly sources: 1 | 2;
      readonly final: boolean;
    }
  | { readonly kind: 'disagree' }
  /** Each that answered knows no such transaction; so many did. */
  | { readonly kind: 'gone'; readonly sources: 1 | 2 }
  /** It is known, and its record is not served yet. */
  | { readonly kind: 'unserved' };

/** More than this that one node alone has seen is said to be so. 1 SOL. */
export const DOUBTED_LAMPORTS = 1_000_000_000n;

/**
 * Compares testimonies of one transaction, at least one and each of another host. The arrivals in the wallet are the same, or the nodes
 * disagree. A node that does not know a transaction that another calls final disagrees as well; before finality it may only be late.
 */
export function agreementOf(wallet: Address, said: readonly Testimony[]): Agreement {
  const served = said.flatMap(({ transaction, status }) =>
    transaction === null ? [] : [{ transaction, final: status?.level === 'finalized' }],
  );
  const [first, second] = served;
  if (first === undefined) {
    const sources = said.length > 1 ? 2 : 1;
    return said.every(({ status }) => status === null) ? { kind: 'gone', sources } : { kind: 'unserved' };
  }
  const landed = first.transaction;
  if (second !== undefined) {
    const same = textOf(arrivalsOf(landed, wallet)) === textOf(arrivalsOf(second.transaction, wallet));
    return same
      ? { kind: 'agreed', landed, sources: 2, final: first.final && second.final }
      : { kind: 'disagree' };
  }
  if (first.final && said.some(({ status }) => status === null)) return { kind: 'disagree' };
  return { kind: 'agreed', landed, sources: 1, final: first.final };
}

/** Whether an agreed arrival may be reported as received: two nodes, or one when nothing can take it back any more. */
export const isTellable = (agreement: Extract<Agreement, { kind: 'agreed' }>): boolean =>
  agreement.sources === 2 || agreement.final;

/** The result of the second check of a reported deposit. */
export type SecondLook =
  | { readonly kind: 'stands' }
  /** `units` that really came; 0 = nothing. */
  | { readonly kind: 'corrected'; readonly units: bigint }
  | { readonly kind: 'open' };

/** Whether a reported arrival still matches the nodes. Nothing is taken back on the word of one node while another is silent. */
export function secondLook(agreement: Agreement, wallet: Address, told: Arrival): SecondLook {
  if (agreement.kind === 'gone') return { kind: 'corrected', units: 0n };
  if (agreement.kind !== 'agreed' || !isTellable(agreement)) return { kind: 'open' };
  const now = arrivalsOf(agreement.landed, wallet).find(({ asset }) => asset === told.asset);
  const units = now?.units ?? 0n;
  return units === told.units ? { kind: 'stands' } : { kind: 'corrected', units };
}

const textOf = (arrivals: readonly Arrival[]): string =>
  arrivals.map(({ asset, units }) => `${asset} ${units}`).join();
