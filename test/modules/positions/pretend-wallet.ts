import { type Address, addressBytes, type ChainAccount, TOKEN_PROGRAM } from '@tradepost/solana';
import type { RecordedEvent } from '../../../src/modules/positions/store/position-store-port.ts';
import { foldPositions } from '../../../src/modules/positions/use/fold-positions.ts';
import { type ReconcileDeps, reconcileWallet } from '../../../src/modules/positions/use/reconcile-wallet.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import type { HistoryEntry } from '../../../src/platform/ports/chain-history.ts';
import { newAddress, storedPerson, walletRow } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { buildToken } from '../tokens/build-token.ts';

/** What happened to a token account: change of units, at a slot. */
type Happening = {
  readonly signature: string;
  readonly slot: bigint;
  readonly units: bigint;
  readonly from?: Address;
};

/** A wallet on a pretend chain, of which a test says what it holds and which transactions it shows. */
export async function pretendWallet() {
  const db = fakeDatabase();
  const clock = fakeClock();
  const { user, wallet } = await storedPerson(db);
  const owned = { ...wallet, userId: user.id };
  const mint = newAddress();
  const held = new Map<Address, bigint>([[mint, 0n]]);
  const accounts = new Map<Address, Address>();
  const shown = new Map<Address, HistoryEntry[]>();
  const landed = new Map<string, LandedTransaction>();
  let slot = 100n;
  const accountOf = (one: Address): Address => {
    const account = accounts.get(one) ?? newAddress();
    accounts.set(one, account);
    return account;
  };
  const deps: ReconcileDeps = {
    db,
    clock,
    treasury: walletRow(),
    worthOf: async () => 7_000_000n,
    programs: { associatedTokenAddress: (_owner, one) => accountOf(one) },
    history: {
      signatures: async (account, { before, limit }) => {
        const all = (shown.get(account) ?? []).toSorted((a, b) => Number(b.slot - a.slot));
        const from = before === null ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
        return all.slice(from, from + limit);
      },
    },
    chain: {
      latestBlockhash: async () => ({
        blockhash: 'blockhash',
        lastValidBlockHeight: slot + 150n,
        slot,
        livesMs: 60_000,
      }),
      token: async (one) => buildToken({ mint: one }),
      accounts: async (wanted) => ({
        slot,
        accounts: wanted.map((account): ChainAccount | null => {
          const [one] = [...held].find(([each]) => accountOf(each) === account) ?? [];
          const amount = one === undefined ? 0n : (held.get(one) ?? 0n);
          if (one === undefined || amount === 0n) return null;
          const data = new Uint8Array(165);
          data.set(addressBytes(one), 0);
          data.set(addressBytes(wallet.address), 32);
          new DataView(data.buffer).setBigUint64(64, amount, true);
          data[108] = 1;
          return { lamports: 2_039_280n, owner: TOKEN_PROGRAM, data, executable: false };
        }),
      }),
      landed: async (signature) => landed.get(signature) ?? null,
      holdings: async () =>
        [...held]
          .filter(([, amount]) => amount > 0n)
          .map(([one, amount]) => ({
            mint: one,
            tokenProgram: TOKEN_PROGRAM,
            decimals: 6,
            amount,
            accounts: [{ address: accountOf(one), amount, frozen: false }],
          })),
    },
  };

  return {
    db,
    clock,
    wallet: owned,
    mint,
    deps,
    accountOf,
    /** What the chain says the wallet holds from now on. */
    holds: (units: bigint, one = mint) => held.set(one, units),
    atSlot: (now: bigint) => {
      slot = now;
    },
    /** A stranger's transaction that the account's history shows from now on. */
    shows: ({ signature, slot: at, units, from = newAddress() }: Happening, one = mint) => {
      const account = accountOf(one);
      const entries = shown.get(account) ?? [];
      shown.set(account, [...entries, { signature, slot: at, err: null, memo: null, at: clock.now() }]);
      const side = (owner: Address, by: bigint) => ({
        account: owner === wallet.address ? account : newAddress(),
        owner,
        mint: one,
        before: by < 0n ? -by : 0n,
        after: by < 0n ? 0n : by,
      });
      landed.set(signature, {
        signature,
        slot: at,
        blockTime: Math.floor(clock.now() / 1_000),
        err: null,
        feeLamports: 5_000n,
        logs: [],
        balances: [{ address: from, before: 10n, after: 5n }],
        tokenBalances: [side(wallet.address, units), side(from, -units)],
        signatureCount: 1,
      });
    },
    /** An event of this wallet, as a trade writes it. */
    bought: (at: bigint, units: bigint, lamports = 1_000n): RecordedEvent => ({
      walletId: wallet.id,
      mint,
      signature: `bought-${at}`,
      slot: at,
      at: clock.now(),
      final: true,
      intentId: null,
      networkFeeLamports: 0n,
      platformFeeLamports: 0n,
      rentLamports: 0n,
      kind: 'buy',
      units,
      flowLamports: -lamports,
    }),
    look: () => reconcileWallet(deps, owned, { asked: true }),
    lookWith: (other: ReconcileDeps) => reconcileWallet(other, owned, { asked: true }),
    /** Looks until a difference has stood for a minute. */
    lookForAMinute: async () => {
      await reconcileWallet(deps, owned, { asked: true });
      clock.advance(61_000);
      return reconcileWallet(deps, owned, { asked: true });
    },
    position: async (one = mint) => {
      const { positions } = await foldPositions(db, user.id);
      const found = positions.find((position) => position.mint === one);
      if (found === undefined) throw new Error('no position');
      return found;
    },
  };
}
