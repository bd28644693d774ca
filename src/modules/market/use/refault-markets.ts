import type { TapeFault, TapeStore } from '../../../platform/ports/tape-store.ts';
import type { Market } from '../rules/market.ts';
import { type SealMarketsDeps, sealMarkets } from './seal-markets.ts';

export type RefaultDeps = SealMarketsDeps & {
  readonly tape: Pick<TapeStore, 'faults' | 'clearFaults' | 'cursor'>;
};

/** The result for one market's faults: those that this program still cannot decode. */
export type Refaulted = {
  readonly market: Market;
  readonly cleared: number;
  readonly left: readonly TapeFault[];
};

/**
 * Decodes transactions again that could not be decoded to the unit, with the code of this program, and seals their markets on from there. A
 * transaction that still cannot be decoded is written down as a fault again: nothing is passed over.
 */
export async function refaultMarkets(
  deps: RefaultDeps,
  markets: readonly Market[],
): Promise<readonly Refaulted[]> {
  const faults = await deps.tape.faults();
  const done: Refaulted[] = [];
  for (const market of markets) {
    const own = faults.filter(({ marketId }) => marketId === market.id);
    if (own.length === 0) continue;
    await deps.tape.clearFaults(own);
    await sealOn(deps, market);
    const left = await deps.tape.faults(market.id);
    done.push({ market, cleared: own.length, left });
  }
  return done;
}

async function sealOn(deps: RefaultDeps, market: Market): Promise<void> {
  const horizon = await deps.source.horizon('finalized');
  for (;;) {
    const cursor = await deps.tape.cursor(market.id);
    if (cursor === null) return;
    const { more } = await sealMarkets(deps, [{ market, cursor }], horizon, () => null);
    const found = await deps.tape.faults(market.id);
    if (!more || found.length > 0) return;
  }
}
