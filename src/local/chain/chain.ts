import type { Address } from '../../core/address/address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../core/address/programs.ts';
import type { AccountState } from './account-state.ts';
import { type AccountVersions, createAccountVersions } from './account-versions.ts';
import { feeTerms } from './fees.ts';
import type { LandedTransaction, TokenBalance } from './landed-transaction.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { type ResolvedKeys, resolveKeys } from './resolve-keys.ts';
import { type Commitment, createSlots, FIRST_SLOT, MAX_BLOCKHASH_AGE, type Slots } from './slots.ts';
import type { JournalEntry } from './state/journal-entry.ts';
import type { Outcome, SimulatedOutcome, Svm } from './svm.ts';
import { isTokenProgram, readMint, readTokenAccount } from './token-account.ts';
import { createTokenIndex } from './token-index.ts';
import type { TransactionErrorJson } from './transaction-error.ts';
import { decodeTransaction, unsignedTransaction, type WireTransaction } from './wire.ts';

export type ChainListener = {
  /** A transaction was processed in the open slot. */
  readonly landed?: (transaction: LandedTransaction) => void;
  /** The slot opened: the one before is confirmed, the one 32 before is finalized. */
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
  /** Nothing happened and nobody paid. */
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
  /** Opens the next slot. */
  readonly advance: () => void;
  listen(listener: ChainListener): () => void;
  /** Takes an earlier run's transaction into history without running it. */
  remember(transaction: LandedTransaction): void;
  /** Runs an earlier run's journal entry again in its own slot, without writing it down again. */
  replay(entry: JournalEntry): void;
}

export type Simulated = SimulatedOutcome & { readonly keys: ResolvedKeys | null };

export type ChainDeps = {
  readonly svm: Svm;
  readonly seed: Uint8Array;
  readonly slotMs: number;
  readonly historyLimit: number;
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
  const slots = createSlots(deps.seed, deps.slotMs);
  const ledger = createLedger(deps.historyLimit, FIRST_SLOT);
  const versions = createAccountVersions();
  const tokens = createTokenIndex();
  const listeners = new Set<ChainListener>();
  const decimals = new Map<Address, number>();
  let sysvarSlot = -1;

  for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    for (const [address, state] of svm.programAccounts(program)) tokens.update(address, state);
  }

  // Setting 512 slot hashes costs half a millisecond: only slots that run something pay it.
  const enterSlot = (): void => {
    const slot = slots.tip();
    if (slot === sysvarSlot) return;
    svm.enterSlot({
      slot,
      epoch: slots.epochOf(slot),
      unixSeconds: slots.unixSecondsOf(slot),
      slotHashes: slots.slotHashes(),
    });
    sysvarSlot = slot;
  };

  const account = (address: Address): AccountState | null => {
    const version = versions.newest(address);
    return version === undefined ? svm.account(address) : version.state;
  };

  const accountAt = (address: Address, slot: number): AccountState | null => {
    const version = versions.at(address, slot);
    return version === undefined ? svm.account(address) : version.state;
  };

  const decimalsOf = (mint: Address): number => {
    const known = decimals.get(mint);
    if (known !== undefined) return known;
    const read = readMint(svm.account(mint))?.decimals ?? 0;
    decimals.set(mint, read);
    return read;
  };

  const tokenBalances = (
    keys: readonly Address[],
    states: readonly (AccountState | null)[],
  ): TokenBalance[] => {
    const out: TokenBalance[] = [];
    for (const [accountIndex, state] of states.entries()) {
      if (state === null || !isTokenProgram(state.owner) || keys[accountIndex] === undefined) continue;
      const account = readTokenAccount(state);
      if (account === null) continue;
      const { mint, owner, amount } = account;
      out.push({ accountIndex, mint, owner, program: state.owner, amount, decimals: decimalsOf(mint) });
    }
    return out;
  };

  const blockhashRefusal = (transaction: WireTransaction, bankSlot: number): TransactionErrorJson | null => {
    const hashSlot = slots.liveHashSlot(transaction.message.blockhash);
    const known = hashSlot !== undefined && hashSlot <= bankSlot && bankSlot - hashSlot <= MAX_BLOCKHASH_AGE;
    return known ? null : 'BlockhashNotFound';
  };

  const refusal = (transaction: WireTransaction, bankSlot: number): TransactionErrorJson | null => {
    const stale = blockhashRefusal(transaction, bankSlot);
    if (stale !== null) return stale;
    return ledger.get(transaction.signature) === undefined ? null : 'AlreadyProcessed';
  };

  // A bank older than the tip is had by putting the earlier states back for the length of one synchronous call.
  const inBank = <T>(keys: readonly Address[], slot: number, run: () => T): T => {
    const swapped: (readonly [Address, AccountState | null])[] = [];
    if (slot < slots.tip()) {
      for (const key of new Set(keys)) {
        const [version, newest] = [versions.at(key, slot), versions.newest(key)];
        if (version === undefined || newest === undefined || version === newest) continue;
        if (newest.state?.executable === true || version.state?.executable === true) continue;
        swapped.push([key, newest.state]);
        svm.setAccount(key, version.state);
      }
    }
    try {
      return run();
    } finally {
      for (const [key, state] of swapped) svm.setAccount(key, state);
    }
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
    // A failure that charged nobody is one that a leader drops: it never was in a block.
    if (outcome.err !== null && paid === 0n) return { kind: 'dropped', err: outcome.err };
    const slot = slots.tip();
    for (const [i, key] of keys.entries()) {
      if (writable[i] !== true) continue;
      versions.record(key, slot, before[i] ?? null, after[i] ?? null);
      tokens.update(key, after[i] ?? null);
      decimals.delete(key);
    }
    const landed: LandedTransaction = {
      ...outcome,
      slot,
      unixSeconds: slots.unixSecondsOf(slot),
      signature: transaction.signature,
      bytes: transaction.bytes,
      keys,
      writable,
      loaded: resolved.loaded,
      feeLamports: outcome.err === null ? feeTerms(transaction.message).feeLamports : paid,
      preLamports,
      postLamports,
      preTokens: tokenBalances(keys, before),
      postTokens: tokenBalances(keys, after),
    };
    return { kind: 'landed', transaction: landed };
  };

  const write = (address: Address, state: AccountState | null): void => {
    versions.record(address, slots.tip(), svm.account(address), state);
    svm.setAccount(address, state);
    tokens.update(address, state);
    decimals.delete(address);
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
      const outcome = inBank(resolved.keys, bankSlot, () => svm.simulate(bytes, options.verifySignatures));
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
    advance: () => {
      const unixSeconds = Math.floor(deps.now() / 1000);
      const slot = slots.tip() + 1;
      slots.open(slot, unixSeconds);
      persist.slot(slot, unixSeconds);
      versions.prune(slots.at('finalized'));
      for (const listener of listeners) listener.slot?.(slot);
    },
    remember: ledger.add,
    replay: (entry) => {
      const at = entry.kind === 'landed' ? entry.transaction : entry;
      if (at.slot > slots.tip()) slots.open(at.slot, at.unixSeconds);
      versions.prune(slots.at('finalized'));
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
