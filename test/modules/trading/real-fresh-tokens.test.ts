import { type Address, addressBytes, unitsHeld } from '@tradepost/solana';
import { accountView, type Exchange, type MintFacts, textSeed } from '@tradepost/venues';
import { expect, it } from 'vitest';
import { meteoraDammV2 } from '../../../packages/venues/src/meteora-damm-v2/index.ts';
import { DAMM_V2_AUTHORITY, DAMM_V2_PROGRAM } from '../../../packages/venues/src/meteora-damm-v2/layout.ts';
import { meteoraDlmm } from '../../../packages/venues/src/meteora-dlmm/index.ts';
import { DLMM_PROGRAM, PAIR, PAIR_AT } from '../../../packages/venues/src/meteora-dlmm/layout.ts';
import { orcaWhirlpool } from '../../../packages/venues/src/orca-whirlpool/index.ts';
import { WHIRLPOOL_PROGRAM } from '../../../packages/venues/src/orca-whirlpool/layout.ts';
import { raydiumClmm } from '../../../packages/venues/src/raydium-clmm/index.ts';
import { CLMM_PROGRAM } from '../../../packages/venues/src/raydium-clmm/layout.ts';
import { raydiumCpmm } from '../../../packages/venues/src/raydium-cpmm/index.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { numberSeed } from '../../../packages/venues/src/shared/derived-pools.ts';
import { buildDamm, VAULTS as DAMM_VAULTS } from '../../../packages/venues/test/meteora-damm-v2/build.ts';
import { buildWhirlpool, whirlpoolOnChain } from '../../../packages/venues/test/orca-whirlpool/build.ts';
import { buildClmm } from '../../../packages/venues/test/raydium-clmm/build.ts';
import { buildCpmm, cpmmOnChain } from '../../../packages/venues/test/raydium-cpmm/build.ts';
import {
  buildMint,
  buildTokenAccount,
  derivedAddress,
  movedTo,
  testAddress,
} from '../../../packages/venues/test/shared/build.ts';
import { address } from '../../../src/core/address/address.ts';
import { hasCode } from '../../../src/core/errors/app-error.ts';
import { refreshPools } from '../../../src/modules/market/use/refresh-pools.ts';
import { decodeMint } from '../../../src/platform/chain/mint-layout.ts';
import { createPoolIndex } from '../../../src/platform/chain/pool-index.ts';
import type { Chain } from '../../../src/platform/ports/chain.ts';
import { createExchangeVenue } from '../../../src/platform/venues/exchange-venue.ts';
import { plantClmm } from '../../platform/venues/raydium-clmm/on-chain.ts';
import {
  accountFromDirectory,
  accountsOfDirectory,
  createLocalnet,
  describeOnLocalnet,
  fundTrader,
  type Localnet,
} from '../../platform/venues/shared/exchange/localnet.ts';
import { fakePoolCatalogue } from '../../support/fakes/pool-catalogue.ts';
import { buildToken } from '../tokens/build-token.ts';

type Mints = readonly [MintFacts, MintFacts];
type Fresh = { readonly id: Address; readonly mints: Mints };

/** By their bytes, the smaller one first, as the programs want them. */
const MINTS: Mints = [buildMint(testAddress(10)), buildMint(testAddress(11))];
const seeds = MINTS.map(({ mint }) => addressBytes(mint)) as [Uint8Array, Uint8Array];
const ORCA_CONFIG = address('2LecshUwdy9xi7meFgHtFJQNSKk4KdTrcpvaB56dP2NQ');

function plantCpmm(chain: Localnet): Fresh {
  const config = derivedAddress(RAYDIUM_CPMM_PROGRAM, [textSeed('amm_config'), numberSeed(1, 2, 'be')]).id;
  const { id } = derivedAddress(RAYDIUM_CPMM_PROGRAM, [textSeed('pool'), addressBytes(config), ...seeds]);
  const fixture = movedTo(buildCpmm({ reserves: [10n ** 12n, 3n * 10n ** 12n], mints: MINTS }), [
    [testAddress(1), id],
    [testAddress(2), config],
  ]);
  for (const [key, account] of cpmmOnChain(fixture)) chain.set(key, account);
  return { id, mints: MINTS };
}

