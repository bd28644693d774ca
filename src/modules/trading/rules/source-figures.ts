import type { Address } from '@tradepost/solana';

/** Pairs of the tokens that most pools are against are `major`: most of their volume trades where aggregators alone lead. */
export type PairClass = 'major' | 'other';

/** `offered`: it gave a price that was compared. `won`: its price was the best. `failed`: its answer could not be used. */
export type SourceOutcome = 'offered' | 'won' | 'failed';

/** How often a source of prices did that on a day. */
export type SourceCount = {
  /** `2026-01-31`, UTC. */
  readonly day: string;
  readonly pairClass: PairClass;
  /** `own`, or an aggregator's name. */
  readonly source: string;
  readonly outcome: SourceOutcome;
  /** With `won`: how much more than the next best, in hundredths of a percent, rounded down, at most `MOST_GAIN_BPS`. Else 0. */
  readonly gainBps: number;
  readonly quotes: number;
};

/** A source's figures over some days. */
export type SourceFigures = {
  readonly pairClass: PairClass;
  readonly source: string;
  /** Comparisons in which it had a price. */
  readonly offers: number;
  readonly wins: number;
  readonly failures: number;
  /** The lower median of its gains over the next best; null where it never won. */
  readonly medianGainBps: number | null;
};

/** The name of our own router among the sources. */
export const OWN_SOURCE = 'own';

/** Larger gains count as this one: beyond it the other price was none. */
export const MOST_GAIN_BPS = 10_000;

export function pairClassOf(
  hubs: readonly Address[],
  { mintIn, mintOut }: { readonly mintIn: Address; readonly mintOut: Address },
): PairClass {
  return hubs.includes(mintIn) && hubs.includes(mintOut) ? 'major' : 'other';
}

/**
 * What one comparison adds: an offer of each source that had a price, and the win of the best one. Among equal ones our own wins, then the
 * first. Nothing where none had a price.
 */
export function comparedSources(
  own: bigint | null,
  others: readonly { readonly source: string; readonly amountOut: bigint }[],
): readonly Pick<SourceCount, 'source' | 'outcome' | 'gainBps'>[] {
  const prices = [...(own === null ? [] : [{ source: OWN_SOURCE, amountOut: own }]), ...others];
  const [best, next] = prices.toSorted((a, b) =>
    a.amountOut === b.amountOut ? 0 : a.amountOut > b.amountOut ? -1 : 1,
  );
  if (best === undefined) return [];
  return [
    ...prices.map(({ source }) => ({ source, outcome: 'offered' as const, gainBps: 0 })),
    {
      source: best.source,
      outcome: 'won',
      gainBps: gainOf(best.amountOut, next?.amountOut ?? best.amountOut),
    },
  ];
}

function gainOf(best: bigint, next: bigint): number {
  if (next <= 0n) return best > 0n ? MOST_GAIN_BPS : 0;
  const bps = ((best - next) * 10_000n) / next;
  return bps > BigInt(MOST_GAIN_BPS) ? MOST_GAIN_BPS : Number(bps);
}

/** The counts of some days summed by class and source: major pairs first, our own first, then by name. */
export function sourceFigures(counts: readonly SourceCount[]): readonly SourceFigures[] {
  const kept = new Map<string, SourceCount[]>();
  for (const count of counts) {
    const id = `${count.pairClass}\0${count.source}`;
    kept.set(id, [...(kept.get(id) ?? []), count]);
  }
  const rank = ({ pairClass, source }: SourceFigures): string =>
    `${pairClass === 'major' ? 0 : 1}${source === OWN_SOURCE ? 0 : 1}${source}`;
  return [...kept.values()]
    .flatMap((rows) => figuresOf(rows) ?? [])
    .toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

function figuresOf(rows: readonly SourceCount[]): SourceFigures | null {
  const [first] = rows;
  if (first === undefined) return null;
  const sum = (outcome: SourceOutcome): number =>
    rows.reduce((all, row) => (row.outcome === outcome ? all + row.quotes : all), 0);
  return {
    pairClass: first.pairClass,
    source: first.source,
    offers: sum('offered'),
    wins: sum('won'),
    failures: sum('failed'),
    medianGainBps: lowerMedian(rows.filter(({ outcome }) => outcome === 'won')),
  };
}

function lowerMedian(won: readonly SourceCount[]): number | null {
  const half = won.reduce((all, { quotes }) => all + quotes, 0) / 2;
  let seen = 0;
  for (const { gainBps, quotes } of won.toSorted((a, b) => a.gainBps - b.gainBps)) {
    seen += quotes;
    if (seen >= half) return gainBps;
  }
  return null;
}
