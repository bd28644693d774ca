import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fromBase64, messageOf, toBase64, withSignature } from '../../../packages/sdk/src/index.ts';
import { routesOf } from '../../../src/compose/routes.ts';
import { variablesOf } from '../../../src/modules/docs/rules/curl.ts';
import type { Route } from '../../../src/platform/http/route.ts';
import { post, SOL } from '../../api/build-api.ts';
import { signedHeaders } from '../../api/program.ts';
import { type LivingService, startLivingService } from '../../packages/living-service.ts';
import { run } from '../../packages/packed.ts';
import { signMessage } from '../trading/desk-rig.ts';

/** The rig has no tape: each of these calls is right, and its answer says that the index is behind. */
const ASKS_THE_TAPE = [
  'listMarkets',
  'listTokens',
  'showMarket',
  'listMarketTrades',
  'listMarketCandles',
  'showMarketBook',
  'listPrices',
  'listRecentPrices',
  'showLastPrice',
  'showClosingPrice',
  'listLastTrades',
  'listTrades24h',
  'listTradesAll',
  'showLastTrade',
  'listVolumes',
  'showVolume',
  'showOrderBook',
  'listPairs',
  'showChartSymbol',
  'showChartHistory',
];
/** Refusals that the service behind these tests gives to a request that is right, each with its reason. */
const REFUSED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ASKS_THE_TAPE.map((operation) => [operation, 'INDEX_BEHIND'])),
  // Nor does it know profiles of tokens.
  showToken: 'TOKEN_NOT_FOUND',
  // The desk, its one venue, signs each swap itself.
  createSwapInstructions: 'NO_ROUTE',
  // The key was issued by hand, so there is no address to mail a new one to.
  rotateKey: 'KEY_WITHOUT_MAIL',
  // The program's wallet has no order and no trade, and no pool is behind it.
  endDeskOrder: 'ORDER_UNKNOWN',
  getDeskOrder: 'ORDER_UNKNOWN',
  getDeskTrade: 'TRADE_UNKNOWN',
  makeDeskTrade: 'PIN_REQUIRED',
  placeDeskOrder: 'PIN_REQUIRED',
};

let service: LivingService;
let hook: Server;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  service = await startLivingService('reference');
  const { text: key } = await service.api.issue({
    scopes: ['submit', 'swap', 'market', 'token'],
    ratePerSecond: 1_000,
    burst: 1_000,
  });
  hook = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => {
    hook.listen(0, '127.0.0.1', resolve);
  });
  const { mint } = service.rig.token('PUP');
  env = {
    PATH: process.env['PATH'],
    OPEN: service.openUrl,
    KEYED: service.url,
    KEY: key,
    WALLET: service.rig.wallet,
    MINT: mint,
    MARKET: mint,
    ORDER: '01KAZ3C8T5Q0V7N2M4R6W8Y1D3',
    TRADE: '01KAZ3C8T5Q0V7N2M4R6W8Y1D3',
    HOOK: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`,
  };
});
afterAll(async () => {
  hook.close();
  await service.stop();
});

/** Bytes of a fresh swap, signed, with the token that lets the open host take them. */
async function signedSwap(): Promise<{ readonly TRANSACTION: string; readonly SUBMIT_TOKEN: string }> {
  const { wallet, keypair } = service.rig;
  const answer = await post(service.api.open, {
    userWalletAddress: wallet,
    amount: '10000000',
    fromTokenAddress: SOL,
    toTokenAddress: env['MINT'],
  });
  const { txBase64, submitToken } = answer.json<{ data: { txBase64: string; submitToken: string } }>().data;
  const bytes = fromBase64(txBase64);
  const signed = withSignature(bytes, wallet, signMessage(keypair, messageOf(bytes)));
  return { TRANSACTION: toBase64(signed), SUBMIT_TOKEN: submitToken };
}

/** What a program signs of the request that a block makes, as the variables of that block. */
function signedEnv(block: string, { method }: Route): NodeJS.ProcessEnv {
  const [, printed = ''] = /"\$KEYED([^"]*)"/.exec(block) ?? [];
  const url = printed.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => env[name] ?? '');
  const [, quoted = ''] = / -d "([\s\S]*)"$/.exec(block) ?? [];
  // As the shell reads it.
  const body = quoted.replaceAll(
    /\\(["\\$`])|\$([A-Z_]+)/g,
    (_, escaped?: string, name?: string) => escaped ?? env[name ?? ''] ?? '',
  );
  const headers = signedHeaders(service.program, service.api.deps.clock.now(), { method, url, body });
  return {
    CONTENT_DIGEST: headers['content-digest'],
    SIGNATURE_INPUT: headers['signature-input'],
    REQUEST_SIGNATURE: headers['signature'],
  };
}

/** The first block of a page, as a reader copies it. */
async function blockOf(url: string, operation: string): Promise<string> {
  const page = await (await fetch(`${url}/docs/reference/${operation}`)).text();
  const [, text = ''] = /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(page) ?? [];
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** What it printed: the code of a refusal, or null. A stream has no end, so curl ends it, with 28. */
async function codeOf(block: string, { streams }: Route): Promise<string | null> {
  const ends = streams === true ? '[ $code = 0 ] || [ $code = 28 ]' : '[ $code = 0 ]';
  const printed = await run('bash', ['-uc', `{ ${block}\n}\ncode=$?\n${ends}`], tmpdir(), env);
  if (streams === true) return null;
  const answer = JSON.parse(printed) as { readonly error?: { readonly code: string } };
  return answer.error?.code ?? null;
}

it.each(['open', 'pro'] as const)(
  'each block of the reference of the %s host runs as it is printed',
  async (kind) => {
    const url = kind === 'open' ? service.openUrl : service.url;
    const submitted = await signedSwap();
    Object.assign(env, submitted);
    const seen = new Map<string, string | null>();
    // Removal last: the others need something that is there.
    const routes = routesOf(kind).toSorted(
      (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
    );
    for (const route of routes) {
      const block = await blockOf(url, route.operationId);
      if (variablesOf(block).includes('SIGNATURE')) {
        const [signature] = service.api.submissions.history.keys();
        env['SIGNATURE'] = signature;
      }
      if (variablesOf(block).includes('WEBHOOK')) {
        const list = await fetch(`${url}/webhooks`, { headers: { 'x-api-key': env['KEY'] ?? '' } });
        const { data } = (await list.json()) as { data: { id: string }[] };
        env['WEBHOOK'] = data[0]?.id;
      }
      if (variablesOf(block).includes('SIGNATURE_INPUT')) Object.assign(env, signedEnv(block, route));
      seen.set(route.operationId, await codeOf(block, route));
    }
    const wrong = [...seen].filter(([operation, code]) => code !== (REFUSED[operation] ?? null));
    expect(wrong).toEqual([]);
    expect(seen.size).toBe(routes.length);
  },
  300_000,
);
