import type { Clock } from '../../../platform/ports/clock.ts';
import type { Market } from '../rules/market.ts';
import { type Contender, contendForPrimary } from '../rules/primary-market.ts';
import type { MarketStore } from '../store/market-store-port.ts';

export type ChoosePrimariesDeps = {
  readonly markets: Pick<MarketStore, 'looks' | 'setPrimary'>;
  readonly clock: Clock;
};

/** Moves a pair's name to a market that has been deeper for long. Returns who contends. */
export async function choosePrimaries(
  { markets, clock }: ChoosePrimariesDeps,
  followed: readonly Market[],
  standing: ReadonlyMap<string, Contender>,
): Promise<ReadonlyMap<string, Contender>> {
  const looks = await markets.looks();
  const contenders = new Map<string, Contender>();
  for (const [pair, ofPair] of pairsOf(followed)) {
    const candidates = ofPair.map(({ id, primary }) => ({
      id,
      primary,
      quoteLiquidity: looks.get(id)?.quote ?? 0n,
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
