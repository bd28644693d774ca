import { type Address, addressFromBytes, WSOL_MINT } from '@tradepost/solana';
import type { Pool } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { assertAllAsked, loadRoutePools } from '../../../src/modules/trading/use/load-route-pools.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';
import { buildPool } from './build-pool.ts';

const mint = (n: number): Address => addressFromBytes(new Uint8Array(32).fill(n));
const USD = mint(50);
const [A, B, C, D] = [mint(51), mint(52), mint(53), mint(54)];
const hubs = [WSOL_MINT, USD];

const load = async (
  deps: Parameters<typeof loadRoutePools>[0],
  mintIn: Address,
  mintOut: Address,
  intermediates?: readonly Address[],
) =>
  (await loadRoutePools(deps, { mintIn, mintOut, ...(intermediates === undefined ? {} : { intermediates }) }))
    .pools;

/** A venue over fixed pools that records what it is asked. */
function venueOf(name: string, pairs: readonly (readonly [Address, Address])[], first = 1) {
  const asked: string[] = [];
  const pools = pairs.map((mints, index) => buildPool({ id: first + index, mints }));
  const venue: Venue = {
    name,
    pools: async (a, b) => {
      asked.push([a, b].toSorted().join(' '));
      return pools.filter(({ mints }) => mints.includes(a) && mints.includes(b));
    },
    counterparts: async (of) => {
      asked.push(`counterparts ${of}`);
      return pools.flatMap(({ mints }) => (mints[0] === of ? [mints[1]] : mints[1] === of ? [mints[0]] : []));
    },
  };
  return { venue, asked };
}

const unreachable = new AppError('CHAIN_UNREACHABLE', { endpoint: 'test', cause: 'no answer' });
const idsOf = (pools: readonly Pool[]) => pools.map(({ id }) => id).toSorted();
const ids = (...numbers: readonly number[]) => numbers.map((n) => mint(n)).toSorted();

describe('loadRoutePools', () => {
  it('finds the pools of the pair and those over one and two other tokens, each once', async () => {
    const { venue } = venueOf('all', [
      [WSOL_MINT, A],
      [WSOL_MINT, USD],
      [USD, A],
      [WSOL_MINT, B],
      [B, A],
      [USD, B],
      [WSOL_MINT, C],
    ]);
    const pools = await load({ venues: [venue], hubs }, WSOL_MINT, A);
    expect(idsOf(pools)).toEqual(ids(1, 2, 3, 4, 5, 6));
  });

  it('never asks what trades against a hub, and asks a bounded number of pairs however many there are', async () => {
    const many = Array.from({ length: 60 }, (_, index) => mint(100 + index));
    const { venue, asked } = venueOf(
      'wide',
      many.flatMap((other) => [[A, other] as const, [other, B] as const]),
    );
    await load({ venues: [venue], hubs }, A, B);
    expect(asked.filter((one) => one.startsWith('counterparts')).toSorted()).toEqual(
      [`counterparts ${A}`, `counterparts ${B}`].toSorted(),
    );
    expect(asked.length).toBeLessThanOrEqual(2 + 1 + 2 * 4 + 3 * 3);
    const { venue: other, asked: fromHub } = venueOf('hub', [[WSOL_MINT, A]]);
    await load({ venues: [other], hubs }, WSOL_MINT, A);
    expect(fromHub).not.toContain(`counterparts ${WSOL_MINT}`);
  });

  it('goes over two tokens that are no hubs where nothing else leads there, and over none where something does', async () => {
    const far = [
      [A, C],
      [C, D],
      [D, B],
      [A, USD],
    ] as const;
    const { venue, asked } = venueOf('far', far);
    expect(idsOf(await load({ venues: [venue], hubs }, A, B))).toEqual(ids(1, 2, 3, 4));
    expect(asked).not.toContain(`counterparts ${USD}`);
    const { venue: near, asked: nearby } = venueOf('near', [...far, [USD, B]]);
    await load({ venues: [near], hubs }, A, B);
    expect(nearby).not.toContain(`counterparts ${C}`);
  });

  it('asks a bounded number of tokens and pairs where nothing leads there', async () => {
    const left = Array.from({ length: 40 }, (_, index) => mint(100 + index));
    const right = Array.from({ length: 40 }, (_, index) => mint(150 + index));
    const { venue, asked } = venueOf('apart', [
      ...left.map((other) => [A, other] as const),
      ...right.map((other) => [B, other] as const),
    ]);
    expect(await load({ venues: [venue], hubs }, A, B)).toEqual([]);
    expect(asked.length).toBeLessThanOrEqual(2 + 1 + 3);
  });

  it('reads only over the tokens it is given, without asking for others', async () => {
    const { venue, asked } = venueOf('given', [
      [WSOL_MINT, A],
      [WSOL_MINT, USD],
      [USD, A],
      [WSOL_MINT, B],
      [B, A],
    ]);
    const pools = await load({ venues: [venue], hubs }, WSOL_MINT, A, [B]);
    expect(idsOf(pools)).toEqual(ids(1, 4, 5));
    expect(asked.some((one) => one.startsWith('counterparts'))).toBe(false);
    expect(idsOf(await load({ venues: [venue], hubs }, WSOL_MINT, A, []))).toEqual(ids(1));
  });

  it('does without a venue that fails, and throws only when none can tell about the pair', async () => {
    const broken: Venue = {
      name: 'broken',
      pools: async () => Promise.reject(unreachable),
      counterparts: async () => Promise.reject(unreachable),
    };
    const { venue } = venueOf('sound', [
      [WSOL_MINT, USD],
      [USD, A],
    ]);
    expect(idsOf(await load({ venues: [broken, venue], hubs }, WSOL_MINT, A))).toEqual(ids(1, 2));
    await expect(load({ venues: [broken], hubs }, WSOL_MINT, A)).rejects.toBe(unreachable);
  });

  it('names a venue that does not know yet which tokens lead on, so that no route is refused for it', async () => {
    const { venue } = venueOf('slow', [[WSOL_MINT, A]]);
    const searching = new AppError('SEARCHING', { retryAfterMs: 5_000 });
    const slow: Venue = {
      ...venue,
      counterparts: async (mint) => (mint === B ? Promise.reject(searching) : [WSOL_MINT]),
    };
    const found = await loadRoutePools({ venues: [slow], hubs }, { mintIn: A, mintOut: B });
    expect(found).toMatchObject({ pools: [], unasked: ['slow'], searching: ['slow'] });
    expect(() => assertAllAsked(found)).toThrow('SEARCHING');
  });
});
