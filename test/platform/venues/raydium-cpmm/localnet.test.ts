import { TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { expect, it } from 'vitest';
import { raydiumCpmm } from '../../../../packages/venues/src/raydium-cpmm/index.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../../packages/venues/src/raydium-cpmm/layout.ts';
import {
  buildCpmm,
  type CpmmFixture,
  cpmmOnChain,
} from '../../../../packages/venues/test/raydium-cpmm/build.ts';
import { buildMint, testAddress } from '../../../../packages/venues/test/shared/build.ts';
import {
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  swapLadder,
} from '../shared/exchange/localnet.ts';

describeOnLocalnet('Raydium CPMM on the real program', { programs: [RAYDIUM_CPMM_PROGRAM] }, () => {
  const open = (input: CpmmFixture) => {
    const chain = createLocalnet([RAYDIUM_CPMM_PROGRAM]);
    chain.setUnixSeconds(1_790_000_000n);
    const fixture = buildCpmm(input);
    for (const mint of fixture.mints) chain.setMint(mint);
    for (const [key, account] of cpmmOnChain(fixture)) chain.set(key, account);
    return { chain, fixture };
  };

  it.each([
    ['even reserves', [5_000_000_000n, 123_456_789_012n], 2_500n],
    ['a lopsided pool', [999_999_999_999_999n, 40_000_001n], 10_000n],
  ] as const)('pays what we quote: %s', (_title, reserves, tradeFeeRate) => {
    const { chain, fixture } = open({ reserves, tradeFeeRate, accrued: [12_345n, 678n] });
    const check = expectSwapsMatch(chain, raydiumCpmm, fixture, swapLadder(reserves, 40));
    expect(check.filled).toBeGreaterThan(20);
  });

  it('pays what we quote when one mint is under Token-2022', () => {
    const mints = [
      buildMint(testAddress(10), { tokenProgram: TOKEN_2022_PROGRAM }),
      buildMint(testAddress(11)),
    ] as const;
    const reserves = [5_000_000_000n, 123_456_789_012n] as const;
    const { chain, fixture } = open({ reserves, mints });
    expect(expectSwapsMatch(chain, raydiumCpmm, fixture, swapLadder(reserves, 20)).filled).toBeGreaterThan(
      10,
    );
  });
});
