import {
  type Address,
  addressBytes,
  type ChainAccount,
  lamports,
  TOKEN_PROGRAM,
  WSOL_MINT,
} from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import {
  type CloseAccountsParams,
  MOST_CLOSED,
} from '../../../src/engine/intents/kinds/close-accounts/params.ts';
import {
  confirmCleanUp,
  findEmptyAccounts,
  quoteCleanUp,
} from '../../../src/modules/positions/use/clean-up.ts';
import type { TokenHolding } from '../../../src/modules/tokens/rules/token.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import type { Blockhash, Simulation } from '../../../src/platform/ports/chain.ts';
import { intentRow, storedPerson } from '../../conformance/store-rows.ts';
import { addressOf, WALLET } from '../../engine/intents/build.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

const RENT = 2_039_280n;
const means = { programs: createPrograms(), compiler: createMessageCompiler() };

type Account = {
  readonly amount?: bigint;
  readonly mint?: Address;
  readonly closer?: true;
  readonly is?: 'frozen' | 'native';
};

/** A chain on which the wallet has these token accounts, numbered from 100; `refuses` where its token program gives no excess back. */
function chainOf(given: readonly Account[], owner = WALLET, { rent = RENT, refuses = false } = {}) {
  const accounts = new Map<Address, ChainAccount>();
  const holdings: TokenHolding[] = given.map(({ amount = 0n, mint = addressOf(50), closer, is }, index) => {
    const data = new Uint8Array(165);
    data.set(addressBytes(mint), 0);
    data.set(addressBytes(owner), 32);
    new DataView(data.buffer).setBigUint64(64, amount, true);
    data[108] = is === 'frozen' ? 2 : 1;
    if (is === 'native') data[109] = 1;
    if (closer) data[129] = 1;
    const address = addressOf(100 + index);
    accounts.set(address, { lamports: RENT + amount, owner: TOKEN_PROGRAM, data, executable: false });
    return { mint, tokenProgram: TOKEN_PROGRAM, decimals: 6, amount, accounts: [holder(address, amount)] };
  });
  return {
    rentExemption: async () => lamports(rent),
    latestBlockhash: async () => ({ blockhash: addressOf(99) }) as unknown as Blockhash,
    simulate: async () => ({ err: refuses ? 'Custom' : null }) as unknown as Simulation,
    holdings: async () => holdings,
    accounts: async (wanted: readonly Address[]) => ({
      slot: 1n,
      accounts: wanted.map((one) => accounts.get(one) ?? null),
    }),
  };
}
const holder = (address: Address, amount: bigint) => ({ address, amount, frozen: false });

