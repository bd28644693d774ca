import type { ChainWitness } from '../../../platform/ports/chain-witness.ts';
import type { TakenAt } from '../rules/blockhash-end.ts';

/** Signatures whose blockhash is remembered. */
const MOST_KEPT = 1_000;

/** Which nodes took the blockhash of a signature, as this process heard. Lost with it: the height of the journal decides then. */
export type TakenBlockhashes = {
  /** Remembers the blockhash of a signature and asks the nodes in the background. Null is not remembered. */
  note(signature: string, blockhash: string | null): void;
  /** The blockhash of a signature and who took it so far; asks the nodes again that did not say yes. Null where nothing is remembered. */
  of(signature: string): { readonly blockhash: string; readonly takenAt: TakenAt } | null;
  forget(signature: string): void;
};

type Kept = { readonly blockhash: string; readonly takenAt: Map<string, bigint> };

/**
 * A node is asked while the blockhash is young, so that its later "no" means its end. The first yes of a node is kept: a later one would
 * only ask more of its "no".
 */
export function createTakenBlockhashes(witness: Pick<ChainWitness, 'takers'>): TakenBlockhashes {
  const kept = new Map<string, Kept>();
  const ask = ({ blockhash, takenAt }: Kept): void => {
    witness.takers(blockhash).then(
      (takers) => {
        for (const { endpoint, slot } of takers) if (!takenAt.has(endpoint)) takenAt.set(endpoint, slot);
      },
      () => undefined,
    );
  };
  return {
    note: (signature, blockhash) => {
      if (blockhash === null) return;
      const entry: Kept = { blockhash, takenAt: new Map() };
      kept.set(signature, entry);
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      ask(entry);
    },
    of: (signature) => {
      const found = kept.get(signature);
      if (found === undefined) return null;
      ask(found);
      return found;
    },
    forget: (signature) => void kept.delete(signature),
  };
}