function plantFreshClmm(chain: Localnet): Fresh {
  const config = derivedAddress(CLMM_PROGRAM, [textSeed('amm_config'), numberSeed(4, 2, 'be')]).id;
  const fixture = buildClmm({ mints: MINTS, config, positions: [[-6_000, 6_000, 10n ** 12n]] });
  plantClmm(chain, fixture);
  return { id: fixture.id, mints: MINTS };
}

function plantWhirlpool(chain: Localnet): Fresh {
  const fixture = buildWhirlpool({ mints: MINTS, onChain: true, config: ORCA_CONFIG, tickSpacing: 64 });
  for (const [key, account] of whirlpoolOnChain(fixture)) chain.set(key, account);
  return { id: fixture.id, mints: MINTS };
}

function plantDamm(chain: Localnet): Fresh {
  const config = derivedAddress(DAMM_V2_PROGRAM, [textSeed('config'), numberSeed(3, 8)]).id;
  const larger = seeds.toReversed();
  const { id } = derivedAddress(DAMM_V2_PROGRAM, [textSeed('pool'), addressBytes(config), ...larger]);
  const fixture = movedTo(buildDamm({ mints: MINTS, liquidity: (10n ** 12n) << 64n }), [
    [testAddress(1), id],
  ]);
  for (const [key, account] of fixture.accounts) chain.set(key, account);
  for (const [index, vault] of DAMM_VAULTS.entries())
    chain.set(vault, buildTokenAccount(MINTS[index === 0 ? 0 : 1], DAMM_V2_AUTHORITY, 2n ** 60n));
  return { id, mints: MINTS };
}

/** The venue of a product whose catalogue is empty, behind a node that lists no accounts and counts who asks it to. */
function behindAPublicNode(chain: Localnet, exchange: Exchange, mints: Mints) {
  const state = { now: 1_790_000_000_000, scans: 0 };
  const catalogue = fakePoolCatalogue();
  const reads = {
    token: async (mint: Address) => {
      const facts = mints.find((one) => one.mint === mint);
      return facts === undefined ? null : buildToken({ ...facts });
    },
    accounts: async (keys: readonly Address[]) => ({
      slot: chain.svm.getClock().slot,
      accounts: keys.map((key) => chain.get(key)),
    }),
  };
  const clock = { now: () => state.now };
  const venue = createExchangeVenue(exchange, {
    chain: reads,
    programAccounts: {
      find: async () => {
        state.scans += 1;
        return null;
      },
    },
    poolIndex: createPoolIndex({
      store: catalogue,
      now: clock.now,
      onProblem: (problem) => {
        throw problem;
      },
    }),
  });
  const work = () =>
    refreshPools({
      venues: [venue],
      catalogue,
      chain: reads as Pick<Chain, 'token'>,
      rpcMeter: { measure: async (asked) => ({ value: await asked(), cost: { calls: 0, accounts: 0 } }) },
      clock,
      log: { debug: () => undefined, warn: () => undefined },
    });
  return { venue, state, work };
}

