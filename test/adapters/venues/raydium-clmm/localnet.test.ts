import { expect, it } from 'vitest';
import { raydiumClmm } from '../../../../src/adapters/venues/raydium-clmm/index.ts';
import { CLMM_PROGRAM } from '../../../../src/adapters/venues/raydium-clmm/layout.ts';
import { sqrtPriceOfTick } from '../../../../src/adapters/venues/raydium-clmm/tick-price.ts';
import { TOKEN_2022_PROGRAM } from '../../../../src/core/address/programs.ts';
import { buildMint, flatTransferFee, poolOf, testAddress } from '../shared/exchange/build.ts';
import {
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  fundTrader,
  swapLadder,
} from '../shared/exchange/localnet.ts';
import { buildClmm, type ClmmFixture, clmmOnChain, OBSERVATION_FORMS } from './build.ts';

describeOnLocalnet('Raydium CLMM on the real program', { programs: [CLMM_PROGRAM] }, () => {
  const stage = (input: ClmmFixture, form: (typeof OBSERVATION_FORMS)[number]) => {
    const chain = createLocalnet([CLMM_PROGRAM]);
    chain.setUnixSeconds(1_790_000_000n);
    const fixture = buildClmm(input);
    for (const mint of fixture.mints) chain.setMint(mint);
    for (const [key, account] of clmmOnChain(fixture, form)) chain.set(key, account);
    return { chain, fixture };
  };
  /** The form that the build at hand reads; any will do for one that reads neither, and the swap below says why. */
  const form =
    OBSERVATION_FORMS.find((one) => {
      const { chain, fixture } = stage({}, one);
      const pool = poolOf(raydiumClmm, fixture);
      const [source, destination] = fixture.mints.map((mint) => fundTrader(chain, mint, 1_000_000n));
      return (
        source !== undefined &&
        destination !== undefined &&
        chain.run(
          pool.swap({
            owner: chain.trader,
            source,
            destination,
            mintIn: pool.mints[0],
            amountIn: 1_000_000n,
            amountOut: 1n,
            minOut: 1n,
          }),
        ) === null
      );
    }) ?? OBSERVATION_FORMS[0];
  const open = (input: ClmmFixture) => stage(input, form);
  const layered = [
    [-600, 600, 10n ** 12n],
    [-7_200, 1_200, 5n * 10n ** 11n],
    [-120, 60, 10n ** 13n],
  ] as const;
  const withFee = (number: number, feeBps: number) =>
    buildMint(
      testAddress(number),
      { tokenProgram: TOKEN_2022_PROGRAM },
      { transferFee: flatTransferFee(feeBps, 10n ** 15n) },
    );

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
      { positions: layered, mints: [withFee(10, 100), withFee(11, 37)] },
      [10n ** 11n, 10n ** 11n],
    ],
  ])('pays what we quote: %s', (_title, input, reserves) => {
    const { chain, fixture } = open(input);
    const check = expectSwapsMatch(chain, raydiumClmm, fixture, swapLadder(reserves, 40));
    expect(check.filled).toBeGreaterThan(20);
  });
});
