import { type Address, OPENBOOK_V2_PROGRAM, unitsHeld } from '@tradepost/solana';
import { type ExchangePool, isRefusal } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { openbookV2 } from '../../../../packages/venues/src/openbook-v2/index.ts';
import {
  createLocalnet,
  describeOnLocalnet,
  fundTrader,
  type Localnet,
  swapLadder,
} from '../shared/exchange/localnet.ts';
import { type LiveMarket, type LiveMarketInput, openLiveMarket } from './live-market.ts';

const NOW = 1_790_000_000n;

describeOnLocalnet('OpenBook v2 on the real program', { programs: [OPENBOOK_V2_PROGRAM] }, () => {
  const open = (input: LiveMarketInput = {}) => {
    const chain = createLocalnet([OPENBOOK_V2_PROGRAM]);
    chain.setUnixSeconds(NOW);
    const market = openLiveMarket(chain, input);
    const wallets = market.mints.map((mint) => fundTrader(chain, mint, 2n ** 60n)) as [Address, Address];
    return { chain, market, wallets };
  };

  /** Seven orders a side of two makers, two of them at one price. */
  const fill = (market: LiveMarket) => {
    const makers = [market.openMaker(), market.openMaker()] as const;
    for (let level = 0n; level < 7n; level++) {
      const maker = makers[level % 2n === 0n ? 0 : 1];
      const away = (level - (level === 3n ? 1n : 0n)) * 137n;
      market.place(maker, {
        side: 'ask',
        priceLots: 150_333n + away,
        baseLots: 1_100n + 100n * level * level,
      });
      market.place(maker, { side: 'bid', priceLots: 149_111n - away, baseLots: 900n + 300n * level });
    }
    return makers;
  };

  const decoded = (chain: Localnet, market: LiveMarket): ExchangePool => {
    const clock = chain.svm.getClock();
    const pool = openbookV2.decode(
      { id: market.id, asked: [], get: (key) => chain.get(key) },
      {
        slot: clock.slot,
        epoch: clock.epoch,
        unixSeconds: clock.unixTimestamp,
        mint: (mint) => market.mints.find((facts) => facts.mint === mint) ?? null,
      },
    );
    if (isRefusal(pool)) throw new Error(`refused (${pool.reason}): ${pool.detail}`);
    return pool;
  };

  const swapOn = (
    pool: ExchangePool,
    { chain, wallets }: Pick<ReturnType<typeof open>, 'chain' | 'wallets'>,
    order: { direction: 0 | 1; amount: bigint; minOut: bigint },
  ) => {
    const destination = wallets[order.direction === 0 ? 1 : 0];
    return pool.swap({
      owner: chain.trader,
      mintIn: pool.mints[order.direction],
      amountIn: order.amount,
      amountOut: pool.quote(pool.mints[order.direction], order.amount),
      minOut: order.minOut,
      source: wallets[order.direction],
      destination,
      destinationHolds: unitsHeld(chain.get(destination)),
    });
  };

  describe.each<[string, LiveMarketInput]>([
    ['no fees', {}],
    ['a taker fee', { takerFee: 1_000n }],
    ['a rebate for makers', { takerFee: 400n, makerFee: -200n }],
    ['a fee on makers', { takerFee: 400n, makerFee: 300n }],
    ['lots of a hundred units of quote', { baseLotSize: 1_000n, quoteLotSize: 100n, takerFee: 123n }],
  ])('with %s', (_title, input) => {
    it('pays what we quote and not a unit more', () => {
      const world = open(input);
      const { chain, market, wallets } = world;
      fill(market);
      const reserves = [
        6_000n * (input.baseLotSize ?? 1_000_000n),
        900_000_000n * (input.quoteLotSize ?? 1n),
      ] as const;
      let filled = 0;
      for (const { direction, amount: extra } of swapLadder([reserves[0] / 8n, reserves[1] / 8n], 14)) {
        const amount = reserves[direction] / 64n + extra;
        const pool = decoded(chain, market);
        const quoted = pool.quote(pool.mints[direction], amount);
        if (quoted === 0n) continue;
        const more = swapOn(pool, world, { direction, amount, minOut: quoted + 1n });
        expect(chain.run(more), 'one unit above the quote').not.toBeNull();
        const before = wallets.map((wallet) => unitsHeld(chain.get(wallet)));
        const swap = swapOn(pool, world, { direction, amount, minOut: quoted });
        expect(chain.run(swap), `swap of ${amount}`).toBeNull();
        const after = wallets.map((wallet) => unitsHeld(chain.get(wallet)));
        const other = direction === 0 ? 1 : 0;
        expect((after[other] ?? 0n) - (before[other] ?? 0n), `received for ${amount}`).toBe(quoted);
        const spent = (before[direction] ?? 0n) - (after[direction] ?? 0n);
        expect(spent, `spent of ${amount}`).toBeLessThanOrEqual(amount);
        expect((amount - spent) * 100n, `unspent of ${amount}`).toBeLessThanOrEqual(amount);
        filled++;
      }
      expect(filled).toBeGreaterThan(8);
      // Every maker was credited in place, so the trader paid no penalty.
      expect(market.waitingEvents()).toBe(0);
    });
  });

  it('removes dead orders on the way and trades with the live ones behind them', () => {
    const world = open();
    const { chain, market, wallets } = world;
    const [maker] = fill(market);
    const dead = market.openMaker();
    market.place(dead, { side: 'ask', priceLots: 150_000n, baseLots: 5n, expiresAt: NOW + 30n });
    expect(decoded(chain, market).quote(market.mints[1].mint, 150_000n)).toBe(1_000_000n);
    chain.setUnixSeconds(NOW + 30n);
    const pool = decoded(chain, market);
    const amount = 150_333n * 3n;
    expect(pool.quote(market.mints[1].mint, amount)).toBe(3_000_000n);
    const swap = swapOn(pool, world, { direction: 1, amount, minOut: 3_000_000n });
    expect(swap[0]?.accounts.slice(-2).map((meta) => meta.address)).toEqual([dead, maker]);
    const before = unitsHeld(chain.get(wallets[1]));
    expect(chain.run(swap)).toBeNull();
    expect(before - unitsHeld(chain.get(wallets[1]))).toBe(amount);
    expect(market.waitingEvents()).toBe(0);
  });

  it.each([0, 1] as const)(
    'moves nothing when the book left less than the minimum (direction %i)',
    (direction) => {
      const world = open();
      const { chain, market, wallets } = world;
      fill(market);
      const amount = direction === 0 ? 2_000_000_000n : 300_000_000n;
      const pool = decoded(chain, market);
      const quoted = pool.quote(pool.mints[direction], amount);
      const minOut = (quoted * 999n) / 1_000n;
      const late = swapOn(pool, world, { direction, amount, minOut });
      // Somebody else was faster: most of what was quoted is gone.
      const rival = fundTrader(chain, market.mints[direction === 0 ? 1 : 0], 0n);
      const rivals = { chain, wallets: direction === 0 ? [wallets[0], rival] : [rival, wallets[1]] } as const;
      const big = amount * 3n;
      const taken = decoded(chain, market).quote(pool.mints[direction], big);
      expect(taken).toBeGreaterThan(quoted);
      const first = swapOn(decoded(chain, market), rivals as never, {
        direction,
        amount: big,
        minOut: taken,
      });
      expect(chain.run(first)).toBeNull();
      const before = wallets.map((wallet) => unitsHeld(chain.get(wallet)));
      expect(chain.run(late)).toMatch(/insufficient funds/);
      expect(wallets.map((wallet) => unitsHeld(chain.get(wallet)))).toEqual(before);
    },
  );

  it.each([0, 1] as const)(
    'gives less than quoted within the minimum when the best order is gone (direction %i)',
    (direction) => {
      const world = open();
      const { chain, market, wallets } = world;
      fill(market);
      const amount = direction === 0 ? 2_000_000_000n : 300_000_000n;
      const pool = decoded(chain, market);
      const quoted = pool.quote(pool.mints[direction], amount);
      const minOut = (quoted * 99n) / 100n;
      const late = swapOn(pool, world, { direction, amount, minOut });
      const rival = fundTrader(chain, market.mints[direction === 0 ? 1 : 0], 0n);
      const rivals = { chain, wallets: direction === 0 ? [wallets[0], rival] : [rival, wallets[1]] } as const;
      const small = direction === 0 ? 500_000_000n : 150_333n * 500n;
      const first = swapOn(pool, rivals as never, { direction, amount: small, minOut: 1n });
      expect(chain.run(first)).toBeNull();
      const other = direction === 0 ? 1 : 0;
      const before = unitsHeld(chain.get(wallets[other]));
      expect(chain.run(late)).toBeNull();
      const received = unitsHeld(chain.get(wallets[other])) - before;
      expect(received).toBeGreaterThanOrEqual(minOut);
      expect(received).toBeLessThanOrEqual(quoted);
    },
  );
});
