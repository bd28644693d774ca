import type { Market } from '../../core/market/market.ts';
import { type Contender, contendForPrimary } from '../../core/market/primary-market.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { MarketStore } from '../../core/ports/market-store.ts';
import type { TapeStore } from '../../core/ports/tape-store.ts';

export type ChoosePrimariesDeps = {
  readonly tape: Pick<TapeStore, 'cursors'>;
  readonly markets: Pick<MarketStore, 'saveLiquidity' | 'setPrimary'>;
  readonly clock: Clock;
};

/** Writes down how deep these markets are, and moves a pair's name to one that has been deeper for long. Returns who contends. */
export async function choosePrimaries(
  { tape, markets, clock }: ChoosePrimariesDeps,
  followed: readonly Market[],
  standing: ReadonlyMap<string, Contender>,
): Promise<ReadonlyMap<string, Contender>> {
  const depths = new Map(
    (await tape.cursors()).flatMap(({ marketId, post }) =>
      post === null ? [] : ([[marketId, post.quote]] as const),
    ),
  );
  const looks = followed.flatMap(({ id: marketId }) => {
    const quote = depths.get(marketId);
    return quote === undefined ? [] : [{ marketId, quote }];
  });
  if (looks.length > 0) await markets.saveLiquidity(looks);
  const contenders = new Map<string, Contender>();
  for (const [pair, ofPair] of pairsOf(followed)) {
    const candidates = ofPair.map(({ id, primary }) => ({
      id,
      primary,
      quoteLiquidity: depths.get(id) ?? 0n,
    }));
    const { contender, winner } = contendForPrimary(candidates, standing.get(pair) ?? null, clock.now());
    if (contender !== null) contenders.set(pair, contender);
    if (winner !== null) await markets.setPrimary(winner);
  }
  return contenders;
}

function pairsOf(markets: readonly Market[]): ReadonlyMap<string, readonly Market[]> {
  const pairs = new Map<string, Market[]>();
  for (const market of markets) {
    const pair = `${market.baseMint} ${market.quoteMint}`;
    const known = pairs.get(pair);
    if (known === undefined) pairs.set(pair, [market]);
    else known.push(market);
  }
  return pairs;
}
