import { join } from 'node:path';
import { orcaWhirlpool } from '../../../packages/venues/src/orca-whirlpool/index.ts';
import { TICKS_PER_ARRAY, WHIRLPOOL_PROGRAM } from '../../../packages/venues/src/orca-whirlpool/layout.ts';
import { arrayStarts, tickArrayAddress } from '../../../packages/venues/src/orca-whirlpool/tick-arrays.ts';
import { sqrtPriceOfTick } from '../../../packages/venues/src/orca-whirlpool/tick-price.ts';
import { buildWhirlpool } from '../../../packages/venues/test/orca-whirlpool/build.ts';
import { poolOf } from '../../../packages/venues/test/shared/build.ts';
import { compare, orNull } from '../compare.mjs';

export async function runSuite({ sdk, seed, states }) {
  const root = sdk.resolve('@orca-so/whirlpools-sdk');
  const { computeSwap } = sdk(join(root, '..', 'quotes', 'swap', 'swap-manager.js'));
  const { TickArraySequence } = sdk(join(root, '..', 'quotes', 'swap', 'tick-array-sequence.js'));
  const { ParsableWhirlpool, ParsableTickArray, MIN_SQRT_PRICE_BN, MAX_SQRT_PRICE_BN } =
    sdk('@orca-so/whirlpools-sdk');
  const { PublicKey } = sdk('@solana/web3.js');
  const BN = sdk('bn.js');
  const owner = new PublicKey(WHIRLPOOL_PROGRAM);

  const make = (random) => {
    const spacing = random.pick([1, 2, 4, 8, 16, 64, 96, 128]);
    const furthest = Math.min(300_000, spacing * TICKS_PER_ARRAY * 30);
    const tickCurrent = random.int(-furthest, furthest);
    const near = (reach) => (Math.floor(tickCurrent / spacing) + random.int(-reach, reach)) * spacing;
    const bounded = (tick) => Math.max(-440_000, Math.min(440_000, tick));
    const positions = Array.from({ length: random.int(1, 10) }, () => {
      const ends = [near(150), near(150)].sort((a, b) => a - b);
      const aligned = ends.map((tick) => Math.trunc(bounded(tick) / spacing) * spacing);
      return [
        aligned[0],
        aligned[1] === aligned[0] ? aligned[1] + spacing : aligned[1],
        random.log(10n ** 4n, 10n ** 16n),
      ];
    });
    const [low, high] = [sqrtPriceOfTick(tickCurrent), sqrtPriceOfTick(tickCurrent + 1)];
    const fixture = buildWhirlpool({
      tickSpacing: spacing,
      tickCurrent,
      sqrtPrice: random.chance(20) ? low : random.between(low, high - 1n),
      positions,
      feeRate: random.pick([0, 100, 400, 3_000, 10_000, 20_000]),
      dynamic: random.chance(50),
      arrays: random.chance(20) ? 1 : 3,
    });
    const parse = (kind, key) => {
      const account = fixture.accounts.get(key);
      if (account === undefined) return null;
      return kind.parse(new PublicKey(key), { data: Buffer.from(account.data), owner });
    };
    const whirlpool = parse(ParsableWhirlpool, fixture.id);
    const depth = random.log(1n, 10n ** 14n);
    return {
      pool: poolOf(orcaWhirlpool, fixture),
      note: { spacing, tickCurrent },
      amount: () => random.amount(depth),
      vendor: (direction, amount) =>
        orNull(() => {
          const arrays = arrayStarts(tickCurrent, spacing, direction).map((start) => {
            const key = tickArrayAddress(fixture.id, start);
            return {
              address: new PublicKey(key),
              startTickIndex: start,
              data: parse(ParsableTickArray, key),
            };
          });
          const input = new BN(amount.toString());
          const result = computeSwap(
            whirlpool,
            new TickArraySequence(arrays, spacing, direction === 0),
            input,
            direction === 0 ? MIN_SQRT_PRICE_BN : MAX_SQRT_PRICE_BN,
            true,
            direction === 0,
            1_790_000_000,
            null,
          );
          const [paid, got] =
            direction === 0 ? [result.amountA, result.amountB] : [result.amountB, result.amountA];
          return paid.eq(input) ? BigInt(got.toString()) : null;
        }),
    };
  };
  return [await compare({ name: 'orca-whirlpool', against: 'computeSwap', seed, states, make })];
}
