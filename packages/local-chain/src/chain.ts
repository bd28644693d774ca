import type { AccountState } from './account-state.ts';
import { type AccountVersions, createAccountVersions } from './account-versions.ts';
import type { Address } from './address.ts';
import { takesVersion1 } from './features.ts';
import { feeTerms } from './fees.ts';
import type { LandedTransaction } from './landed-transaction.ts';
import { createLedger, type Ledger, type LedgerLimits } from './ledger.ts';
import type { Calendar } from './networks.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs.ts';
import { type ResolvedKeys, resolveKeys } from './resolve-keys.ts';
import { runInBank } from './run-in-bank.ts';
import { type Commitment, createSlots, FIRST_SLOT, MAX_BLOCKHASH_AGE, type Slots } from './slots.ts';
import type { JournalEntry } from './state/journal-entry.ts';
import type { Outcome, SimulatedOutcome, Svm } from './svm.ts';
import { readTokenAccount } from './token-account.ts';
import { createTokenBalances } from './token-balances.ts';
import { createTokenIndex } from './token-index.ts';
import type { TransactionErrorJson } from './transaction-error.ts';
import { decodeTransaction, unsignedTransaction, type WireTransaction } from './wire.ts';

export type ChainListener = {
  /** A transaction was processed in the open slot. */
  readonly landed?: (transaction: LandedTransaction) => void;
  /** The slot opened: the one before is confirmed, and what the network calls final is. */
  readonly slot?: (slot: number) => void;
};

/** Reads at one commitment. Every answer is the state at the end of `slot`. */
export type ChainView = {
  readonly slot: number;
  readonly account: (address: Address) => AccountState | null;
  readonly programAccounts: (owner: Address) => readonly (readonly [Address, AccountState])[];
  readonly tokenAccounts: (owner: Address) => readonly (readonly [Address, AccountState])[];
};

export type SubmitResult =
  | { readonly kind: 'landed'; readonly transaction: LandedTransaction }
  /** Nothing happened and no fee was paid. */
  | { readonly kind: 'dropped'; readonly err: TransactionErrorJson };

export type SimulateOptions = {
  readonly verifySignatures: boolean;
  readonly checkBlockhash: boolean;
  readonly commitment: Commitment;
};

/** The chain without its network: slots, landing, history and reads. One caller at a time; every call is synchronous. */
export interface LocalChain {
  readonly slots: Slots;
  readonly ledger: Ledger;
  readonly versions: AccountVersions;
  readonly svm: Svm;
  view(commitment: Commitment): ChainView;
  /** The newest processed state. */
  readonly account: (address: Address) => AccountState | null;
  /** Why the cluster would not take the transaction into a block at `commitment`, or null. */
  refusal(transaction: WireTransaction, commitment: Commitment): TransactionErrorJson | null;
  /** Runs the transaction against the state at the commitment and keeps nothing. */
  simulate(transaction: WireTransaction, options: SimulateOptions): Simulated;
  /** Puts the transaction into the open slot, if the cluster would. On return it is in the journal. */
  submit(transaction: WireTransaction, options: { readonly signaturesVerified: boolean }): SubmitResult;
  /** Writes an account past all rules, as genesis does. */
  writeAccount(address: Address, state: AccountState | null): void;
  /** Writes an account as if genesis had: neither journal nor earlier slots hear of it. For use before the chain serves. */
  readonly plant: (address: Address, state: AccountState) => void;
  /** Opens this slot, which must not lie before the tip: how a chain starts and continues. */
  open(slot: number, unixSeconds: number): void;
  /** A slot's time has passed: opens the next one at the clock's time, unless no leader makes a block in it. */
  readonly advance: () => void;
  listen(listener: ChainListener): () => void;
  /** Takes an earlier run's journal entry into history without running it. */
  readonly remember: (entry: JournalEntry) => void;
  /** Runs an earlier run's journal entry again in its own slot, without writing it down again. */
  replay(entry: JournalEntry): void;
}

export type Simulated = SimulatedOutcome & { readonly keys: ResolvedKeys | null };

export type ChainDeps = {
  readonly svm: Svm;
  readonly seed: Uint8Array;
  readonly slotMs: number;
  readonly calendar: Calendar;
  readonly history: LedgerLimits;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Makes the event survive a kill; called before anyone can learn of it. */
  readonly persist: {
    entry(entry: JournalEntry): void;
    slot(slot: number, unixSeconds: number): void;
  };
};

