import { ROUTER_PROGRAM, TOKEN_2022_PROGRAM, WSOL_MINT } from '@tradepost/solana';
import { it } from 'vitest';
import { PUMP_SWAP_PROGRAM } from '../../../packages/venues/src/pump-swap/layout.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { PUMP_FEES_PROGRAM } from '../../../packages/venues/src/shared/pump-fees.ts';
import { COIN, type PumpSwapFixture } from '../../../packages/venues/test/pump-swap/build.ts';
import { buildMint, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { describeOnLocalnet, type Localnet } from '../../platform/venues/shared/exchange/localnet.ts';
import { cpmm, expectExact, pumpSwapOf, stage } from './real-market.ts';

const sol = buildMint(WSOL_MINT, { decimals: 9 });
const other = buildMint(testAddress(11));
const kinds: readonly (readonly [string, Partial<PumpSwapFixture>])[] = [
  ['a coin that came out of its curve', {}],
  ['a coin under Token-2022', { coin: buildMint(COIN, { tokenProgram: TOKEN_2022_PROGRAM }) }],
  ['a coin that names no creator', { coinCreator: null }],
  ['a cashback coin', { isCashback: true }],
  ['a mayhem coin', { isMayhem: true }],
  ['a pool that anybody opened', { canonical: false, coinCreator: null }],
];
const extra = [PUMP_SWAP_PROGRAM, PUMP_FEES_PROGRAM, ROUTER_PROGRAM];
const reserves = [10n ** 12n, 10n ** 12n] as const;

/** CPMM stands on the other side of the middle, deep enough to be no matter. */
describeOnLocalnet(
  'PumpSwap as a step of the real router program',
  { programs: [...extra, RAYDIUM_CPMM_PROGRAM] },
  () => {
    const coinOf = (input: Partial<PumpSwapFixture>) => input.coin ?? buildMint(COIN);
    const cpmmOf = (mints: Parameters<typeof cpmm>[3]) => (chain: Localnet) =>
      cpmm(chain, reserves, 100, mints);

    it.each(kinds)('sells first, then CPMM: %s brings the quote to the unit', async (_title, input) => {
      const mints = [coinOf(input), sol, other] as const;
      const after = cpmmOf([sol, other]);
      const desk = stage((chain) => [pumpSwapOf(input)(chain), after(chain)], extra, mints);
      await expectExact(desk, 10n ** 11n + 1n, mints);
    });

    it.each(kinds)('buys last, after CPMM: %s brings the quote to the unit', async (_title, input) => {
      const mints = [other, sol, coinOf(input)] as const;
      const before = cpmmOf([other, sol]);
      const desk = stage((chain) => [before(chain), pumpSwapOf(input)(chain)], extra, mints);
      await expectExact(desk, 10n ** 9n + 1n, mints);
    });

    it.each(kinds)('buys first, then CPMM: %s brings the quote to the unit', async (_title, input) => {
      const mints = [sol, coinOf(input), other] as const;
      const after = cpmmOf([coinOf(input), other]);
      const desk = stage((chain) => [pumpSwapOf(input)(chain), after(chain)], extra, mints);
      await expectExact(desk, 10n ** 9n + 1n, mints);
    });

    it.each(kinds)('sells last, after CPMM: %s brings the quote to the unit', async (_title, input) => {
      const mints = [other, coinOf(input), sol] as const;
      const before = cpmmOf([other, coinOf(input)]);
      const desk = stage((chain) => [before(chain), pumpSwapOf(input)(chain)], extra, mints);
      await expectExact(desk, 10n ** 10n + 1n, mints);
    });
  },
);
