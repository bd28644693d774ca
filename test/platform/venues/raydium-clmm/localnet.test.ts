import { expect, it } from 'vitest';
import { raydiumClmm } from '../../../../packages/venues/src/raydium-clmm/index.ts';
import { CLMM_PROGRAM } from '../../../../packages/venues/src/raydium-clmm/layout.ts';
import { sqrtPriceOfTick } from '../../../../packages/venues/src/raydium-clmm/tick-price.ts';
import { buildClmm, type ClmmFixture } from '../../../../packages/venues/test/raydium-clmm/build.ts';
import { buildWithholdingMint } from '../../../../packages/venues/test/shared/build.ts';
import {
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  swapLadder,
} from '../shared/exchange/localnet.ts';
import { plantClmm } from './on-chain.ts';

describeOnLocalnet('Raydium CLMM on the real program', { programs: [CLMM_PROGRAM] }, () => {
  const open = (input: ClmmFixture) => {
    const chain = createLocalnet([CLMM_PROGRAM]);
    chain.setUnixSeconds(1_790_000_000n);
    const fixture = buildClmm(input);
    plantClmm(chain, fixture);
    return { chain, fixture };
  };
  const layered = [
    [-600, 600, 10n ** 12n],
    [-7_200, 1_200, 5n * 10n ** 11n],
    [-120, 60, 10n ** 13n],
  ] as const;

  it.each<[string, ClmmFixture, readonly [bigint, bigint]]>([
    ['one range', {}, [10n ** 10n, 10n ** 10n]],
    ['ranges over several arrays', { positions: layered }, [2n * 10n ** 11n, 10n ** 11n]],
    [
      'narrow ticks, a price between two of them and a small fee',
      {
        tickSpacing: 1,
        feeRate: 100,
        tickCurrent: 12_345,
        sqrtPrice: (sqrtPriceOfTick(12_345) + sqrtPriceOfTick(12_346)) / 2n,
        positions: [
          [12_300, 12_400, 10n ** 14n],
          [12_340, 12_350, 7n * 10n ** 14n],
          [12_000, 13_000, 10n ** 12n],
        ],
      },
      [10n ** 11n, 10n ** 11n],
    ],
    [
      'far below a price of one',
      {
        tickSpacing: 120,
        feeRate: 10_000,
        tickCurrent: -69_061,
        positions: [[-72_000, -66_000, 10n ** 13n]],
      },
      [10n ** 13n, 10n ** 10n],
    ],
    [
      'Token-2022 mints that withhold on either side',
      { positions: layered, mints: [buildWithholdingMint(10, 50), buildWithholdingMint(11, 37)] },
      [10n ** 11n, 10n ** 11n],
    ],
  ])('pays what we quote: %s', (_title, input, reserves) => {
    const { chain, fixture } = open(input);
    // It takes what brings the vault its amount: of a mint that withholds, at times one unit less than it was given.
    const mayKeepUnit = fixture.mints.some(({ extensions }) => extensions.transferFee !== null);
    const swaps = swapLadder(reserves, 40);
    const check = expectSwapsMatch(chain, raydiumClmm, fixture, swaps, { mayKeepUnit });
    expect(check.filled).toBeGreaterThan(20);
  });
});
