import { ROUTER_PROGRAM, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { DBC_PROGRAM, type MintFacts } from '@tradepost/venues';
import { expect, it } from 'vitest';
import { WHIRLPOOL_PROGRAM } from '../../../packages/venues/src/orca-whirlpool/layout.ts';
import { CLMM_PROGRAM } from '../../../packages/venues/src/raydium-clmm/layout.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { buildMint, buildWithholdingMint, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { describeOnLocalnet } from '../../platform/venues/shared/exchange/localnet.ts';
import { clmm, cpmm, dbc, expectExact, stage, whirlpool } from './real-market.ts';

type Mints = readonly [MintFacts, MintFacts, MintFacts];
const plain = [10, 11, 12].map((number) => buildMint(testAddress(number))) as unknown as Mints;
const withheld = [10, 11, 12].map((number) => buildWithholdingMint(number, number * 5)) as unknown as Mints;
/** Under Token-2022 and without a fee: the curve is made for no other. */
const quiet = [10, 11, 12].map((number) =>
  buildMint(testAddress(number), { tokenProgram: TOKEN_2022_PROGRAM }),
) as unknown as Mints;
const venues = { 'raydium-clmm': clmm, 'orca-whirlpool': whirlpool, 'meteora-dbc': dbc } as const;
const programs = {
  'raydium-clmm': CLMM_PROGRAM,
  'orca-whirlpool': WHIRLPOOL_PROGRAM,
  'meteora-dbc': DBC_PROGRAM,
} as const;
/** The curve is shallow. */
const amounts = {
  'raydium-clmm': 10n ** 10n + 1n,
  'orca-whirlpool': 10n ** 10n + 1n,
  'meteora-dbc': 10n ** 8n + 1n,
};

describeOnLocalnet(
  'a step of the real router program',
  { programs: [...Object.values(programs), RAYDIUM_CPMM_PROGRAM, ROUTER_PROGRAM] },
  () => {
    const names = Object.keys(venues) as (keyof typeof venues)[];
    const cases = names.flatMap((name) => {
      const other =
        name === 'meteora-dbc'
          ? (['Token-2022 mints', quiet] as const)
          : (['mints that withhold', withheld] as const);
      return [['mints of the first token program', plain] as const, other].map(
        ([kind, mints]) => [name, kind, mints] as const,
      );
    });
    const extra = Object.values(programs).concat(ROUTER_PROGRAM);

    it.each(cases)('over CPMM, then %s, %s: brings the quote to the unit', async (name, _kind, mints) => {
      const [sold, intermediate, bought] = mints;
      const desk = stage(
        (chain) => [
          cpmm(chain, [10n ** 12n, 10n ** 12n], 100, [sold, intermediate]),
          venues[name](chain, [intermediate, bought]),
        ],
        extra,
        mints,
      );
      await expectExact(desk, amounts[name], mints);
    });

    it.each(cases)(
      'over %s against its order of mints, then CPMM, %s: brings the quote to the unit',
      async (name, _kind, mints) => {
        const [sold, intermediate, bought] = mints;
        const desk = stage(
          (chain) => [
            venues[name](chain, [intermediate, sold]),
            cpmm(chain, [10n ** 12n, 10n ** 12n], 100, [intermediate, bought]),
          ],
          extra,
          mints,
        );
        await expectExact(desk, amounts[name], mints);
      },
    );

    it.each([
      ['closed where nothing was withheld', plain, false],
      ['left open where a fee was withheld in it', withheld, true],
    ] as const)('the middle account that the trade opens is %s', async (_title, mints, stays) => {
      const [sold, intermediate, bought] = mints;
      const desk = stage(
        (chain) => [
          cpmm(chain, [10n ** 12n, 10n ** 12n], 100, [sold, intermediate]),
          whirlpool(chain, [intermediate, bought]),
        ],
        extra,
        mints,
        true,
      );
      await expectExact(desk, 10n ** 10n + 1n, mints);
      expect(desk.intermediateExists()).toBe(stays);
      expect(desk.held(intermediate)).toBe(0n);
    });
  },
);
