import type { Address, ChainAccount } from '@tradepost/solana';
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
import { buildDamm } from '../../../packages/venues/test/meteora-damm-v2/build.ts';
import { buildDbc } from '../../../packages/venues/test/meteora-dbc/build.ts';
import { buildDlmm } from '../../../packages/venues/test/meteora-dlmm/build.ts';
import { buildMarket } from '../../../packages/venues/test/openbook-v2/build.ts';
import { buildWhirlpool } from '../../../packages/venues/test/orca-whirlpool/build.ts';
import { buildCurve } from '../../../packages/venues/test/pump-fun/build.ts';
import { buildPumpSwap } from '../../../packages/venues/test/pump-swap/build.ts';
import { buildAmmV4 } from '../../../packages/venues/test/raydium-amm-v4/build.ts';
import { buildClmm } from '../../../packages/venues/test/raydium-clmm/build.ts';
import { buildCpmm } from '../../../packages/venues/test/raydium-cpmm/build.ts';
import { buildLaunch } from '../../../packages/venues/test/raydium-launchlab/build.ts';
import { decodeFixture, type PoolFixture, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { VENUE_NAMES } from '../../../src/platform/venues/index.ts';
import { seededRandom } from '../../support/simulator/random.ts';

const RESERVES = [10n ** 12n, 10n ** 12n] as const;
const POOLS: readonly (readonly [Exchange, () => PoolFixture])[] = [
  [raydiumAmmV4('long'), () => buildAmmV4({ reserves: RESERVES })],
  [raydiumCpmm, () => buildCpmm({ reserves: RESERVES })],
  [raydiumClmm, () => buildClmm()],
  [raydiumLaunchlab, () => buildLaunch()],
  [orcaWhirlpool, () => buildWhirlpool()],
  [meteoraDlmm, () => buildDlmm()],
  [meteoraDammV2, () => buildDamm()],
  [meteoraDbc, () => buildDbc()],
  [
    openbookV2,
    () =>
      buildMarket({ bids: [{ price: 149_000n, lots: 10_000n }], asks: [{ price: 151_000n, lots: 10_000n }] }),
  ],
  [pumpSwap, () => buildPumpSwap({ reserves: RESERVES })],
  [pumpFun, () => buildCurve()],
];

/** Programs that made their accounts longer in time: the bytes of the first form, which still trades. */
const OLDEST_BYTES: Readonly<Record<string, number>> = { 'pump-swap': 211, 'pump-fun': 49 };

/** As a node would name the account's two mints, and as the venue would price it: null where it refuses to. */
function seen(exchange: Exchange, fixture: PoolFixture) {
  const mints = exchange.mints({
    id: fixture.id,
    asked: fixture.mints.map(({ mint }) => mint),
    get: (key) => fixture.accounts.get(key) ?? null,
  });
  const pool = isRefusal(mints) ? null : decodeFixture(exchange, fixture);
  return { mints: isRefusal(mints) ? null : mints, pool: pool === null || isRefusal(pool) ? null : pool };
}

/** The fixture with one of its accounts replaced. */
function withAccount(
  fixture: PoolFixture,
  key: Address,
  change: (account: ChainAccount) => ChainAccount,
): PoolFixture {
  const account = fixture.accounts.get(key);
  if (account === undefined) throw new Error('no such account');
  return { ...fixture, accounts: new Map(fixture.accounts).set(key, change(account)) };
}

it('every venue is among them', () => {
  expect(['desk', ...POOLS.map(([{ name }]) => name)].sort()).toEqual([...VENUE_NAMES].sort());
});

describe.each(POOLS.map(([exchange, build]) => [exchange.name, exchange, build] as const))(
  'an account at the place of a pool of %s',
  (_, exchange, build) => {
    it('is a pool as it is', () => {
      expect(seen(exchange, build()).pool).not.toBeNull();
    });

    it('is no pool under another owner', () => {
      const fixture = build();
      const foreign = withAccount(fixture, fixture.id, (account) => ({ ...account, owner: testAddress(66) }));
      expect(seen(exchange, foreign)).toEqual({ mints: null, pool: null });
    });

    it('is no pool where it is shorter than any pool ever was', () => {
      const fixture = build();
      const length = OLDEST_BYTES[exchange.name] ?? fixture.accounts.get(fixture.id)?.data.length ?? 0;
      const cuts = Array.from({ length: 64 }, (__, n) => Math.floor((n * length) / 64));
      for (const cut of cuts) {
        const short = withAccount(fixture, fixture.id, (account) => ({
          ...account,
          data: account.data.slice(0, cut),
        }));
        expect(seen(exchange, short).pool, `cut at ${cut} of ${length}`).toBeNull();
      }
    });

    it('is no pool without one of the accounts that its price depends on, or under a foreign owner of it', () => {
      const fixture = build();
      const account = fixture.accounts.get(fixture.id);
      if (account === undefined) throw new Error('no pool');
      const mints = fixture.mints.map(({ mint }) => mint);
      const whole = seen(exchange, fixture).pool?.quote(mints[0] ?? fixture.id, 1_000_000n);
      for (const key of exchange.dependencies(fixture.id, account, mints)) {
        if (!fixture.accounts.has(key)) continue;
        const foreign = withAccount(fixture, key, (one) => ({ ...one, owner: testAddress(66) }));
        const { pool } = seen(exchange, foreign);
        // An account beside the price, as a tick array further away, may be left out. The price is then the same or none.
        if (pool !== null) expect([0n, whole]).toContain(pool.quote(mints[0] ?? fixture.id, 1_000_000n));
      }
    });

    it('never throws, whatever 1,000 changes of its bytes', () => {
      const random = seededRandom(POOLS.findIndex(([one]) => one === exchange));
      const fixture = build();
      for (let n = 0; n < 1_000; n += 1) {
        const keys = [...fixture.accounts.keys()];
        const spoilt = withAccount(
          fixture,
          random.chance(0.7) ? fixture.id : random.pick(keys),
          (account) => {
            const data = Uint8Array.from(account.data);
            for (let times = random.between(1, 4); times > 0 && data.length > 0; times -= 1)
              data[random.between(0, data.length - 1)] = random.between(0, 255);
            return { ...account, data };
          },
        );
        const { pool } = seen(exchange, spoilt);
        if (pool === null) continue;
        for (const { mint } of fixture.mints) {
          if (!pool.mints.includes(mint)) continue;
          expect(pool.quote(mint, 1_000_000n)).toBeGreaterThanOrEqual(0n);
        }
      }
    });
  },
);
