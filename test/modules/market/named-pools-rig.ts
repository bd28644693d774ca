import { type Address, addressBytes, type ChainAccount } from '@tradepost/solana';
import type { Refusal } from '@tradepost/venues';
import { raydiumCpmm } from '../../../packages/venues/src/raydium-cpmm/index.ts';
import { POOL_AT } from '../../../packages/venues/src/raydium-cpmm/layout.ts';
import { buildCpmm } from '../../../packages/venues/test/raydium-cpmm/build.ts';
import { AccountBytes, testAddress } from '../../../packages/venues/test/shared/build.ts';
import { address } from '../../../src/core/address/address.ts';
import { createPoolIndex } from '../../../src/platform/chain/pool-index.ts';
import { createExchangeVenue } from '../../../src/platform/venues/exchange-venue.ts';
import { fakePoolCatalogue } from '../../support/fakes/pool-catalogue.ts';
import { buildToken } from '../tokens/build-token.ts';

const CLOCK = address('SysvarC1ock11111111111111111111111111111111');
export const FIXTURE = buildCpmm({ reserves: [1_000_000n, 2_000_000n] });
export const [A, B] = [FIXTURE.mints[0].mint, FIXTURE.mints[1].mint];
export const FOREIGN = testAddress(900);

function accountOf(key: Address): ChainAccount {
  const account = FIXTURE.accounts.get(key);
  if (account === undefined) throw new Error(`the fixture has no ${key}`);
  return account;
}
const POOL = accountOf(FIXTURE.id);
export const keyAt = (offset: number): Address =>
  [...FIXTURE.accounts.keys()].find((key) =>
    addressBytes(key).every((byte, index) => POOL.data[offset + index] === byte),
  ) ?? FOREIGN;
const VAULT_A = accountOf(keyAt(POOL_AT.vaultA));

/** The pool's account with keys at places replaced. */
function withKeys(...changes: readonly (readonly [number, Address])[]): ChainAccount {
  const data = Uint8Array.from(POOL.data);
  for (const [at, key] of changes) data.set(addressBytes(key), at);
  return { ...POOL, data };
}
function withByte(at: number): ChainAccount {
  const data = Uint8Array.from(POOL.data);
  data[at] = (data[at] ?? 0) ^ 0xff;
  return { ...POOL, data };
}

/** Accounts that say that they are a pool of A and B, by the fault of each. */
export const FORGED: Readonly<Record<string, ChainAccount>> = {
  'a foreign owner': { ...POOL, owner: FOREIGN },
  'the owner of tokens': { ...POOL, owner: VAULT_A.owner },
  'no byte': { ...POOL, data: new Uint8Array() },
  'a byte less': { ...POOL, data: POOL.data.slice(0, -1) },
  'half of its bytes': { ...POOL, data: POOL.data.slice(0, POOL.data.length / 2) },
  'another discriminator': withByte(0),
  'a discriminator of another kind': withByte(7),
  'another first mint': withKeys([POOL_AT.mintA, FOREIGN]),
  'another second mint': withKeys([POOL_AT.mintB, FOREIGN]),
  'its mints swapped, and its vaults not': withKeys([POOL_AT.mintA, B], [POOL_AT.mintB, A]),
  'one mint twice': withKeys([POOL_AT.mintB, A]),
  'a vault that is not there': withKeys([POOL_AT.vaultA, FOREIGN]),
  'a vault of a foreign program': withKeys([POOL_AT.vaultA, testAddress(901)]),
  'a vault that is a mint': withKeys([POOL_AT.vaultB, testAddress(902)]),
  'a configuration that is a vault': withKeys([POOL_AT.config, keyAt(POOL_AT.vaultA)]),
};

/** The fixture's pool, forged ones beside it, and a node that counts its calls. */
export function namedRig() {
  const accounts = new Map<Address, ChainAccount>(FIXTURE.accounts);
  accounts.set(
    CLOCK,
    new AccountBytes(40).u64(0, 55n).u64(16, 900n).u64(32, 1_790_000_000n).ownedBy(testAddress(0)),
  );
  accounts.set(testAddress(901), { ...VAULT_A, owner: FOREIGN });
  accounts.set(testAddress(902), { ...VAULT_A, data: VAULT_A.data.slice(0, 82) });
  const forged = Object.values(FORGED).map((account, index) => {
    const id = testAddress(1_000 + index);
    accounts.set(id, account);
    return id;
  });
  const calls = { accounts: 0, tokens: 0, landed: 0, signatures: 0, asked: 0 };
  const state = { now: 1_790_000_000_000, isAway: false, history: [] as Address[][] };
  const lines: { readonly level: string; readonly facts: object; readonly words: string }[] = [];
  const say = (level: string) => (facts: object, words: string) => void lines.push({ level, facts, words });
  const log = { info: say('info'), warn: say('warn') };
  const chain = {
    accounts: async (wanted: readonly Address[]) => {
      if (state.isAway) throw new Error('no node answers');
      calls.accounts += Math.ceil(wanted.length / 100);
      calls.asked += wanted.length;
      return { slot: 77n, accounts: wanted.map((key) => accounts.get(key) ?? null) };
    },
    token: async (mint: Address) => {
      calls.tokens += 1;
      const facts = FIXTURE.mints.find((one) => one.mint === mint);
      return facts === undefined ? null : buildToken({ ...facts });
    },
    landed: async (signature: string) => {
      calls.landed += 1;
      const named = state.history[Number(signature)] ?? [];
      return {
        signature,
        slot: 70n,
        blockTime: null,
        err: null,
        feeLamports: 5_000n,
        logs: [],
        balances: named.map((one) => ({ address: one, before: 1n, after: 1n })),
        tokenBalances: [],
        signatureCount: 1,
      };
    },
  };
  const history = {
    signatures: async (_: Address, { limit }: { readonly limit: number }) => {
      calls.signatures += 1;
      return state.history.slice(0, limit).map((_named, index) => ({
        signature: String(index),
        slot: 70n,
        err: null,
        memo: null,
        at: null,
      }));
    },
  };
  const refusals = new Map<Address, Refusal>();
  const venue = createExchangeVenue(raydiumCpmm, {
    chain,
    programAccounts: { find: async () => null },
    onRefusal: (pool, refusal) => void refusals.set(pool, refusal),
  });
  const catalogue = fakePoolCatalogue();
  const clock = { now: () => state.now };
  const deps = { venues: [venue], chain, catalogue, clock, log, history };
  /** As a quote asks, with nothing at the places that follow from the mints. */
  const index = createPoolIndex({
    store: catalogue,
    now: () => state.now,
    onProblem: (problem) => {
      throw problem;
    },
  });
  const known = async () =>
    (await index.find({ venue: 'raydium-cpmm', mintA: A, mintB: B }, async () => [])).pools.map(
      ({ id }) => id,
    );
  return { accounts, forged, calls, state, lines, deps, known, refusals };
}
