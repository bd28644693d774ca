import { meteoraDammV2 } from '../../../packages/venues/src/meteora-damm-v2/index.ts';
import { buildDamm } from '../../../packages/venues/test/meteora-damm-v2/build.ts';
import { buildFacts, poolOf } from '../../../packages/venues/test/shared/build.ts';
import { camelCase } from '../anchor.mjs';
import { compare, orNull } from '../compare.mjs';

const Q64 = 1n << 64n;

export async function runSuite({ sdk, seed, states }) {
  const { CpAmmIdl, swapQuoteExactInput } = sdk('@meteora-ag/cp-amm-sdk');
  const { BorshAccountsCoder } = sdk('@coral-xyz/anchor');
  const BN = sdk('bn.js');
  const coder = new BorshAccountsCoder(CpAmmIdl);
  const make = (random) => {
    const sqrtPrice = random.log(Q64 / 2n ** 20n, Q64 << 20n);
    const mode = random.int(0, 3);
    const fixture = buildDamm({
      sqrtPrice,
      range: random.chance(50) ? [sqrtPrice - sqrtPrice / 8n, sqrtPrice + sqrtPrice / 8n] : undefined,
      liquidity: random.log(10n ** 6n, 10n ** 18n) * Q64 + random.between(0n, Q64),
      cliffFeeNumerator: random.pick([100_000n, 2_500_000n, 10_000_000n, 300_000_000n, 500_000_000n]),
      baseFeeMode: mode === 1 ? 1 : 0,
      schedule:
        mode < 2
          ? {
              periods: random.int(1, 200),
              length: random.between(1n, 600n),
              reduction: mode === 1 ? random.between(0n, 500n) : random.between(0n, 400n),
            }
          : undefined,
      activationPoint: mode < 2 ? 1_790_000_000n - random.between(0n, 50_000n) : 0n,
      dynamic: random.chance(40)
        ? { control: random.int(1, 100_000), binStep: 1, volatility: random.log(1n, 14_460_000n) }
        : undefined,
      collectFeeMode: random.int(0, 1),
      feeVersion: random.int(0, 1),
    });
    const pool = camelCase(BN, coder.decode('Pool', Buffer.from(fixture.accounts.get(fixture.id).data)));
    const point = new BN(buildFacts([]).unixSeconds.toString());
    const depth = random.log(1n, 10n ** 15n);
    return {
      pool: poolOf(meteoraDammV2, fixture),
      note: { mode },
      amount: () => random.amount(depth * 3n),
      vendor: (direction, amount) =>
        orNull(() => {
          const result = swapQuoteExactInput(
            pool,
            point,
            new BN(amount.toString()),
            0.5,
            direction === 0,
            false,
            6,
            6,
          );
          return BigInt(result.outputAmount.toString());
        }),
    };
  };
  return [await compare({ name: 'meteora-damm-v2', against: 'swapQuoteExactInput', seed, states, make })];
}
