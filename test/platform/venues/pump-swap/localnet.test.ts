import { TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { expect, it } from 'vitest';
import { pumpSwap } from '../../../../packages/venues/src/pump-swap/index.ts';
import { PUMP_SWAP_PROGRAM } from '../../../../packages/venues/src/pump-swap/layout.ts';
import { PUMP_FEES_PROGRAM } from '../../../../packages/venues/src/shared/pump-fees.ts';
import {
  buildPumpSwap,
  COIN,
  type PumpSwapFixture,
} from '../../../../packages/venues/test/pump-swap/build.ts';
import { buildMint, buildWrappedSol } from '../../../../packages/venues/test/shared/build.ts';
import {
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  fundTrader,
  swapLadder,
} from '../shared/exchange/localnet.ts';
import { plantPumpSwap } from './on-chain.ts';

/** Of pools made in 2026. */
const POOL_BYTES = 301;
const reserves = [206_900_000_000_000n, 84_000_000_000n] as const;

describeOnLocalnet(
  'PumpSwap on the real program',
  { programs: [PUMP_SWAP_PROGRAM, PUMP_FEES_PROGRAM] },
  () => {
    it.each<[string, Partial<PumpSwapFixture>]>([
      ['a coin that came out of its curve', {}],
      ['a coin under Token-2022', { coin: buildMint(COIN, { tokenProgram: TOKEN_2022_PROGRAM }) }],
      ['a coin that names no creator', { coinCreator: null }],
      ['a coin that was burnt', { reserves: [10n ** 13n, 84_000_000_000n], supply: 10n ** 14n }],
      ['a coin of a higher tier', { reserves: [10n ** 13n, 84_000_000_000n] }],
      ['a cashback coin', { isCashback: true }],
      ['a mayhem coin', { isMayhem: true }],
      ['a pool that anybody opened', { canonical: false, coinCreator: null }],
    ])('pays what we quote: %s', (_title, input) => {
      const chain = createLocalnet([PUMP_SWAP_PROGRAM, PUMP_FEES_PROGRAM]);
      chain.setUnixSeconds(1_790_000_000n);
      const fixture = buildPumpSwap({ reserves, length: POOL_BYTES, ...input, onChain: true });
      plantPumpSwap(chain, fixture);
      const coins = fundTrader(chain, fixture.mints[0], 10n ** 15n);
      const wrapped = fundTrader(chain, fixture.mints[1], 0n);
      chain.set(wrapped, buildWrappedSol(fixture.mints[1], chain.trader, 10n ** 12n));
      const swaps = swapLadder([10n ** 12n, 10n ** 9n], 40);
      const check = expectSwapsMatch(chain, pumpSwap, fixture, swaps, { wallets: [coins, wrapped] });
      expect(check.filled).toBeGreaterThan(20);
    });
  },
);
