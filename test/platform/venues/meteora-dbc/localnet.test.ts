import { expect, it } from 'vitest';
import { meteoraDbc } from '../../../../packages/venues/src/meteora-dbc/index.ts';
import { DBC_AUTHORITY, DBC_PROGRAM } from '../../../../packages/venues/src/meteora-dbc/layout.ts';
import { buildDbc, type DbcFixture, VAULTS } from '../../../../packages/venues/test/meteora-dbc/build.ts';
import { buildTokenAccount } from '../../../../packages/venues/test/shared/build.ts';
import {
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  swapLadder,
} from '../shared/exchange/localnet.ts';

const Q64 = 1n << 64n;

describeOnLocalnet('Meteora launch curve on the real program', { programs: [DBC_PROGRAM] }, () => {
  const open = (input: DbcFixture) => {
    const chain = createLocalnet([DBC_PROGRAM]);
    chain.setUnixSeconds(1_790_000_000n);
    const fixture = buildDbc(input);
    for (const mint of fixture.mints) chain.setMint(mint);
    for (const [key, account] of fixture.accounts) chain.set(key, account);
    fixture.mints.forEach((mint, index) => {
      chain.set(VAULTS[index === 0 ? 0 : 1], buildTokenAccount(mint, DBC_AUTHORITY, 2n ** 61n));
    });
    return { chain, fixture };
  };

  it.each<[string, DbcFixture]>([
    ['fees in quote', {}],
    ['fees on the output', { collectFeeMode: 1 }],
    ['from the very start', { sqrtPrice: Q64 }],
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
    // Small enough for forty of them to stay on the curve, with a step crossed now and then.
    const swaps = swapLadder([900_000_000n, 6_000_000_000n], 40);
    expect(expectSwapsMatch(chain, meteoraDbc, fixture, swaps).filled).toBeGreaterThan(20);
  });
});
