import { meteoraDbc } from '../../../packages/venues/src/meteora-dbc/index.ts';
import { buildDbc, CONFIG_ID } from '../../../packages/venues/test/meteora-dbc/build.ts';
import { buildFacts, poolOf } from '../../../packages/venues/test/shared/build.ts';
import { camelCase } from '../anchor.mjs';
import { compare, orNull } from '../compare.mjs';

const Q64 = 1n << 64n;

export async function runSuite({ sdk, seed, states }) {
  const { DynamicBondingCurveIdl, swapQuoteExactIn } = sdk('@meteora-ag/dynamic-bonding-curve-sdk');
  const { BorshAccountsCoder } = sdk('@coral-xyz/anchor');
  const BN = sdk('bn.js');
  const coder = new BorshAccountsCoder(DynamicBondingCurveIdl);

  const make = (random) => {
    const mode = random.int(0, 3);
    const start = random.log(Q64 >> 20n, Q64 << 10n);
    let price = start;
    const curve = Array.from({ length: random.int(1, 8) }, () => {
      price += price / random.between(2n, 20n) + 1n;
      return [price, random.log(10n ** 7n, 10n ** 16n) * Q64 + random.between(0n, Q64)];
    });
    const last = curve.length - 1;
    // The curve may be complete anywhere within its last step.
    const end = last === 0 ? curve[0][0] : random.between(curve[last - 1][0] + 1n, curve[last][0]);
    const fixture = buildDbc({
      sqrtStartPrice: start,
      sqrtEndPrice: end,
      sqrtPrice: random.chance(15) ? curve[random.int(0, last)][0] : random.between(start, end),
      curve: curve.map(([at, liquidity], index) => [index === last ? curve[last][0] : at, liquidity]),
      cliffFeeNumerator: random.pick([2_500_000n, 10_000_000n, 300_000_000n]),
      baseFeeMode: mode === 1 ? 1 : 0,
      schedule:
        mode < 2
          ? {
              periods: random.int(1, 200),
              length: random.between(1n, 600n),
              reduction: random.between(0n, 400n),
            }
          : undefined,
      activationPoint: mode < 2 ? 1_790_000_000n - random.between(0n, 50_000n) : 0n,
      dynamic: random.chance(40)
        ? { control: random.int(1, 100_000), binStep: 1, volatility: random.log(1n, 14_460_000n) }
        : undefined,
      collectFeeMode: random.int(0, 1),
    });
    const decode = (name, key) =>
      camelCase(BN, coder.decode(name, Buffer.from(fixture.accounts.get(key).data)));
    const virtualPool = decode('VirtualPool', fixture.id);
    const config = decode('PoolConfig', CONFIG_ID);
    if (BigInt(virtualPool.poolState.sqrtPrice.toString()) > end) return make(random);
    const point = new BN(buildFacts([]).unixSeconds.toString());
    const scale = (liquidity, at) => [
      (liquidity * (Q64 / 4n)) / (at * Q64) + 1n,
      (liquidity * at) / Q64 / Q64 / 4n + 1n,
    ];
    const depth = scale(curve[0][1], start);
    return {
      pool: poolOf(meteoraDbc, fixture),
      note: { mode, steps: curve.length },
      amount: (direction) => random.amount(depth[direction] * 3n),
      vendor: (direction, amount) =>
        orNull(() => {
          const result = swapQuoteExactIn(
            virtualPool,
            config,
            direction === 0,
            new BN(amount.toString()),
            50,
            false,
            point,
            false,
          );
          return BigInt(result.outputAmount.toString());
        }),
    };
  };
  return [await compare({ name: 'meteora-dbc', against: 'swapQuoteExactIn', seed, states, make })];
}
