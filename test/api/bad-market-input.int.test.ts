import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Market } from '../../src/modules/market/rules/market.ts';
import { freshAddress, newMarkets, tradeAt } from '../support/tape-rows.ts';
import { type MarketRig, NOW, openMarketRig } from './market-rig.ts';

let rig: MarketRig;
let app: FastifyInstance;
let pup: Market;
beforeAll(async () => {
  rig = await openMarketRig();
  app = rig.host();
  [pup] = (await newMarkets(rig.markets, ['PUP'])) as [Market];
  await rig.tape.append({ trades: [tradeAt(pup.id, NOW - 60)], live: [] });
  await rig.tape.moveWindows(NOW);
});
afterAll(() => rig.close());

const TV = '/v1/trade-history/tv';
const LISTS = ['/v1/prices', '/v1/prices/recent', '/v1/trades', '/v1/volumes', '/v1/pairs'];
const HISTORIES = ['/v1/trades/:address/24h', '/v1/trades/:address/all'];
const OF_ONE = [
  '/v1/prices/:address/last',
  '/v1/prices/:address/closing-price',
  ...HISTORIES,
  '/v1/trades/:address/last',
  '/v1/volumes/:address',
  '/v1/orderbooks/:address',
];
const CHARTS = [`${TV}/config`, `${TV}/symbols`, `${TV}/history`];
const EVERY = [...LISTS, ...OF_ONE, ...CHARTS];

const at = (path: string, address = pup.address as string): string => path.replace(':address', address);
const refusal = async (url: string): Promise<unknown> => {
  // Order books have a limit of their own.
  rig.advance(1);
  const answer = await app.inject({ url });
  if (url.startsWith(TV)) return answer.json();
  const { success, error } = answer.json<{
    success: boolean;
    error: { code: string; field?: string; message: string };
  }>();
  expect([url, success, error.message.length > 0]).toEqual([url, false, true]);
  return [answer.statusCode, error.code, error.field];
};

const A_MINT = 'a mint';
const ADDRESSES = {
  '31 bytes': freshAddress().slice(0, -2),
  'a zero byte': '%00',
  '10 kB': 'x'.repeat(10_000),
  quote: "'",
  'right-to-left': '%E2%80%AE',
  [A_MINT]: '',
};
const cursorOf = (text: string): string => Buffer.from(text).toString('base64url');
const LIMITS = ['0', '-1', '1e9', 'abc', '', '1001', '1.5', '٣'].map((limit) => [
  `limit=${limit}`,
  'limit',
  'LIMIT_INVALID',
]);
const CURSORS = ['x', cursorOf('["/v1/other","a"]'), cursorOf('["trades","1 OR 1=1"]'), '%00'].map(
  (cursor) => [`cursor=${cursor}`, 'cursor', 'CURSOR_INVALID'],
);
const TIMES = ['yesterday', '1e18', 'NaN'].map((since) => [`since=${since}`, 'since', 'TIME_INVALID']);
const PAGED = [...LIMITS, ...CURSORS, ...TIMES];

it.each(OF_ONE)('%s names what is wrong with an address', async (path) => {
  for (const [what, address] of Object.entries(ADDRESSES)) {
    const isMint = what === A_MINT;
    expect([what, await refusal(at(path, isMint ? pup.baseMint : address))]).toEqual([
      what,
      isMint ? [404, 'MARKET_NOT_FOUND', 'address'] : [400, 'ADDRESS_INVALID', 'address'],
    ]);
  }
});

it.each([...LISTS, ...HISTORIES])('%s names what is wrong with a page', async (path) => {
  for (const [query, field, code] of PAGED)
    expect([query, await refusal(`${at(path)}?${query}`)]).toEqual([query, [400, code, field]]);
});

it.each([...LISTS, ...OF_ONE])(
  '%s names a field that it does not know, and one that is repeated',
  async (path) => {
    for (const query of ['foo=1', 'foo=1&foo=2', '%00=1'])
      expect([query, await refusal(`${at(path)}?${query}`)]).toEqual([
        query,
        [400, 'FIELD_UNKNOWN', expect.any(String)],
      ]);
  },
);

it.each(['0', '201', '-1', '1e9', 'x'])('/v1/orderbooks/:address names a depth of %s', async (depth) => {
  expect(await refusal(`${at('/v1/orderbooks/:address')}?depth=${depth}`)).toEqual([
    400,
    'DEPTH_INVALID',
    'depth',
  ]);
});

const RANGE = 'symbol=PUP&from=1&to=5&resolution=1';
it.each([
  ['symbols', 'symbol=', 'symbol'],
  ['symbols', 'symbol=A/B/C', 'unknown symbol'],
  ['symbols', 'symbol=~', 'unknown symbol'],
  ['symbols', 'symbol=%F0%9F%90%B6', 'unknown symbol'],
  ['symbols', 'symbol=%E2%80%AEPUP', 'unknown symbol'],
  ['symbols', `symbol=${'a\u0301'.repeat(64)}`, 'symbol'],
  ['symbols', 'symbol=PUP&symbol=PUP', 'symbol'],
  ['history', RANGE.replace('to=5', 'to=0'), 'to'],
  ['history', RANGE.replace('from=1', 'from=NaN'), 'from'],
  ['history', RANGE.replace('to=5', 'to=1e18'), 'to'],
  ['history', RANGE.replace('resolution=1', 'resolution=7'), 'resolution'],
  ['history', RANGE.replace('resolution=1', 'resolution=1d'), 'resolution'],
  ['history', `${RANGE}&countback=1e9`, 'countback'],
  ['history', `${RANGE}&from=2`, 'from'],
] as const)('the charting datafeed’s %s?%s says what is wrong', async (path, query, about) => {
  expect(await refusal(`${TV}/${path}?${query}`)).toEqual({
    s: 'error',
    errmsg: expect.stringContaining(about),
  });
});

it.each(EVERY)('%s takes no method but GET and HEAD', async (path) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    const answer = await app.inject({ method, url: at(path) });
    expect([method, answer.statusCode, answer.headers['allow']]).toEqual([method, 405, 'GET, HEAD']);
  }
});

it('answers no question of this file with a fault, whatever path it is put to', async () => {
  const queries = [
    ...PAGED.map(([query]) => query),
    'depth=0',
    RANGE,
    'symbol=%25',
    'q=%25',
    'markets=x',
    '=',
    '&&',
    '%',
  ];
  for (const path of EVERY)
    for (const query of queries) {
      rig.advance(1);
      const { statusCode } = await app.inject({ url: `${at(path)}?${query}` });
      expect([path, query, statusCode < 500]).toEqual([path, query, true]);
    }
  expect(rig.failures()).toEqual([]);
});
