import { expect, it } from 'vitest';
import { raydiumLaunchlab } from '../../../../packages/venues/src/raydium-launchlab/index.ts';
import {
  LAUNCHLAB_AUTHORITY,
  LAUNCHLAB_PROGRAM,
} from '../../../../packages/venues/src/raydium-launchlab/layout.ts';
import {
  buildLaunch,
  type LaunchFixture,
  VAULTS,
} from '../../../../packages/venues/test/raydium-launchlab/build.ts';
import { buildTokenAccount } from '../../../../packages/venues/test/shared/build.ts';
import {
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  swapLadder,
} from '../shared/exchange/localnet.ts';

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
