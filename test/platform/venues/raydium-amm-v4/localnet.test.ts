import { expect, it } from 'vitest';
import { raydiumAmmV4 } from '../../../../packages/venues/src/raydium-amm-v4/index.ts';
import { RAYDIUM_AMM_V4_PROGRAM } from '../../../../packages/venues/src/raydium-amm-v4/layout.ts';
import { type AmmV4Fixture, buildAmmV4 } from '../../../../packages/venues/test/raydium-amm-v4/build.ts';
import {
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  swapLadder,
} from '../shared/exchange/localnet.ts';

describeOnLocalnet('Raydium AMM v4 on the real program', { programs: [RAYDIUM_AMM_V4_PROGRAM] }, () => {
  const open = (input: AmmV4Fixture) => {
    const chain = createLocalnet([RAYDIUM_AMM_V4_PROGRAM]);
    chain.setUnixSeconds(1_790_000_000n);
    const fixture = buildAmmV4(input);
    for (const mint of fixture.mints) chain.setMint(mint);
    for (const [key, account] of fixture.accounts) chain.set(key, account);
    return { chain, fixture };
  };

  it.each<[string, AmmV4Fixture]>([
    ['an ordinary pool', { reserves: [5_000_000_000n, 123_456_789_012n], pnl: [1_234n, 99_999n] }],
    ['another fee', { reserves: [999_999_999_999_999n, 40_000_001n], fee: [1n, 100n] }],
    [
      'a pool that waited for its opening time',
      { reserves: [10n ** 12n, 10n ** 11n], status: 7n, openTime: 5n },
    ],
  ])('pays what we quote: %s', (_title, input) => {
    const { chain, fixture } = open(input);
    const check = expectSwapsMatch(chain, raydiumAmmV4('long'), fixture, swapLadder(input.reserves, 40));
    expect(check.filled).toBeGreaterThan(20);
  });
});
