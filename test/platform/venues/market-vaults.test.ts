import { type Address, readTokenAccount, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { type Exchange, isRefusal } from '@tradepost/venues';
import { describe, expect, it } from 'vitest';
import { meteoraDammV2 } from '../../../packages/venues/src/meteora-damm-v2/index.ts';
import { meteoraDbc } from '../../../packages/venues/src/meteora-dbc/index.ts';
import { meteoraDlmm } from '../../../packages/venues/src/meteora-dlmm/index.ts';
import { openbookV2 } from '../../../packages/venues/src/openbook-v2/index.ts';
import { orcaWhirlpool } from '../../../packages/venues/src/orca-whirlpool/index.ts';
import { pumpFun } from '../../../packages/venues/src/pump-fun/index.ts';
import { pumpSwap } from '../../../packages/venues/src/pump-swap/index.ts';
import { raydiumAmmV4 } from '../../../packages/venues/src/raydium-amm-v4/index.ts';
import { raydiumClmm } from '../../../packages/venues/src/raydium-clmm/index.ts';
import { raydiumCpmm } from '../../../packages/venues/src/raydium-cpmm/index.ts';
import { raydiumLaunchlab } from '../../../packages/venues/src/raydium-launchlab/index.ts';
import { buildDamm, VAULTS as DAMM_VAULTS } from '../../../packages/venues/test/meteora-damm-v2/build.ts';
import { buildDbc, VAULTS as DBC_VAULTS } from '../../../packages/venues/test/meteora-dbc/build.ts';
import { buildDlmm, RESERVES as DLMM_VAULTS } from '../../../packages/venues/test/meteora-dlmm/build.ts';
import { VAULTS as BOOK_VAULTS, buildMarket } from '../../../packages/venues/test/openbook-v2/build.ts';
import {
  buildWhirlpool,
  VAULTS as WHIRLPOOL_VAULTS,
} from '../../../packages/venues/test/orca-whirlpool/build.ts';
import { buildCurve, COIN, DOLLARS } from '../../../packages/venues/test/pump-fun/build.ts';
import { buildPumpSwap, VAULTS as PUMP_SWAP_VAULTS } from '../../../packages/venues/test/pump-swap/build.ts';
import { buildAmmV4 } from '../../../packages/venues/test/raydium-amm-v4/build.ts';
import { buildClmm, VAULTS as CLMM_VAULTS } from '../../../packages/venues/test/raydium-clmm/build.ts';
import { buildCpmm } from '../../../packages/venues/test/raydium-cpmm/build.ts';
import {
  buildLaunch,
  VAULTS as LAUNCH_VAULTS,
} from '../../../packages/venues/test/raydium-launchlab/build.ts';
import { buildMint, type PoolFixture } from '../../../packages/venues/test/shared/build.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { VENUE_NAMES } from '../../../src/platform/venues/index.ts';

const RESERVES = [5_000_000_000n, 123_456_789_012n] as const;
/** The last is where the vaults stand, where the fixture has no accounts of them. */
const FIXTURES: readonly (readonly [Exchange, PoolFixture, readonly Address[] | null])[] = [
  [raydiumCpmm, buildCpmm({ reserves: RESERVES }), null],
  [raydiumAmmV4('long'), buildAmmV4({ reserves: RESERVES }), null],
  [raydiumClmm, buildClmm(), CLMM_VAULTS],
  [raydiumLaunchlab, buildLaunch(), LAUNCH_VAULTS],
  [orcaWhirlpool, buildWhirlpool(), WHIRLPOOL_VAULTS],
  [meteoraDlmm, buildDlmm(), DLMM_VAULTS],
  [meteoraDammV2, buildDamm(), DAMM_VAULTS],
  [meteoraDbc, buildDbc(), DBC_VAULTS],
  [pumpSwap, buildPumpSwap({ reserves: RESERVES }), PUMP_SWAP_VAULTS],
  [openbookV2, buildMarket(), BOOK_VAULTS],
];

const vaultsOf = (exchange: Exchange, { id, mints, accounts }: PoolFixture) => {
  const account = accounts.get(id);
  if (account === undefined) throw new Error(`the fixture has no pool ${id}`);
  return exchange.vaults(id, account, mints);
};

describe('vaults', () => {
  it.each(FIXTURES.map(([exchange, ...rest]) => [exchange.name, exchange, ...rest] as const))(
    'of %s are the accounts that hold the mints, in the order of `mints`',
    (_, exchange, fixture, expected) => {
      const found = vaultsOf(exchange, fixture);
      if (isRefusal(found)) throw new Error(found.detail);
      expect(found.kind).toBe(exchange === openbookV2 ? 'book' : 'tokens');
      if (expected !== null) expect(found.vaults).toEqual(expected);
      for (const [index, vault] of found.vaults.entries()) {
        const account = fixture.accounts.get(vault);
        if (account === undefined)
          expect(expected, 'a fixture without vaults says where they are').not.toBeNull();
        else expect(readTokenAccount(account)?.mint).toBe(fixture.mints[index]?.mint);
      }
    },
  );

  it('of pump.fun are the curve’s associated account, under the mint’s own program, and the curve itself', () => {
    const programs = createPrograms();
    for (const coin of [buildMint(COIN), buildMint(COIN, { tokenProgram: TOKEN_2022_PROGRAM })]) {
      const fixture = buildCurve({ coin });
      expect(vaultsOf(pumpFun, fixture)).toEqual({
        kind: 'lamports',
        vaults: [programs.associatedTokenAddress(fixture.id, COIN, coin.tokenProgram), fixture.id],
      });
    }
  });

  it('of a dollar curve are its two associated accounts', () => {
    const fixture = buildCurve({ quote: DOLLARS });
    const found = vaultsOf(pumpFun, fixture);
    const programs = createPrograms();
    expect(found).toEqual({
      kind: 'tokens',
      vaults: fixture.mints.map(({ mint, tokenProgram }) =>
        programs.associatedTokenAddress(fixture.id, mint, tokenProgram),
      ),
    });
  });

  const all = [
    ...FIXTURES.map(([exchange, fixture]) => [exchange, fixture] as const),
    [pumpFun, buildCurve()] as const,
  ];

  it('of every exchange are looked at here', () => {
    const looked = ['desk', ...all.map(([{ name }]) => name)];
    expect(looked.toSorted()).toEqual(VENUE_NAMES.toSorted());
  });

  it('are refused for an account that is no pool', () => {
    for (const [exchange, { id, mints }] of all) {
      const stranger = {
        lamports: 1n,
        owner: exchange.programId,
        data: new Uint8Array(40),
        executable: false,
      };
      expect(isRefusal(exchange.vaults(id, stranger, mints)), exchange.name).toBe(true);
    }
  });
});
