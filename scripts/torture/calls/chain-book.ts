import type { DeskChain } from '../../../src/local/desk/index.ts';

/** Where the chain itself has a transaction. `err`: the chain's error; null where it worked. */
export type OnChain = { readonly slot: number; readonly payer: string; readonly err: unknown };

/** The chain at one moment. */
export type Moment = {
  readonly finalizedSlot: number;
  readonly tipHeight: number;
  readonly finalizedHeight: number;
};

/** A witness on the chain's side of the wire: it knows each block's transactions, and nothing of the product. */
export type ChainBook = {
  /** By signature; a signature lands once. */
  readonly landed: ReadonlyMap<string, OnChain>;
  now(): Moment;
  /** The last height at which a transaction with this blockhash may land; null for one that is too old already. */
  lastHeightOf(blockhash: string): number | null;
};

/** Blocks for which a blockhash is good. */
const HASH_LIFE = 150;

export function openChainBook({ chain }: Pick<DeskChain, 'chain'>): ChainBook {
  const { slots } = chain;
  const landed = new Map<string, OnChain>();
  chain.listen({
    landed: ({ signature, slot, err, keys }) => {
      landed.set(signature, { slot, err, payer: keys[0] ?? '' });
    },
  });
  return {
    landed,
    now: () => ({
      finalizedSlot: slots.at('finalized'),
      tipHeight: slots.heightOf(slots.tip()),
      finalizedHeight: slots.heightOf(slots.at('finalized')),
    }),
    lastHeightOf: (blockhash) => {
      const slot = slots.liveHashSlot(blockhash);
      return slot === undefined ? null : slots.heightOf(slot) + HASH_LIFE;
    },
  };
}
