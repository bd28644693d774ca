import { expect, it } from 'vitest';
import { meteoraDammV2 } from '../../../../packages/venues/src/meteora-damm-v2/index.ts';
import {
  DAMM_V2_AUTHORITY,
  DAMM_V2_PROGRAM,
} from '../../../../packages/venues/src/meteora-damm-v2/layout.ts';
import {
  buildDamm,
  type DammFixture,
  VAULTS,
} from '../../../../packages/venues/test/meteora-damm-v2/build.ts';
import { buildTokenAccount } from '../../../../packages/venues/test/shared/build.ts';
import {
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  swapLadder,
} from '../shared/exchange/localnet.ts';

const Q64 = 1n << 64n;

describeOnLocalnet('Meteora DAMM v2 on the real program', { programs: [DAMM_V2_PROGRAM] }, () => {
  const open = (input: DammFixture) => {
    const chain = createLocalnet([DAMM_V2_PROGRAM]);
    chain.setUnixSeconds(1_790_000_000n);
    const fixture = buildDamm(input);
    for (const mint of fixture.mints) chain.setMint(mint);
    for (const [key, account] of fixture.accounts) chain.set(key, account);
    fixture.mints.forEach((mint, index) => {
      chain.set(VAULTS[index === 0 ? 0 : 1], buildTokenAccount(mint, DAMM_V2_AUTHORITY, 2n ** 60n));
    });
    return { chain, fixture };
  };

  it.each<[string, DammFixture]>([
    ['a fixed fee on the output', {}],
    ['a fee collected in B', { collectFeeMode: 1, sqrtPrice: Q64 * 9n }],
    ['a narrow range', { range: [(Q64 * 9n) / 10n, (Q64 * 11n) / 10n] }],
    [
      'a fee on a linear schedule',
      {
        cliffFeeNumerator: 400_000_000n,
        schedule: { periods: 100, length: 60n, reduction: 3_000_000n },
        activationPoint: 1_789_999_000n,
      },
    ],
    [
      'a fee on an exponential schedule',
      {
        cliffFeeNumerator: 400_000_000n,
        baseFeeMode: 1,
        schedule: { periods: 100, length: 60n, reduction: 250n },
        activationPoint: 1_789_999_000n,
      },
    ],
    ['a fee that follows volatility', { dynamic: { control: 956, binStep: 1, volatility: 1_000_000n } }],
  ])('pays what we quote: %s', (_title, input) => {
    const { chain, fixture } = open(input);
    const swaps = swapLadder([10n ** 11n, 10n ** 11n], 40);
    expect(expectSwapsMatch(chain, meteoraDammV2, fixture, swaps).filled).toBeGreaterThan(20);
  });
});
