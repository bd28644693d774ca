import { TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { PUMP_PROGRAM } from '@tradepost/venues';
import { expect, it } from 'vitest';
import { pumpFun } from '../../../../packages/venues/src/pump-fun/index.ts';
import { PUMP_FEES_PROGRAM } from '../../../../packages/venues/src/shared/pump-fees.ts';
import { buildCurve, COIN, type CurveFixture } from '../../../../packages/venues/test/pump-fun/build.ts';
import { buildMint } from '../../../../packages/venues/test/shared/build.ts';
import {
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  swapLadder,
} from '../shared/exchange/localnet.ts';
import { curveWallets, plantCurve } from './on-chain.ts';

/** Of curves made in 2026. */
const CURVE_BYTES = 151;

describeOnLocalnet('pump.fun on the real program', { programs: [PUMP_PROGRAM, PUMP_FEES_PROGRAM] }, () => {
  it.each<[string, CurveFixture]>([
    ['a young curve', {}],
    ['a coin under Token-2022', { coin: buildMint(COIN, { tokenProgram: TOKEN_2022_PROGRAM }) }],
    ['a coin that names no creator', { creator: null }],
    ['a coin of a higher tier', { virtualQuote: 600_000_000_000n }],
    ['the same coin, burnt to a lower tier', { virtualQuote: 600_000_000_000n, supply: 10n ** 14n }],
    [
      'an old curve',
      {
        virtualToken: 300_000_000_000_000n,
        virtualQuote: 107_300_000_000n,
        realToken: 20_100_000_000_000n,
        realQuote: 77_300_000_000n,
      },
    ],
  ])('pays what we quote: %s', (_title, input) => {
    const chain = createLocalnet([PUMP_PROGRAM, PUMP_FEES_PROGRAM]);
    chain.setUnixSeconds(1_790_000_000n);
    const fixture = buildCurve({ length: CURVE_BYTES, ...input });
    plantCurve(chain, fixture);
    const wallets = curveWallets(chain, fixture);
    const swaps = swapLadder([10n ** 12n, 10n ** 9n], 40);
    const check = expectSwapsMatch(chain, pumpFun, fixture, swaps, { wallets, paysLamports: true });
    expect(check.filled).toBeGreaterThan(20);
  });
});
