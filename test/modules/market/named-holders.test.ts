import type { Address } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { POOL_AT, RAYDIUM_CPMM_AUTHORITY } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { buildMint, buildTokenAccount, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { createHoldersSearch } from '../../../src/modules/market/use/search-holders.ts';
import { A, B, FIXTURE, FOREIGN, keyAt, namedRig } from './named-pools-rig.ts';

const HOUR = 3_600_000;
const VAULT = keyAt(POOL_AT.vaultA);
const ALL = { venue: 'raydium-cpmm', askedSince: 0, seenBefore: Number.MAX_SAFE_INTEGER, limit: 99 };

/** A token whose largest accounts are these, by owner; `null` is a node that ranks none. */
function rig(owners: readonly Address[] | null = [], mint = A) {
  const named = namedRig();
  const state = { owners, asked: 0 };
  const accountsOf = (all: readonly Address[]): readonly Address[] =>
    all.map((owner, index) => {
      const account = testAddress(30_000 + index);
      named.accounts.set(account, buildTokenAccount(buildMint(mint), owner, 1_000n));
      return account;
    });
  const ranked: Address[] = [...accountsOf(owners ?? [])];
  const holders = {
    largest: async () => {
      state.asked += 1;
      return state.owners === null ? null : ranked.map((account) => ({ account, amount: 1_000n }));
    },
  };
  const search = createHoldersSearch({ ...named.deps, holders });
  const believed = async () => (await named.deps.catalogue.duePools(ALL)).map(({ id }) => id);
  return { ...named, asks: state, ranked, search, believed };
}

describe('pools among the largest holders of a mint', () => {
  it('are found where the holder is the pool itself', async () => {
    const { search, known } = rig([testAddress(41), FIXTURE.id, testAddress(42)]);
    expect(await search(A)).toBe(true);
    expect(await known()).toEqual([FIXTURE.id]);
  });

  it('are found by a transaction of the vault where the holder is the one owner of all vaults of a venue', async () => {
    const { search, known, state, ranked, calls, accounts } = rig([testAddress(41)]);
    accounts.set(VAULT, buildTokenAccount(buildMint(A), RAYDIUM_CPMM_AUTHORITY, 1_000_000n));
    ranked.push(VAULT);
    state.history = [[VAULT, keyAt(POOL_AT.vaultB), FIXTURE.id]];
    await search(A);
    expect(await known()).toEqual([FIXTURE.id]);
    expect([calls.signatures, calls.landed]).toEqual([1, 1]);
  });

  it('are found among 15 forged ones, and the forged ones are not', async () => {
    const { search, forged, ranked, accounts, believed } = rig([]);
    for (const [index, owner] of [...forged, FIXTURE.id].entries()) {
      const account = testAddress(40_000 + index);
      accounts.set(account, buildTokenAccount(buildMint(A), owner, 5n));
      ranked.push(account);
    }
    await search(A);
    expect(await believed()).toEqual([FIXTURE.id]);
  });

  it('are none where the ranked account is of another mint, is no token account, or is not there', async () => {
    const { search, ranked, accounts, believed, calls } = rig([FIXTURE.id], FOREIGN);
    accounts.set(testAddress(40_001), { ...buildTokenAccount(buildMint(A), FIXTURE.id, 5n), owner: FOREIGN });
    ranked.push(testAddress(40_001), testAddress(40_002));
    expect(await search(A)).toBe(true);
    expect(await believed()).toEqual([]);
    expect(calls.accounts).toBe(1);
  });

  it('are none where the decoder says that they are of other mints', async () => {
    const { search, believed } = rig([FIXTURE.id], B);
    await search(B);
    expect(await believed()).toEqual([FIXTURE.id]);
    const other = rig([FIXTURE.id], FOREIGN);
    await other.search(FOREIGN);
    expect(await other.believed()).toEqual([]);
  });

  it('cost a bounded number of calls where a node ranks thousands, all under an owner of vaults', async () => {
    const { search, state, calls } = rig(Array.from({ length: 5_000 }, () => RAYDIUM_CPMM_AUTHORITY));
    state.history = Array.from({ length: 15 }, (_, n) =>
      Array.from({ length: 256 }, (_one, m) => testAddress(100_000 + 256 * n + m)),
    );
    await search(A);
    expect([calls.signatures, calls.landed]).toEqual([2, 2]);
    expect(calls.accounts).toBeLessThanOrEqual(3);
    expect(calls.asked).toBeLessThanOrEqual(20 + 200);
  });

  it('are searched once an hour for a mint', async () => {
    const { search, state, asks } = rig([FIXTURE.id]);
    expect([await search(A), await search(A), await search(B)]).toEqual([true, false, true]);
    state.now += HOUR - 1;
    expect(await search(A)).toBe(false);
    state.now += 1;
    expect(await search(A)).toBe(true);
    expect(asks.asked).toBe(3);
  });

  it('take no turn and no call where no node ranks holders', async () => {
    const { search, calls } = rig(null);
    expect(await search(A)).toBe(false);
    expect(calls).toEqual({ accounts: 0, tokens: 0, landed: 0, signatures: 0, asked: 0 });
  });
});
