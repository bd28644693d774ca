import { describe, expect, it } from 'vitest';
import { type Address, addressBytes } from '../../../src/core/address/address.ts';
import { TOKEN_PROGRAM, WSOL_MINT } from '../../../src/core/address/programs.ts';
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
import type { ChainAccount } from '../../../src/platform/ports/chain.ts';
import { intentRow, storedPerson } from '../../conformance/store-rows.ts';
import { addressOf, WALLET } from '../../engine/intents/build.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';

const RENT = 2_039_280n;

type Account = { readonly amount?: bigint; readonly mint?: Address; readonly closer?: true };

/** A chain on which the wallet has these token accounts, numbered from 100. */
function chainOf(given: readonly Account[], owner = WALLET) {
  const accounts = new Map<Address, ChainAccount>();
  const holdings: TokenHolding[] = given.map(({ amount = 0n, mint = addressOf(50), closer }, index) => {
    const data = new Uint8Array(165);
    data.set(addressBytes(mint), 0);
    data.set(addressBytes(owner), 32);
    new DataView(data.buffer).setBigUint64(64, amount, true);
    data[108] = 1;
    if (closer) data[129] = 1;
    const address = addressOf(100 + index);
    accounts.set(address, { lamports: RENT + amount, owner: TOKEN_PROGRAM, data, executable: false });
    return { mint, tokenProgram: TOKEN_PROGRAM, decimals: 6, amount, accounts: [holder(address, amount)] };
  });
  return {
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
      rentLamports: 2n * RENT,
      empty: 3,
      kept: 1,
    });
  });

  it('is what fits one transaction; the rest is for the next', async () => {
    const found = await findEmptyAccounts({ chain: chainOf(Array.from({ length: 40 }, () => ({}))) }, WALLET);
    expect(found).toMatchObject({ empty: 40, kept: 0, rentLamports: BigInt(MOST_CLOSED) * RENT });
    expect(found.accounts).toHaveLength(MOST_CLOSED);
  });

  it('is nothing where the chain says by now that the account is somebody else’s or gone', async () => {
    const { accounts } = chainOf([{}], addressOf(7));
    const { holdings } = chainOf([{}]);
    expect(await findEmptyAccounts({ chain: { holdings, accounts } }, WALLET)).toMatchObject({
      accounts: [],
      rentLamports: 0n,
    });
    const gone = { holdings, accounts: async () => ({ slot: 1n, accounts: [null] }) };
    expect((await findEmptyAccounts({ chain: gone }, WALLET)).accounts).toEqual([]);
  });

  it('is told to the wallet’s owner alone, and not at all where there is nothing', async () => {
    const db = fakeDatabase();
    const { user, wallet } = await storedPerson(db);
    const stranger = await storedPerson(db);
    const chain = chainOf([{}], wallet.address);
    const asked = { userId: user.id, walletId: wallet.id, tier: 'normal' } as const;
    expect((await quoteCleanUp({ chain, db }, asked)).params).toEqual({
      kind: 'close-accounts',
      accounts: [{ account: addressOf(100), tokenProgram: TOKEN_PROGRAM }],
      rentLamports: RENT,
      tier: 'normal',
    });
    await expect(quoteCleanUp({ chain, db }, { ...asked, userId: stranger.user.id })).rejects.toMatchObject({
      code: 'WALLET_NOT_FOUND',
    });
    await expect(quoteCleanUp({ chain: chainOf([]), db }, asked)).rejects.toMatchObject({
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
