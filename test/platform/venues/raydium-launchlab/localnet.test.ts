import { expect, it } from 'vitest';
import { raydiumLaunchlab } from '../../../../src/platform/venues/raydium-launchlab/index.ts';
import {
  LAUNCHLAB_AUTHORITY,
  LAUNCHLAB_PROGRAM,
} from '../../../../src/platform/venues/raydium-launchlab/layout.ts';
import { buildTokenAccount } from '../shared/exchange/build.ts';
import {
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  swapLadder,
} from '../shared/exchange/localnet.ts';
import { buildLaunch, type LaunchFixture, VAULTS } from './build.ts';

/** Not run yet: no build of the program could be had. */
describeOnLocalnet('Raydium LaunchLab on the real program', { programs: [LAUNCHLAB_PROGRAM] }, () => {
  it.each<[string, LaunchFixture]>([
    ['a young curve', {}],
    ['a platform that pays creators', { creatorFeeRate: 1_000n }],
  ])('pays what we quote: %s', (_title, input) => {
    const chain = createLocalnet([LAUNCHLAB_PROGRAM]);
    chain.setUnixSeconds(1_790_000_000n);
    const fixture = buildLaunch(input);
    for (const [key, account] of fixture.accounts) chain.set(key, account);
    fixture.mints.forEach((mint, index) => {
      chain.setMint(mint);
      chain.set(VAULTS[index === 0 ? 0 : 1], buildTokenAccount(mint, LAUNCHLAB_AUTHORITY, 2n ** 60n));
    });
    const check = expectSwapsMatch(chain, raydiumLaunchlab, fixture, swapLadder([10n ** 12n, 10n ** 9n], 40));
    expect(check.filled).toBeGreaterThan(20);
  });
});
