import type { Address } from '@tradepost/solana';
import { priceText } from '../../../platform/http/look/numbers.ts';
import { addressPage } from '../../../platform/http/site/address-page.ts';
import {
  type Form,
  jsonOf,
  movedTo,
  type Page,
  type PageAnswer,
  type PageDeps,
  pageOf,
  pngOf,
  refusal,
} from '../../../platform/http/site/page.ts';
import type { MarketEntry } from '../use/market-snapshot.ts';
import { loadMarketFacts, marketJson } from './facts.ts';
import { marketBody } from './html.ts';
import { marketPicture } from './picture.ts';

const FACTS_SECONDS = 1;
const PICTURE_SECONDS = 30;
/** A mint never becomes a market. */
const MOVED_SECONDS = 3_600;

/** `/market/<address>`, `.json`, `.png`: price, chart, depth and last trades of a market, for people, programs and previews. */
export const marketPages: Page = addressPage(
  'market',
  { away: 'The market' },
  async (deps, address, form) => {
    const entry = await deps.market.find(address);
    return entry === null ? await noMarket(deps, form, address) : await answer(deps, form, entry);
  },
);

async function answer(deps: PageDeps, form: Form, entry: MarketEntry): Promise<PageAnswer> {
  const facts = await loadMarketFacts(deps, entry);
  const { market, stats } = facts.entry;
  const publicUrl = deps.publicUrl();
  const now = deps.clock.now();
  const path = `/market/${market.address}`;
  if (form === 'json') return jsonOf(200, { data: marketJson(facts) }, FACTS_SECONDS);
  const picture = marketPicture(facts, now, publicUrl);
  if (form === 'png') {
    const sentence = 'There is nothing to draw before the first trade.';
    return picture === null
      ? refusal(deps, form, { status: 404, code: 'NO_TRADES', title: 'No trade yet', sentence })
      : pngOf(await deps.charts.candles(picture), PICTURE_SECONDS);
  }
  return pageOf(
    deps.frame,
    {
      title: `${market.name} ${priceText(stats?.last?.price ?? null)}`,
      place: 'markets',
      description: `Price, chart, depth and last trades of ${market.name} on ${market.venue}, read from the chain.`,
      image: picture === null || publicUrl === null ? null : `${publicUrl}${path}.png`,
      body: marketBody(facts, { now, frame: deps.frame }),
      runs: 'chart',
    },
    { cacheSeconds: FACTS_SECONDS },
  );
}

/** An address that is a token's leads a person to the token, and tells a program the markets. */
async function noMarket(deps: PageDeps, form: Form, mint: Address): Promise<PageAnswer> {
  const known = await deps.market.ofMint(mint);
  if (known.length > 0 && form === 'html') return movedTo(`/token/${mint}`, MOVED_SECONDS);
  const sentence =
    known.length === 0
      ? 'No market has this address. Markets show here as soon as they are read from the chain.'
      : `This is a token, not a market. Its markets: ${known
          .slice(0, 5)
          .map(({ name, address }) => `${name} ${address}`)
          .join(', ')}.`;
  return refusal(deps, form, { status: 404, code: 'MARKET_NOT_FOUND', title: 'No such market', sentence });
}