const NOTHING: Outcome = { err: null, logs: [], units: 0, inner: [], returnData: null };

export function createLocalChain(deps: ChainDeps): LocalChain {
  const { svm, persist } = deps;
  const slots = createSlots(deps.seed, deps.slotMs, deps.calendar);
  const ledger = createLedger(deps.history, FIRST_SLOT);
  const versions = createAccountVersions();
  const tokens = createTokenIndex();
  const listeners = new Set<ChainListener>();
  let hashesSlot = -1;
  /** Slots without a block since the open one. */
  let passed = 0;

  for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    for (const [address, state] of svm.programAccounts(program)) tokens.update(address, state);
  }

  // Setting 512 slot hashes costs half a millisecond: only slots that run something pay it.
  const enterSlot = (): void => {
    if (slots.tip() === hashesSlot) return;
    hashesSlot = slots.tip();
    svm.setSlotHashes(slots.slotHashes());
  };
  const open = (slot: number, unixSeconds: number): void => {
    slots.open(slot, unixSeconds);
    svm.setClock({ slot, epoch: slots.epochOf(slot), unixSeconds });
    versions.prune(slots.at('finalized'));
  };

  const account = (address: Address): AccountState | null => {
    const version = versions.newest(address);
    return version === undefined ? svm.account(address) : version.state;
  };

  const balances = createTokenBalances(account);

  const accountAt = (address: Address, slot: number): AccountState | null => {
    const version = versions.at(address, slot);
    return version === undefined ? svm.account(address) : version.state;
  };

  const blockhashRefusal = (transaction: WireTransaction, bankSlot: number): TransactionErrorJson | null => {
    const hashSlot = slots.liveHashSlot(transaction.message.blockhash);
    const known =
      hashSlot !== undefined &&
      hashSlot <= bankSlot &&
      slots.heightOf(bankSlot) - slots.heightOf(hashSlot) <= MAX_BLOCKHASH_AGE;
    return known ? null : 'BlockhashNotFound';
  };

  const refusal = (transaction: WireTransaction, bankSlot: number): TransactionErrorJson | null => {
    const stale = blockhashRefusal(transaction, bankSlot);
    if (stale !== null) return stale;
    if (transaction.message.version === 1 && !takesVersion1(account)) return 'UnsupportedVersion';
    return ledger.status(transaction.signature) === undefined ? null : 'AlreadyProcessed';
  };

  const execute = (transaction: WireTransaction, signaturesVerified: boolean): SubmitResult => {
    enterSlot();
    const resolved = resolveKeys(transaction.message, account);
    if (typeof resolved === 'string') return { kind: 'dropped', err: resolved };
    const { keys, writable } = resolved;
    const before = keys.map((key, i) => (writable[i] === true ? account(key) : null));
    const preLamports = keys.map((key, i) =>
      writable[i] === true ? (before[i]?.lamports ?? 0n) : svm.balance(key),
    );
    const outcome = svm.execute(transaction.bytes, !signaturesVerified);
    const after = keys.map((key, i) => (writable[i] === true ? svm.account(key) : null));
    const postLamports = preLamports.map((lamports, i) =>
      writable[i] === true ? (after[i]?.lamports ?? 0n) : lamports,
    );
    const paid = (preLamports[0] ?? 0n) - (postLamports[0] ?? 0n);
    // A leader drops a failure that charged no one: it never was in a block.
    if (outcome.err !== null && paid === 0n) return { kind: 'dropped', err: outcome.err };
    const slot = slots.tip();
    for (const [i, key] of keys.entries()) {
      if (writable[i] !== true) continue;
      versions.record(key, slot, before[i] ?? null, after[i] ?? null);
      tokens.update(key, after[i] ?? null);
      balances.forget(key);
    }
    const landed: LandedTransaction = {
      ...outcome,
      slot,
      unixSeconds: slots.unixSecondsOf(slot),
      signature: transaction.signature,
      // A copy: bytes from the wire are a slice of a pool of 8 kB that it would keep alive.
      bytes: new Uint8Array(transaction.bytes),
      keys,
      writable,
      loaded: resolved.loaded,
      feeLamports: outcome.err === null ? feeTerms(transaction.message).feeLamports : paid,
      preLamports,
      postLamports,
      preTokens: balances.of(before),
      postTokens: balances.of(after),
    };
    return { kind: 'landed', transaction: landed };
  };

  const write = (address: Address, state: AccountState | null): void => {
    versions.record(address, slots.tip(), svm.account(address), state);
    svm.setAccount(address, state);
    tokens.update(address, state);
    balances.forget(address);
  };

  return {
    slots,
    ledger,
    versions,
    svm,
    account,
    view: (commitment) => {
      const slot = slots.at(commitment);
      const select = (
        candidates: Iterable<Address>,
        matches: (state: AccountState) => boolean,
      ): (readonly [Address, AccountState])[] => {
        const out: (readonly [Address, AccountState])[] = [];
        for (const address of new Set(candidates)) {
          const state = accountAt(address, slot);
          if (state !== null && state.lamports > 0n && matches(state)) out.push([address, state]);
        }
        return out;
      };
      return {
        slot,
        account: (address) => {
          const state = accountAt(address, slot);
          return state === null || state.lamports === 0n ? null : state;
        },
        programAccounts: (owner) => {
          const changed = new Set(versions.changedSince(slot));
          const settled = svm.programAccounts(owner).filter(([address]) => !changed.has(address));
          return [...settled, ...select(changed, (state) => state.owner === owner)];
        },
        tokenAccounts: (owner) =>
          select([...tokens.ofOwner(owner), ...versions.changedSince(slot)], (state) => {
            return readTokenAccount(state)?.owner === owner;
          }),
      };
    },
    refusal: (transaction, commitment) => refusal(transaction, slots.at(commitment)),
    simulate: (transaction, options) => {
      enterSlot();
      const bankSlot = slots.at(options.commitment);
      const refused = options.checkBlockhash ? refusal(transaction, bankSlot) : null;
      if (refused !== null) return { ...NOTHING, err: refused, after: () => new Map(), keys: null };
      const resolved = resolveKeys(transaction.message, (table) => accountAt(table, bankSlot));
      if (typeof resolved === 'string')
        return { ...NOTHING, err: resolved, after: () => new Map(), keys: null };
      const bytes = options.verifySignatures ? transaction.bytes : unsignedTransaction(transaction.message);
      const outcome = runInBank({ svm, versions }, resolved.keys, bankSlot, () =>
        svm.simulate(bytes, options.verifySignatures),
      );
      return { ...outcome, keys: resolved };
    },
    submit: (transaction, options) => {
      const refused = refusal(transaction, slots.tip());
      if (refused !== null) return { kind: 'dropped', err: refused };
      const result = execute(transaction, options.signaturesVerified);
      if (result.kind === 'dropped') return result;
      persist.entry(result);
      ledger.add(result.transaction);
      for (const listener of listeners) listener.landed?.(result.transaction);
      return result;
    },
    writeAccount: (address, state) => {
      const slot = slots.tip();
      persist.entry({ kind: 'written', address, state, slot, unixSeconds: slots.unixSecondsOf(slot) });
      write(address, state);
    },
    plant: (address, state) => {
      svm.setAccount(address, state);
      tokens.update(address, state);
    },
    open,
    advance: () => {
      const unixSeconds = Math.floor(deps.now() / 1000);
      const slot = slots.tip() + 1 + passed;
      if (slots.isSkipped(slot)) {
        passed += 1;
        return;
      }
      passed = 0;
      open(slot, unixSeconds);
      persist.slot(slot, unixSeconds);
      for (const listener of listeners) listener.slot?.(slot);
    },
    remember: (entry) => {
      if (entry.kind === 'landed') ledger.add(entry.transaction);
      if (entry.kind === 'status') ledger.addStatus(entry.status);
    },
    replay: (entry) => {
      if (entry.kind === 'status') throw new Error('a status stands where transactions are run again');
      const at = entry.kind === 'landed' ? entry.transaction : entry;
      if (at.slot > slots.tip()) open(at.slot, at.unixSeconds);
      if (entry.kind === 'written') {
        write(entry.address, entry.state);
        return;
      }
      const result = execute(decodeTransaction(entry.transaction.bytes), true);
      if (result.kind === 'dropped' || !sameOutcome(result.transaction, entry.transaction)) {
        throw new Error(`transaction ${entry.transaction.signature} does not replay as it landed`);
      }
      ledger.add(entry.transaction);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function sameOutcome(a: LandedTransaction, b: LandedTransaction): boolean {
  const lamports = (one: LandedTransaction): string => one.postLamports.join();
  return JSON.stringify(a.err) === JSON.stringify(b.err) && lamports(a) === lamports(b);
}
