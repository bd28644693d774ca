import { type Address, fromBase58, isAddress } from '@tradepost/solana';
import { z } from 'zod';
import type { ApiDeps } from '../../../compose/api-deps.ts';
import { formatUnits } from '../../../core/amounts/decimal.ts';
import { ApiError, invalidRequest } from '../../../platform/http/errors/api-error.ts';
import { EventStream, type ServerEvent } from '../../../platform/http/event-stream.ts';
import { widerNet } from '../../../platform/http/limits/client-key.ts';
import { type Caller, route } from '../../../platform/http/route.ts';
import { recordFor } from '../../submissions/rules/record.ts';
import { usdOf } from '../../tokens/api/token-records.ts';
import type { StreamClient } from '../use/stream-places.ts';
import type { StreamEvent } from '../use/trade-stream.ts';
import { TRADE } from './market-examples.ts';
import { marketOf } from './market-input.ts';
import { tradeOf, tradeRecord } from './market-records.ts';
import { EXAMPLE_MARKET } from './v1-route.ts';

const MAX_EACH = 50;
const LIST = `expected up to ${MAX_EACH} addresses, with commas between`;
const SIGNATURES = `expected up to ${MAX_EACH} signatures, with commas between`;
const SIGNATURE_BYTES = 64;
const LAST_EVENT = 'expected the id of the last event, which is the id of a trade';
/** Reconnecting browsers ask once in a second. */
const ALLOWANCE = { ratePerSecond: 5, burst: 20 };

const addresses = z
  .string({ error: LIST })
  .max(MAX_EACH * 45, { error: LIST })
  .transform((text, context): readonly Address[] => {
    const parts = text === '' ? [] : text.split(',');
    const good = parts.filter(isAddress);
    if (good.length === parts.length && good.length <= MAX_EACH) return [...new Set(good)];
    context.addIssue({ code: 'custom', message: LIST });
    return z.NEVER;
  });
const signatures = z
  .string({ error: SIGNATURES })
  .max(MAX_EACH * 89, { error: SIGNATURES })
  .transform((text, context): readonly string[] => {
    const parts = text === '' ? [] : text.split(',');
    const areGood = parts.every((one) => one.length <= 88 && fromBase58(one)?.length === SIGNATURE_BYTES);
    if (areGood && parts.length <= MAX_EACH) return [...new Set(parts)];
    context.addIssue({ code: 'custom', message: SIGNATURES });
    return z.NEVER;
  });
const query = z.strictObject({
  markets: addresses.default([]).describe('addresses of markets, with commas between'),
  tokens: addresses.default([]).describe('mints whose prices in dollars are told'),
  transactions: signatures.default([]).describe('signatures of submitted transactions, with commas between'),
  lastEventId: z
    .string({ error: LAST_EVENT })
    .regex(/^\d{1,16}$/, { error: LAST_EVENT })
    .optional()
    .describe('of an earlier stream: goes on behind it'),
});
type Query = z.infer<typeof query>;

