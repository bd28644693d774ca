import { type Address, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { accountView } from '@tradepost/venues';
import { expect, it } from 'vitest';
import { orcaWhirlpool } from '../../../../packages/venues/src/orca-whirlpool/index.ts';
import { POOL, POOL_AT, WHIRLPOOL_PROGRAM } from '../../../../packages/venues/src/orca-whirlpool/layout.ts';
import { sqrtPriceOfTick } from '../../../../packages/venues/src/orca-whirlpool/tick-price.ts';
import {
  buildWhirlpool,
  type WhirlpoolFixture,
  whirlpoolOnChain,
} from '../../../../packages/venues/test/orca-whirlpool/build.ts';
import {
  buildMint,
  buildWithholdingMint,
  testAddress,
} from '../../../../packages/venues/test/shared/build.ts';
import { address } from '../../../../src/core/address/address.ts';
import { decodeMint } from '../../../../src/platform/chain/mint-layout.ts';
import {
  accountFromDirectory,
  accountsOfDirectory,
  createLocalnet,
  describeOnLocalnet,
  expectSwapsMatch,
  swapLadder,
} from '../shared/exchange/localnet.ts';

const REWARDS_UPDATED_AT = 261;

/** Any pools will do: every Whirlpool among the operator's accounts is traded. */
const pools = accountsOfDirectory().filter((key) => {
  const account = accountFromDirectory(key);
  return account?.owner === WHIRLPOOL_PROGRAM && account.data.length === POOL.minBytes;
});
const example = address('HJPjoWUrhoZzkNfRpHuieeFk9WcZWjwy6PBjZ81ngndJ');

describeOnLocalnet(
  'Orca Whirlpool on the real program',
  { programs: [WHIRLPOOL_PROGRAM], accounts: pools.length > 0 ? pools : [example] },
  () => {
    it.each(pools)('pays what we quote: %s', (id) => {
      const chain = createLocalnet([WHIRLPOOL_PROGRAM]);
      for (const key of accountsOfDirectory()) {
        const account = accountFromDirectory(key);
        if (account !== null) chain.set(key, account);
      }
      const view = accountView(chain.get(id)!.data);
      chain.setUnixSeconds(view.i64(REWARDS_UPDATED_AT) + 60n);
      const facts = (mint: Address) => ({ mint, ...decodeMint(mint, chain.get(mint)!)! });
      const mints = [facts(view.address(POOL_AT.mintA)), facts(view.address(POOL_AT.mintB))] as const;
      const held = (at: number) => accountView(chain.get(view.address(at))!.data).u64(64);
      const reserves = [held(POOL_AT.vaultA) / 8n, held(POOL_AT.vaultB) / 8n] as const;
      const check = expectSwapsMatch(chain, orcaWhirlpool, { id, mints }, swapLadder(reserves, 40), {
        zeroMayTrade: true,
      });
      expect(check.filled).toBeGreaterThan(20);
    });
  },
);

describeOnLocalnet('Orca Whirlpool on a build that has swap_v2', { programs: [WHIRLPOOL_PROGRAM] }, () => {
  const layered = [
    [-640, 640, 10n ** 12n],
    [-12_800, 6_400, 5n * 10n ** 11n],
    [-128, 64, 10n ** 13n],
  ] as const;
  const plain2022 = buildMint(testAddress(10), { tokenProgram: TOKEN_2022_PROGRAM });
  it.each<[string, WhirlpoolFixture, readonly [bigint, bigint]]>([
    ['mints of the first token program', { positions: layered }, [10n ** 11n, 10n ** 11n]],
    [
      'one mint under Token-2022, without a fee',
      { positions: layered, mints: [plain2022, buildMint(testAddress(11))] },
      [10n ** 11n, 10n ** 11n],
    ],
    [
      'mints that withhold on either side, ticks over several arrays',
      { positions: layered, mints: [buildWithholdingMint(10, 100), buildWithholdingMint(11, 37)] },
      [5n * 10n ** 11n, 10n ** 11n],
    ],
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
        ],
        mints: [plain2022, buildWithholdingMint(11, 500)],
      },
      [10n ** 11n, 10n ** 11n],
    ],
  ])('pays what we quote: %s', (_title, input, reserves) => {
    const chain = createLocalnet([WHIRLPOOL_PROGRAM]);
    chain.setUnixSeconds(1_790_000_000n);
    const fixture = buildWhirlpool({ ...input, onChain: true });
    for (const mint of fixture.mints) chain.setMint(mint);
    for (const [key, account] of whirlpoolOnChain(fixture)) chain.set(key, account);
    const check = expectSwapsMatch(chain, orcaWhirlpool, fixture, swapLadder(reserves, 40));
    expect(check.filled).toBeGreaterThan(20);
  });
});