describe('what Clean up would close', () => {
  it('is empty, the wallet’s to close, and never wrapped SOL; what stays is counted', async () => {
    const chain = chainOf([{}, { amount: 1n }, { mint: WSOL_MINT }, { closer: true }, {}]);
    expect(await findEmptyAccounts({ chain }, WALLET)).toEqual({
      accounts: [100, 104].map((at) => ({ account: addressOf(at), tokenProgram: TOKEN_PROGRAM })),
      excess: [],
      rentLamports: 2n * RENT,
      empty: 3,
      kept: 1,
      later: 0,
    });
  });

  it('is what fits one transaction; the rest is for the next', async () => {
    const found = await findEmptyAccounts({ chain: chainOf(Array.from({ length: 40 }, () => ({}))) }, WALLET);
    expect(found).toMatchObject({ empty: 40, kept: 0, rentLamports: BigInt(MOST_CLOSED) * RENT });
    expect(found.accounts).toHaveLength(MOST_CLOSED);
  });

  it('is nothing where the chain says by now that the account is somebody else’s or gone', async () => {
    const { accounts } = chainOf([{}], addressOf(7));
    const { holdings, rentExemption } = chainOf([{}]);
    expect(await findEmptyAccounts({ chain: { holdings, rentExemption, accounts } }, WALLET)).toMatchObject({
      accounts: [],
      rentLamports: 0n,
    });
    const gone = { holdings, rentExemption, accounts: async () => ({ slot: 1n, accounts: [null] }) };
    expect((await findEmptyAccounts({ chain: gone }, WALLET)).accounts).toEqual([]);
  });

  it('takes what accounts with units hold above a fallen rent, after the empty ones, and nothing small', async () => {
    const given = [
      { amount: 5n },
      {},
      { amount: 5n, is: 'frozen' as const },
      { amount: 5n, is: 'native' as const },
    ];
    const chain = chainOf(given, WALLET, { rent: RENT - 60_000n });
    expect(await findEmptyAccounts({ chain }, WALLET)).toEqual({
      accounts: [{ account: addressOf(101), tokenProgram: TOKEN_PROGRAM }],
      excess: [{ account: addressOf(100), tokenProgram: TOKEN_PROGRAM }],
      // What `chainOf` gives an account with units, above the fallen rent.
      rentLamports: RENT + 60_005n,
      empty: 1,
      kept: 0,
      later: 0,
    });
    const dear = chainOf(given, WALLET, { rent: RENT - 40_000n });
    expect((await findEmptyAccounts({ chain: dear }, WALLET)).excess).toEqual([]);
    const many = chainOf(
      Array.from({ length: 20 }, () => ({ amount: 1n })),
      WALLET,
      { rent: 1_000_000n },
    );
    expect(await findEmptyAccounts({ chain: many }, WALLET)).toMatchObject({ later: 20 - MOST_CLOSED });
  });

  it('leaves the excess where the token program of the network gives none back', async () => {
    const db = fakeDatabase();
    const { user, wallet } = await storedPerson(db);
    const asked = { userId: user.id, walletId: wallet.id, tier: 'normal' } as const;
    const quoted = (refuses: boolean, ...given: Account[]) => {
      const chain = chainOf(given, wallet.address, { rent: 1_000_000n, refuses });
      return quoteCleanUp({ ...means, chain, db }, asked);
    };
    expect((await quoted(false, { amount: 1n }, {})).params).toMatchObject({
      excess: [{ account: addressOf(100) }],
    });
    const { params, rentLamports } = await quoted(true, { amount: 1n }, {});
    expect(params).not.toHaveProperty('excess');
    expect(rentLamports).toBe(RENT);
    await expect(quoted(true, { amount: 1n })).rejects.toMatchObject({ code: 'NOTHING_TO_CLEAN_UP' });
  });

  it('is told to the wallet’s owner alone, and not at all where there is nothing', async () => {
    const db = fakeDatabase();
    const { user, wallet } = await storedPerson(db);
    const stranger = await storedPerson(db);
    const chain = chainOf([{}], wallet.address);
    const asked = { userId: user.id, walletId: wallet.id, tier: 'normal' } as const;
    expect((await quoteCleanUp({ ...means, chain, db }, asked)).params).toEqual({
      kind: 'close-accounts',
      accounts: [{ account: addressOf(100), tokenProgram: TOKEN_PROGRAM }],
      rentLamports: RENT,
      tier: 'normal',
    });
    await expect(
      quoteCleanUp({ ...means, chain, db }, { ...asked, userId: stranger.user.id }),
    ).rejects.toMatchObject({
      code: 'WALLET_NOT_FOUND',
    });
    await expect(quoteCleanUp({ ...means, chain: chainOf([]), db }, asked)).rejects.toMatchObject({
      code: 'NOTHING_TO_CLEAN_UP',
    });
  });
});

describe('confirming it', () => {
  const params: CloseAccountsParams = {
    kind: 'close-accounts',
    accounts: [{ account: addressOf(100), tokenProgram: TOKEN_PROGRAM }],
    rentLamports: RENT,
    tier: 'normal',
  };

  it.each(['signing', 'trading'] as const)(
    'is refused while %s is paused, and the same tap again is not',
    async (what) => {
      const db = fakeDatabase();
      const { user, wallet } = await storedPerson(db);
      await db.flags.set(`${what}-paused`, true, 1, { reason: 'a test', until: null });
      const input = { userId: user.id, walletId: wallet.id, idemKey: 'once', params };
      const intent = intentRow(wallet, { idemKey: 'once' });
      const deps = { db, createIntent: async () => ({ intent, created: false }) };
      await expect(confirmCleanUp(deps, input)).rejects.toMatchObject({ code: 'PAUSED' });
      await db.intents.insert(intent);
      expect((await confirmCleanUp(deps, input)).intent.id).toBe(intent.id);
    },
  );
});