/** Trades, bars and prices as they come, for browsers (`EventSource`) and programs. */
export const stream = route<Query>({
  act: 'reads',
  method: 'GET',
  path: '/stream',
  scope: 'market',
  allowance: ALLOWANCE,
  operationId: 'streamTrades',
  summary: 'Trades, bars and prices as they come: server-sent events',
  description:
    'Events `trade` (its `id` is that of the trade), `bar` (the minute that changed), `price` (of a token), `retract` (a fork had a trade that was told) `transaction` (the record of a submission as it is, and then at each change; it has no `id`) and `gap` (what was missed is more than 10,000 trades, or too old: ask the lists). A comment comes every 15 seconds. With `Last-Event-ID`, which browsers send by themselves, the stream goes on exactly behind that trade. Up to 50 markets, 50 tokens and 50 transactions; five streams per key, or per address where there is none (20 per /48 of IPv6); where all places are taken a key takes that of the oldest reader without one; a reader that is behind by a megabyte is let go, and one whose key is revoked or expires is let go within seconds.',
  headerFields: { lastEventId: 'last-event-id' },
  input: { in: 'query', name: 'StreamRequest', schema: query },
  inputExample: { markets: EXAMPLE_MARKET },
  output: { name: 'StreamTrade', schema: tradeRecord, example: TRADE },
  streams: true,
  errors: ['TOO_MANY_STREAMS'],
  codes: {
    markets: 'MARKETS_INVALID',
    tokens: 'TOKENS_INVALID',
    transactions: 'SIGNATURE_MALFORMED',
    lastEventId: 'LAST_EVENT_ID_INVALID',
  },
  across: () => [],
  fieldsOf: () => ({}),
  handle: async (deps, input, caller) => {
    const { markets: wanted, tokens, transactions, lastEventId } = input;
    if (wanted.length + tokens.length + transactions.length === 0)
      throw invalidRequest([{ field: 'markets', code: 'MARKETS_INVALID', message: LIST }]);
    const markets = await Promise.all(wanted.map(async (address) => (await marketOf(deps, address)).market));
    let end: (() => void) | null = null;
    // Evicted before it was opened: it is never opened.
    let isEvicted = false;
    const leave = takePlace(deps, caller, () => {
      isEvicted = true;
      end?.();
    });
    return new EventStream(async (writer) => {
      const { write } = writer;
      end = writer.end;
      if (isEvicted) end();
      try {
        const stop = await deps.tradeStream.subscribe(
          { markets, tokens, after: lastEventId === undefined ? null : BigInt(lastEventId) },
          { take: (events) => write(events.map(serverEvent)), end: writer.end },
        );
        const account = caller.key?.account ?? null;
        const stopSubmissions = await deps.submissions
          .subscribe(transactions, (changed) =>
            write(changed.map((one) => ({ event: 'transaction', data: recordFor(account, one) }))),
          )
          .catch((error: unknown) => {
            stop();
            throw error;
          });
        return () => {
          stop();
          stopSubmissions();
          leave();
        };
      } catch (error) {
        leave();
        throw error;
      }
    });
  },
});

function takePlace(
  { tradeStream }: Pick<ApiDeps, 'tradeStream'>,
  { key, id }: Caller,
  evict: () => void,
): () => void {
  const client: StreamClient =
    key === undefined
      ? { kind: 'anonymous', net: id, wide: widerNet(id) }
      : { kind: 'key', account: key.account };
  const leave = tradeStream.takePlace(client, evict);
  if (leave !== null) return leave;
  throw new ApiError({
    status: 429,
    code: 'TOO_MANY_STREAMS',
    message: 'as many streams are open as there may be; close one, or ask again later',
    retryable: true,
    headers: { 'retry-after': '5' },
  });
}

function serverEvent(event: StreamEvent): ServerEvent {
  switch (event.kind) {
    case 'trade':
      return { event: 'trade', id: event.trade.id.toString(), data: tradeOf(event.market, event.trade) };
    case 'retract': {
      const data = { id: Number(event.tradeId), marketAddress: event.market.address };
      return { event: 'retract', data };
    }
    case 'bar':
      return { event: 'bar', data: barOf(event) };
    case 'price':
      return { event: 'price', data: { mint: event.mint, ...usdOf(event.price, null) } };
    case 'gap':
      return { event: 'gap', data: { after: event.after.toString() } };
  }
}

/** As `/markets/{address}/candles` has them. */
function barOf({ market, candle }: Extract<StreamEvent, { kind: 'bar' }>): object {
  const { t, prices, base, quote, buyQuote, n } = candle;
  return {
    marketAddress: market.address,
    resolution: '1',
    t,
    open: prices?.open ?? null,
    high: prices?.high ?? null,
    low: prices?.low ?? null,
    close: prices?.close ?? null,
    baseVolume: formatUnits(base, market.baseDecimals),
    quoteVolume: formatUnits(quote, market.quoteDecimals),
    buyVolume: formatUnits(buyQuote, market.quoteDecimals),
    trades: n,
  };
}
