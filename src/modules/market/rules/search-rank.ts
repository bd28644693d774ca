import type { Address } from '@tradepost/solana';

/** The facts by which a token found by its name is ranked. */
export type Findable = {
  readonly mint: Address;
  /** See `searchKey`. */
  readonly symbolKey: string;
  readonly nameKey: string;
  /** Well known, or vouched for by the operator. */
  readonly verified: boolean;
  /** Has its ticker alone in market names: see `market-name.ts`. */
  readonly bare: boolean;
  /** By the asker. */
  readonly held: boolean;
  readonly madeHere: boolean;
  /** 0 where unknown. */
  readonly liquidityUsd: number;
  /** Of key and question, 0 to 1. */
  readonly similarity: number;
};

export type Ranked<T> = T & {
  /** The better known token that has the same ticker to a reader's eye; null for the one that it belongs to. */
  readonly imitates: Address | null;
};

/** How a name answers a question; the smaller the better. */
const ENTRANCE = { exact: 0, prefix: 1, contains: 2, similar: 3 } as const;

/**
 * Those that answer the question, the best first: verified with exactly this ticker, held by the asker, exactly this ticker, made here.
 * Then come names that begin so, contain it, or are like it; the deeper first. Of tokens that a reader takes for one another only the first
 * keeps its place. The others come behind it, and name the token that they imitate.
 */
export function rankTokens<T extends Findable>(found: readonly T[], key: string): readonly Ranked<T>[] {
  const owners = new Map<string, T>();
  const best = found.toSorted((a, b) => compare(a, b, key));
  for (const token of best) {
    const owner = owners.get(token.symbolKey);
    if (owner === undefined || ownerRank(token) < ownerRank(owner)) owners.set(token.symbolKey, token);
  }
  const ranked = best.map((token) => {
    const owner = owners.get(token.symbolKey);
    const isOwner = token.symbolKey === '' || owner === undefined || owner.mint === token.mint;
    return { ...token, imitates: isOwner ? null : owner.mint };
  });
  const placed: Ranked<T>[] = [];
  const waiting = new Map<Address, Ranked<T>[]>();
  const isPlaced = new Set<Address>();
  for (const token of ranked) {
    if (token.imitates !== null && !isPlaced.has(token.imitates)) {
      waiting.set(token.imitates, [...(waiting.get(token.imitates) ?? []), token]);
      continue;
    }
    placed.push(token, ...(waiting.get(token.mint) ?? []));
    isPlaced.add(token.mint);
  }
  return placed;
}

/** Whose ticker it is: a verified token's, else the first one's that was named here, else the best one's. */
function ownerRank({ verified, bare }: Findable): number {
  if (verified) return 0;
  return bare ? 1 : 2;
}

function compare(a: Findable, b: Findable, key: string): number {
  return (
    placeOf(a, key) - placeOf(b, key) ||
    b.liquidityUsd - a.liquidityUsd ||
    b.similarity - a.similarity ||
    (a.mint < b.mint ? -1 : 1)
  );
}

function placeOf(token: Findable, key: string): number {
  const entrance = entranceOf(token, key);
  if (entrance === ENTRANCE.exact) {
    if (token.verified) return 0;
    if (token.held) return 1;
    return 2;
  }
  if (token.held) return 1;
  return token.madeHere ? 3 : 3 + entrance;
}

function entranceOf({ symbolKey, nameKey }: Findable, key: string): number {
  if (symbolKey === key || nameKey === key) return ENTRANCE.exact;
  if (symbolKey.startsWith(key) || nameKey.startsWith(key)) return ENTRANCE.prefix;
  return symbolKey.includes(key) || nameKey.includes(key) ? ENTRANCE.contains : ENTRANCE.similar;
}
