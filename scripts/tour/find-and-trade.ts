import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from '@tradepost/local-telegram';
import { holds, say } from './checks.ts';
import { askTrade, signatureOf, waitForResult, waitForScreen } from './screens.ts';

/** One picture comes in three seconds. */
const PICTURE_PAUSE_MS = 3_100;
const WITHIN_MS = 60_000;
const POLL_MS = 500;

/** Search, card, chart, trade, and the trade appears in the market data. */
export async function findAndTrade(
  who: Person,
  { openApiUrl }: { readonly openApiUrl: string },
  mint: string,
): Promise<void> {
  say('She finds Puppy by its name, looks at its chart, sells some, and the trade stands in /v1/trades');
  await who.say('$PUP');
  const found = await waitForScreen(who, /\n\S+( SOL)? · cap |page 1 of/);
  // Where another token looks like it, Puppy comes first.
  if (/page 1 of/.test(found.text ?? '')) {
    await who.tap('1');
    await waitForScreen(who, /\n\S+( SOL)? · cap |No market/);
  }
  await who.tap('Chart');
  const chart = await drawnChart(who);
  holds('the chart is a picture of her own trades', chart);
  await who.tap('Back');
  await waitForScreen(who, /\n\S+( SOL)? · cap |No market/);
  const asked = await askTrade(who, '🔴 25%');
  await who.tap('Confirm sell');
  const signature = signatureOf(await waitForResult(who, asked, /^Sold/));
  console.log(`  signature ${signature}`);
  holds('her trade stands in /v1/trades', await standsInTrades(openApiUrl, mint, signature));
}

/** The indexer reads her earlier trades within a slot or two of this; until then the chart says that there is none. */
async function drawnChart(who: Person): Promise<boolean> {
  const until = performance.now() + WITHIN_MS;
  for (;;) {
    // A tap that changes nothing shows nothing new.
    const shown = await who
      .waitFor((text, message) => /No trade of it/.test(text) || message.photo !== undefined, {
        timeoutMs: PICTURE_PAUSE_MS,
      })
      .catch(() => null);
    if (shown?.photo !== undefined) return (await who.photo(shown)).length > 1_000;
    if (performance.now() > until) return false;
    await pause(PICTURE_PAUSE_MS);
    await who.tap('✓ Candles');
  }
}

/** The address allows few calls, as it does to strangers: each waits for as long as the last one was asked to. */
async function standsInTrades(openApiUrl: string, mint: string, signature: string): Promise<boolean> {
  const until = performance.now() + WITHIN_MS;
  let addresses: readonly string[] = [];
  while (performance.now() < until) {
    // A market may be taken up after the first look: one that is known is not asked for again.
    if (addresses.length === 0) addresses = await marketsOf(openApiUrl, mint);
    for (const address of addresses)
      if ((await polite(`${openApiUrl}/v1/trades/${address}/24h?limit=50`))?.includes(signature)) return true;
    await pause(POLL_MS);
  }
  return false;
}

async function marketsOf(openApiUrl: string, mint: string): Promise<readonly string[]> {
  const answer = await polite(`${openApiUrl}/v1/pairs`);
  if (answer === null) return [];
  const { data } = JSON.parse(answer) as { readonly data: readonly Record<string, unknown>[] };
  return data.filter((pair) => JSON.stringify(pair).includes(mint)).map((pair) => String(pair['address']));
}

/** The body; null where the address refuses, after the pause that it asked for. */
async function polite(url: string): Promise<string | null> {
  const answer = await fetch(url);
  if (answer.ok) return answer.text();
  await pause(Number(answer.headers.get('retry-after') ?? 1) * 1_000);
  return null;
}