/** Asks as a quote does, lets the worker run where the venue says that it is searching, and trades both ways for the quoted amounts. */
async function expectQuotedAndTraded(
  chain: Localnet,
  exchange: Exchange,
  { id, mints }: Fresh,
  isNear: boolean,
  amount: bigint,
): Promise<void> {
  const { venue, state, work } = behindAPublicNode(chain, exchange, mints);
  const ask = async () => {
    const before = state.scans;
    try {
      return await venue.pools(mints[0].mint, mints[1].mint);
    } catch (error) {
      if (hasCode(error, 'SEARCHING')) return [];
      throw error;
    } finally {
      expect(state.scans, 'program scans on the path of a quote').toBe(before);
    }
  };
  let found = await ask();
  expect(found.map((pool) => pool.id)).toEqual(isNear ? [id] : []);
  await work();
  state.now += 60_000;
  found = await ask();
  expect(found.map((pool) => pool.id)).toEqual([id]);
  const wallets = mints.map((mint) => fundTrader(chain, mint, 10n ** 15n));
  for (const side of [0, 1] as const) {
    const [pool] = await ask();
    if (pool === undefined) throw new Error(`${id} is not quoted any more`);
    const [sold, bought] = [mints[side], mints[1 - side] as MintFacts];
    const [source, destination] = [wallets[side], wallets[1 - side]] as [Address, Address];
    const amountOut = pool.quote(sold.mint, amount);
    expect(amountOut).toBeGreaterThan(0n);
    const order = {
      owner: chain.trader,
      mintIn: sold.mint,
      amountIn: amount,
      amountOut,
      source,
      destination,
    };
    expect(chain.run(pool.swap({ ...order, minOut: amountOut + 1n })), 'one unit above').not.toBeNull();
    const before = unitsHeld(chain.get(destination));
    expect(chain.run(pool.swap({ ...order, minOut: amountOut })), `${bought.mint}`).toBeNull();
    expect(unitsHeld(chain.get(destination)) - before).toBe(amountOut);
  }
}

type Case = readonly [name: string, Exchange, Address, plant: (chain: Localnet) => Fresh, isNear: boolean];
const CASES: readonly Case[] = [
  ['raydium-cpmm', raydiumCpmm, RAYDIUM_CPMM_PROGRAM, plantCpmm, true],
  ['raydium-clmm', raydiumClmm, CLMM_PROGRAM, plantFreshClmm, true],
  ['orca-whirlpool', orcaWhirlpool, WHIRLPOOL_PROGRAM, plantWhirlpool, true],
  ['meteora-damm-v2', meteoraDammV2, DAMM_V2_PROGRAM, plantDamm, false],
];

for (const [name, exchange, program, plant, isNear] of CASES) {
  describeOnLocalnet(
    `a fresh token of ${name} behind a node that lists nothing`,
    { programs: [program] },
    () => {
      it(`is quoted ${isNear ? 'at once' : 'after one run of the worker'} and traded for its quote`, async () => {
        const chain = createLocalnet([program]);
        chain.setUnixSeconds(1_790_000_000n);
        for (const mint of MINTS) chain.setMint(mint);
        await expectQuotedAndTraded(chain, exchange, plant(chain), isNear, 1_000_000n);
      });
    },
  );
}

/** Pairs are the operator's clones: their own seeds must lead to them. */
const pairs = accountsOfDirectory().filter((key) => {
  const account = accountFromDirectory(key);
  return account?.owner === DLMM_PROGRAM && account.data.length === PAIR.minBytes;
});
describeOnLocalnet(
  'a pair of Meteora DLMM behind a node that lists nothing',
  { programs: [DLMM_PROGRAM], accounts: pairs.length > 0 ? pairs : [testAddress(1)] },
  () => {
    it.each(pairs)(
      'is quoted after at most one run of the worker and traded for its quote: %s',
      async (id) => {
        const chain = createLocalnet([DLMM_PROGRAM]);
        for (const key of accountsOfDirectory()) {
          const account = accountFromDirectory(key);
          if (account !== null) chain.set(key, account);
        }
        const view = accountView(chain.get(id)?.data ?? new Uint8Array());
        chain.setUnixSeconds(view.i64(PAIR_AT.lastUpdateTimestamp) + 1_790_000_000n);
        chain.svm.warpToSlot(view.u64(PAIR_AT.activationPoint) + 500_000_000n);
        const factsOf = (mint: Address): MintFacts => {
          const account = chain.get(mint);
          const facts = account === null ? null : decodeMint(mint, account);
          if (facts === null) throw new Error(`${mint} is no mint`);
          return { mint, ...facts };
        };
        const mints: Mints = [factsOf(view.address(PAIR_AT.mintX)), factsOf(view.address(PAIR_AT.mintY))];
        const near = meteoraDlmm.derived?.near(mints[0].mint, mints[1].mint).includes(id) === true;
        await expectQuotedAndTraded(chain, meteoraDlmm, { id, mints }, near, 100_000n);
      },
    );
  },
);
