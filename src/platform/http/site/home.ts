import { isDatabaseDown } from '../../../core/errors/database-down.ts';
import type { MarketEntry } from '../../../modules/market/use/market-snapshot.ts';
import { homeBody, type MarketRow } from './home-html.ts';
import { type Page, type PageDeps, pageOf } from './page.ts';

const SHOWN = 50;
const SECONDS = 1;

/** `/`: the purpose of this site, and the markets that are traded most. */
export const homePage: Page = {
  path: '/',
  handle: async (deps) =>
    pageOf(
      deps.frame,
      {
        title: 'Markets',
        place: 'markets',
        body: homeBody({
          ...(await busiest(deps)),
          frame: deps.frame,
          publicUrl: deps.publicUrl(),
          now: deps.clock.now(),
        }),
        runs: 'live',
      },
      { cacheSeconds: SECONDS },
    ),
};

/** Null rows: they cannot be read now, which is not the same as none. */
async function busiest({
  market,
  tokens,
}: PageDeps): Promise<{ readonly rows: readonly MarketRow[] | null; readonly known: number }> {
  try {
    const { entries } = await market.snapshot();
    const shown = entries.toSorted((a, b) => weight(b) - weight(a)).slice(0, SHOWN);
    const sparks = await tokens.sparkLines(shown.map(({ market: { id } }) => id));
    return {
      rows: shown.map((entry) => ({ entry, spark: sparks.get(entry.market.id) })),
      known: entries.length,
    };
  } catch (error) {
    if (!isDatabaseDown(error)) throw error;
    return { rows: null, known: 0 };
  }
}

/** Volume in dollars where it is known, and any trade before none. */
function weight({ market, stats, quoteUsd }: MarketEntry): number {
  const volume = Number(stats?.quote ?? 0n) / 10 ** market.quoteDecimals;
  return volume * (quoteUsd?.usd ?? 1e-6) + (stats?.n ?? 0) * 1e-9;
}
