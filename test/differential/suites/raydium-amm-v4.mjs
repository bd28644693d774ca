import { join } from 'node:path';
import { raydiumAmmV4 } from '../../../packages/venues/src/raydium-amm-v4/index.ts';
import { POOL } from '../../../packages/venues/src/raydium-amm-v4/layout.ts';
import { buildAmmV4 } from '../../../packages/venues/test/raydium-amm-v4/build.ts';
import { poolOf } from '../../../packages/venues/test/shared/build.ts';
import { compare, orNull } from '../compare.mjs';

export async function runSuite({ sdk, seed, states }) {
  const { liquidityStateV4Layout } = sdk('@raydium-io/raydium-sdk-v2');
  const BN = sdk('bn.js');
  // The quote is an instance method that needs neither the instance nor an RPC.
  const root = sdk.resolve('@raydium-io/raydium-sdk-v2');
  const { default: Liquidity } = sdk(join(root, '..', 'raydium', 'liquidity', 'liquidity.js'));
  const self = { logDebug: () => {} };
  if (liquidityStateV4Layout.span !== POOL.minBytes) throw new Error('layout spans differ');

  const make = (random) => {
    const reserves = [random.log(1000n, 10n ** 18n), random.log(1000n, 10n ** 18n)];
    // The vendor's function knows one fee, 25/10000; others are covered by the real program.
    const fixture = buildAmmV4({ reserves, pnl: [random.log(1n, 10n ** 9n), random.log(1n, 10n ** 9n)] });
    const info = liquidityStateV4Layout.decode(Buffer.from(fixture.accounts.get(fixture.id).data));
    const vault = (key) => new BN(Buffer.from(fixture.accounts.get(key.toBase58()).data.slice(64, 72)), 'le');
    const mints = [info.baseMint.toBase58(), info.quoteMint.toBase58()];
    const poolInfo = {
      version: 4,
      mintA: { address: mints[0], decimals: 6 },
      mintB: { address: mints[1], decimals: 6 },
      baseReserve: vault(info.baseVault).sub(info.baseNeedTakePnl),
      quoteReserve: vault(info.quoteVault).sub(info.quoteNeedTakePnl),
    };
    return {
      pool: poolOf(raydiumAmmV4('long'), fixture),
      amount: (direction) => {
        // Below 200 units the program rounds the fee to the nearest and this SDK up (math.rs `CheckedCeilDiv`).
        const amount = random.amount(reserves[direction]);
        return amount < 200n ? amount + 200n : amount;
      },
      vendor: (direction, amount) =>
        orNull(() => {
          const result = Liquidity.prototype.computeAmountOut.call(self, {
            poolInfo,
            amountIn: new BN(amount.toString()),
            mintIn: mints[direction],
            mintOut: mints[1 - direction],
            slippage: 0.01,
          });
          return BigInt(result.amountOut.toString());
        }),
    };
  };
  return [
    await compare({ name: 'raydium-amm-v4', against: 'Liquidity.computeAmountOut', seed, states, make }),
  ];
}
