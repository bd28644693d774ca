import { raydiumClmm } from '../../../packages/venues/src/raydium-clmm/index.ts';
import {
  CLMM_PROGRAM,
  CONFIG,
  POOL,
  TICK_ARRAY,
  TICKS_PER_ARRAY,
} from '../../../packages/venues/src/raydium-clmm/layout.ts';
import { sqrtPriceOfTick } from '../../../packages/venues/src/raydium-clmm/tick-price.ts';
import { buildClmm, CONFIG_ID } from '../../../packages/venues/test/raydium-clmm/build.ts';
import { poolOf } from '../../../packages/venues/test/shared/build.ts';
import { compare, orNull } from '../compare.mjs';

export async function runSuite({ sdk, seed, states }) {
  const raydium = sdk('@raydium-io/raydium-sdk-v2');
  const { PoolInfoLayout, ClmmConfigLayout, TickArrayLayout, PoolUtils } = raydium;
  const { PublicKey } = sdk('@solana/web3.js');
  const BN = sdk('bn.js');
  const spans = [PoolInfoLayout.span, ClmmConfigLayout.span, TickArrayLayout.span];
  const ours = [POOL.minBytes, CONFIG.minBytes, TICK_ARRAY.minBytes];
  if (spans.join() !== ours.join()) throw new Error(`layout spans ${spans}, ours ${ours}`);
  const noWords = { positiveTickArrayBitmap: [], negativeTickArrayBitmap: [] };
  for (const words of Object.values(noWords))
    for (let index = 0; index < 14; index++) words.push(Array.from({ length: 8 }, () => new BN(0)));

  const make = (random) => {
    const spacing = random.pick([1, 10, 60, 120]);
    const furthest = Math.min(300_000, spacing * TICKS_PER_ARRAY * 100);
    const tickCurrent = random.int(-furthest, furthest);
    const near = (reach) => (Math.floor(tickCurrent / spacing) + random.int(-reach, reach)) * spacing;
    const positions = Array.from({ length: random.int(1, 10) }, () => {
      const [low, high] = [near(90), near(90)].sort((a, b) => a - b);
      return [low, high === low ? high + spacing : high, random.log(10n ** 4n, 10n ** 16n)];
    });
    const [low, high] = [sqrtPriceOfTick(tickCurrent), sqrtPriceOfTick(tickCurrent + 1)];
    const fixture = buildClmm({
      tickSpacing: spacing,
      tickCurrent,
      sqrtPrice: random.chance(20) ? low : random.between(low, high - 1n),
      positions,
      feeRate: random.pick([0, 100, 500, 2_500, 10_000, 20_000]),
    });
    const decode = (layout, key) => layout.decode(Buffer.from(fixture.accounts.get(key).data));
    const arrays = [...fixture.accounts.keys()].filter((key) => key !== fixture.id && key !== CONFIG_ID);
    const poolInfo = {
      programId: new PublicKey(CLMM_PROGRAM),
      id: new PublicKey(fixture.id),
      mintA: { address: fixture.mints[0].mint },
      accInfo: decode(PoolInfoLayout, fixture.id),
      ammConfig: decode(ClmmConfigLayout, CONFIG_ID),
    };
    const cache = Object.fromEntries(
      arrays.map((key) => {
        const value = decode(TickArrayLayout, key);
        return [value.startTickIndex, { ...value, address: new PublicKey(key) }];
      }),
    );
    const depth = random.log(1n, 10n ** 14n);
    return {
      pool: poolOf(raydiumClmm, fixture),
      note: { spacing, tickCurrent },
      amount: () => random.amount(depth),
      vendor: (direction, amount) =>
        orNull(() => {
          const result = PoolUtils.getOutputAmountAndRemainAccounts(
            poolInfo,
            noWords,
            cache,
            new PublicKey(fixture.mints[direction].mint),
            new BN(amount.toString()),
            1_790_000_000,
          );
          return result.allTrade ? BigInt(result.expectedAmountOut.toString()) : null;
        }),
    };
  };
  return [await compare({ name: 'raydium-clmm', against: 'PoolUtils swapInternal', seed, states, make })];
}
