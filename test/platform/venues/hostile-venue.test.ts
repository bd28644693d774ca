import { type Address, MAX_U64, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { loadPools } from '../../../src/modules/market/use/load-pools.ts';
import { chooseRoute } from '../../../src/modules/trading/rules/choose-route.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';
import { guardVenue } from '../../../src/platform/venues/guard-venue.ts';

const TOKEN = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const GOOD = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const EVIL = address('11111111111111111111111111111112');
const RESERVE = 1_000_000_000_000n;
const product = (_: Address, amountIn: bigint) => (amountIn * RESERVE) / (RESERVE + amountIn);

function pool(id: Address, more: Partial<Pool> = {}): Pool {
  return {
    id,
    venue: 'v',
    label: 'V',
    mints: [WSOL_MINT, TOKEN],
    slot: 1n,
    shape: { kind: 'constant-product', reserves: [RESERVE, RESERVE] },
    gains: [
      { in: 1, out: 1 },
      { in: 1, out: 1 },
    ],
    quote: product,
    spot: () => ({ numerator: 1n, denominator: 1n }),
    swap: () => [],
    ...more,
  };
}

function venue(name: string, pools: Venue['pools']) {
  const failures: (readonly [string, string, number])[] = [];
  const guarded = guardVenue({ name, pools, counterparts: async () => [] }, (who, error, times) =>
    failures.push([who, String(error), times]),
  );
  return { guarded, failures };
}

const good = venue('good', async () => [pool(GOOD)]);
const order = { mintIn: WSOL_MINT, mintOut: TOKEN, amountIn: 1_000_000_000n };
const fault = () => {
  throw new TypeError("Cannot read properties of undefined (reading 'x')");
};

describe('a hostile venue', () => {
  const nonsense: Readonly<Record<string, Partial<Pool>>> = {
    'quotes more than its reserves': { quote: () => RESERVE + 1n },
    'quotes more than a u64 from a curve without known reserves': {
      shape: { kind: 'concentrated', sqrtPrice: 1, liquidity: 1n, ticks: [] },
      quote: () => MAX_U64 + 1n,
    },
    'quotes less than nothing': { quote: () => -1n },
    'quotes a number': { quote: () => 5 as unknown as bigint },
    'quotes nothing at all': { quote: () => undefined as unknown as bigint },
    'throws at a quote': { quote: fault },
    'throws at a price': { spot: fault },
    'prices by a division through zero': { spot: () => ({ numerator: 1n, denominator: 0n }) },
    'prices below zero': { spot: () => ({ numerator: -1n, denominator: 1n }) },
    'quotes sensibly except at this very amount': {
      quote: (mint, amount) => (amount === order.amountIn ? RESERVE * 2n : product(mint, amount)),
    },
    'throws from some amount on': {
      quote: (mint, amount) => (amount > 1_000_000n && amount < RESERVE ? fault() : product(mint, amount)),
    },
  };

  it.each(Object.entries(nonsense))('that %s costs its own part and is told about once', async (_, more) => {
    const evil = venue('evil', async () => [pool(EVIL, more)]);
    const pools = await loadPools([good.guarded, evil.guarded], WSOL_MINT, TOKEN);
    const route = chooseRoute(pools, order);
    expect(route.legs.map((leg) => leg.pool.id)).toEqual([GOOD]);
    expect(route.amountOut).toBe(product(WSOL_MINT, order.amountIn));
    expect(evil.failures.map(([who, , times]) => [who, times])).toEqual([['evil', 1]]);
  });

  it('that throws while listing is dropped, counted, and alone offers nothing rather than an error of ours', async () => {
    const evil = venue('evil', async () => fault());
    const pools = await loadPools([good.guarded, evil.guarded], WSOL_MINT, TOKEN);
    expect(pools.map(({ id }) => id)).toEqual([GOOD]);
    expect(await loadPools([evil.guarded], WSOL_MINT, TOKEN)).toEqual([]);
    expect(() => chooseRoute([], order)).toThrow('NO_ROUTE');
    expect(evil.failures.map(([, , times]) => times)).toEqual([1, 2]);
  });

  it('that answers with no list is dropped', async () => {
    const evil = venue('evil', async () => ({ pools: 1 }) as unknown as readonly Pool[]);
    expect(await loadPools([evil.guarded, good.guarded], WSOL_MINT, TOKEN)).toHaveLength(1);
    expect(evil.failures).toHaveLength(1);
  });

  it('does not hide that no endpoint answers', async () => {
    const down = venue('down', async () => {
      throw new AppError('CHAIN_UNREACHABLE', { endpoint: 'rpc', cause: 'down' });
    });
    const evil = venue('evil', async () => fault());
    await expect(loadPools([evil.guarded, down.guarded], WSOL_MINT, TOKEN)).rejects.toThrow(
      'CHAIN_UNREACHABLE',
    );
  });
});

it('a guarded pool says what the pool says, and its faulty askers are told so', async () => {
  const [guarded] = await good.guarded.pools(WSOL_MINT, TOKEN);
  for (const amount of [1n, 999n, 10n ** 15n, MAX_U64]) {
    expect(guarded?.quote(WSOL_MINT, amount)).toBe(product(WSOL_MINT, amount));
  }
  const strict = venue('strict', async () => [
    pool(GOOD, { quote: (mint, amount) => (mint === GOOD ? fault() : product(mint, amount)) }),
  ]);
  const [one] = await strict.guarded.pools(WSOL_MINT, TOKEN);
  expect(() => one?.quote(GOOD, 1n)).toThrow(TypeError);
});
