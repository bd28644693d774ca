import { raydiumLaunchlab } from '../../../packages/venues/src/raydium-launchlab/index.ts';
import { CONFIG, PLATFORM, POOL } from '../../../packages/venues/src/raydium-launchlab/layout.ts';
import {
  buildLaunch,
  CONFIG_ID,
  PLATFORM_ID,
} from '../../../packages/venues/test/raydium-launchlab/build.ts';
import { poolOf } from '../../../packages/venues/test/shared/build.ts';
import { compare, orNull } from '../compare.mjs';

export async function runSuite({ sdk, seed, states }) {
  const { Curve, LaunchpadPool, LaunchpadConfig, PlatformConfig } = sdk('@raydium-io/raydium-sdk-v2');
  const BN = sdk('bn.js');
  const spans = [LaunchpadPool.span, LaunchpadConfig.span, PlatformConfig.span];
  const ours = [POOL.minBytes, CONFIG.minBytes, PLATFORM.minBytes];
  if (spans.join() !== ours.join()) throw new Error(`layout spans ${spans}, ours ${ours}`);

  const make = (random) => {
    const virtual = [random.log(10n ** 9n, 2n * 10n ** 15n), random.log(10n ** 6n, 10n ** 12n)];
    const totalSell = random.between(virtual[0] / 10n, (virtual[0] * 9n) / 10n);
    const real = [random.between(0n, totalSell), random.log(1n, 10n ** 12n)];
    const fixture = buildLaunch({
      virtual,
      real,
      totalSell,
      tradeFeeRate: random.pick([0n, 2_500n, 10_000n]),
      platformFeeRate: random.between(0n, 20_000n),
      creatorFeeRate: random.pick([0n, 500n, 5_000n]),
    });
    const decode = (layout, key) => layout.decode(Buffer.from(fixture.accounts.get(key).data));
    const poolInfo = decode(LaunchpadPool, fixture.id);
    const config = decode(LaunchpadConfig, CONFIG_ID);
    const platform = decode(PlatformConfig, PLATFORM_ID);
    const rates = {
      poolInfo,
      protocolFeeRate: config.tradeFeeRate,
      platformFeeRate: platform.feeRate,
      shareFeeRate: new BN(0),
      creatorFeeRate: platform.creatorFeeRate,
      curveType: config.curveType,
      slot: 0,
    };
    return {
      pool: poolOf(raydiumLaunchlab, fixture),
      amount: (direction) => random.amount(direction === 0 ? virtual[0] : virtual[1] + real[1]),
      vendor: (direction, amount) =>
        orNull(() => {
          const units = new BN(amount.toString());
          if (direction === 0) {
            const sold = Curve.sellExactIn({ ...rates, amountA: units }).amountB;
            const zero = new BN(0);
            const free = { protocolFeeRate: zero, platformFeeRate: zero, creatorFeeRate: zero };
            const gross = Curve.sellExactIn({ ...rates, ...free, amountA: units }).amountB;
            // The vendor's function does not ask whether that much was ever raised.
            return gross.gt(poolInfo.realB) ? null : BigInt(sold.toString());
          }
          const bought = Curve.buyExactIn({ ...rates, amountB: units });
          // Capped at what is left: the program would take less than was given, which is not an exact input.
          return bought.amountB.eq(units) ? BigInt(bought.amountA.amount.toString()) : null;
        }),
    };
  };
  return [
    await compare({
      name: 'raydium-launchlab',
      against: 'Curve.buyExactIn, sellExactIn',
      seed,
      states,
      make,
    }),
  ];
}
