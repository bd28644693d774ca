import {
  Account,
  FailedTransactionMetadata,
  LiteSvm,
  type SimulatedTransactionInfo,
  type TransactionMetadata,
} from 'litesvm/dist/internal.js';
import type { AccountState } from './account-state.ts';
import type { Address } from './address.ts';
import { type AddressCache, createAddressCache } from './address-cache.ts';
import { type TransactionErrorJson, transactionErrorJson } from './transaction-error.ts';

export type InnerInstructionRecord = {
  readonly programIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
  readonly stackHeight: number;
};

/** The result of running a transaction, in this project's words. */
export type Outcome = {
  readonly err: TransactionErrorJson | null;
  readonly logs: readonly string[];
  readonly units: number;
  /** One list per top-level instruction that called others. */
  readonly inner: readonly {
    readonly index: number;
    readonly instructions: readonly InnerInstructionRecord[];
  }[];
  readonly returnData: { readonly programId: Address; readonly data: Uint8Array } | null;
};

export type SimulatedOutcome = Outcome & {
  /** The accounts as they would be; read out when asked for, since most callers never do. */
  readonly after: () => ReadonlyMap<Address, AccountState>;
};

export type SlotClock = { readonly slot: number; readonly epoch: number; readonly unixSeconds: number };
export type SlotHashEntry = { readonly slot: bigint; readonly hash: string };

/**
 * The virtual machine behind the chain. It has no slots, blockhash window or duplicate check of its own here: those are
 * the chain's, so that they can follow the cluster's rules. The native class is used directly because the public wrapper
 * encodes every transaction again through a codec that costs more than running it.
 */
export interface Svm {
  /** Runs wire bytes and keeps the effect; a failed transaction still pays its fee. */
  execute(bytes: Uint8Array, verifySignatures: boolean): Outcome;
  /** Runs wire bytes and keeps nothing. */
  simulate(bytes: Uint8Array, verifySignatures: boolean): SimulatedOutcome;
  readonly account: (address: Address) => AccountState | null;
  balance(address: Address): bigint;
  programAccounts(owner: Address): readonly (readonly [Address, AccountState])[];
  /** Writes the account as given; null removes it. */
  setAccount(address: Address, state: AccountState | null): void;
  addProgram(address: Address, elf: Uint8Array): void;
  rentExemption(bytes: number): bigint;
  setClock(clock: SlotClock): void;
  /** Newest first; lookup tables are judged by them. */
  setSlotHashes(hashes: readonly SlotHashEntry[]): void;
  toBytes(): Uint8Array;
}

const CLOCK_SYSVAR = 'SysvarC1ock11111111111111111111111111111111' as Address;
const SLOT_HASHES_SYSVAR = 'SysvarS1otHashes111111111111111111111111111' as Address;
/** States kept between two writes; most are some hundred bytes, programs up to megabytes. */
const ACCOUNTS_READ = 500;
const NO_PROGRAM = '11111111111111111111111111111111';

/** A machine with the standard programs and both native mints, or the one that `snapshot` holds. */
export function createSvm(snapshot?: Uint8Array): Svm {
  const inner = snapshot === undefined ? new LiteSvm() : LiteSvm.fromBytes(snapshot);
  if (snapshot === undefined) inner.withNativeMints();
  inner.setBlockhashCheck(false);
  inner.setTransactionHistory(0n);
  inner.setSigverify(false);
  inner.setLogBytesLimit(10_000n);
  const cache = createAddressCache();
  let verifying = false;
  const verify = (on: boolean): void => {
    if (on === verifying) return;
    inner.setSigverify(on);
    verifying = on;
  };
  /** Accounts read since they could last have changed: crossing into the machine costs more than the read. */
  const read = new Map<Address, AccountState | null>();

  return {
    execute: (bytes, verifySignatures) => {
      verify(verifySignatures);
      read.clear();
      return outcomeOf(cache, inner.sendVersionedTransaction(bytes));
    },
    simulate: (bytes, verifySignatures) => {
      verify(verifySignatures);
      const result = inner.simulateVersionedTransaction(bytes);
      return { ...outcomeOf(cache, result), after: () => afterOf(cache, result) };
    },
    account: (address) => {
      const known = read.get(address);
      if (known !== undefined) return known;
      const found = inner.getAccount(cache.bytesOf(address));
      const state = found === null ? null : stateOf(cache, found);
      if (read.size >= ACCOUNTS_READ) read.clear();
      read.set(address, state);
      return state;
    },
    balance: (address) => inner.getBalance(cache.bytesOf(address)) ?? 0n,
    programAccounts: (owner) =>
      inner
        .getProgramAccounts(cache.bytesOf(owner))
        .map((one) => [cache.addressOf(one.address), stateOf(cache, one.account())] as const),
    setAccount: (address, state) => {
      const account =
        state === null
          ? new Account(0n, new Uint8Array(), cache.bytesOf(NO_PROGRAM as Address), false, 0n)
          : new Account(state.lamports, state.data, cache.bytesOf(state.owner), state.executable, 0n);
      inner.setAccount(cache.bytesOf(address), account);
      read.delete(address);
    },
    addProgram: (address, elf) => {
      inner.addProgram(cache.bytesOf(address), elf);
      read.clear();
    },
    rentExemption: (bytes) => inner.minimumBalanceForRentExemption(BigInt(bytes)),
    setClock: ({ slot, epoch, unixSeconds }) => {
      const clock = inner.getClock();
      clock.slot = BigInt(slot);
      clock.epoch = BigInt(epoch);
      clock.leaderScheduleEpoch = BigInt(epoch + 1);
      clock.unixTimestamp = BigInt(unixSeconds);
      inner.setClock(clock);
      read.delete(CLOCK_SYSVAR);
    },
    setSlotHashes: (hashes) => {
      inner.setSlotHashes([...hashes]);
      read.delete(SLOT_HASHES_SYSVAR);
    },
    toBytes: () => inner.toBytes(),
  };
}

function stateOf(cache: AddressCache, account: Account): AccountState {
  return {
    lamports: account.lamports(),
    data: account.data(),
    owner: cache.addressOf(account.owner()),
    executable: account.executable(),
  };
}

type Result = TransactionMetadata | FailedTransactionMetadata | SimulatedTransactionInfo;

function outcomeOf(cache: AddressCache, result: Result): Outcome {
  const failed = result instanceof FailedTransactionMetadata;
  const meta = 'meta' in result ? result.meta() : result;
  const returned = meta.returnData();
  const returnedBytes = returned.data();
  return {
    err: failed ? transactionErrorJson(result.err()) : null,
    logs: meta.logs(),
    units: Number(meta.computeUnitsConsumed()),
    inner: innerOf(meta),
    returnData:
      returnedBytes.length === 0
        ? null
        : { programId: cache.addressOf(returned.programId()), data: returnedBytes },
  };
}

function innerOf(meta: TransactionMetadata): Outcome['inner'] {
  const lists = meta.innerInstructions();
  const out: { index: number; instructions: InnerInstructionRecord[] }[] = [];
  for (const [index, list] of lists.entries()) {
    if (list.length === 0) continue;
    const instructions = list.map((one) => {
      const compiled = one.instruction();
      return {
        programIndex: compiled.programIdIndex(),
        accounts: [...compiled.accounts()],
        data: compiled.data(),
        stackHeight: one.stackHeight(),
      };
    });
    out.push({ index, instructions });
  }
  return out;
}

function afterOf(cache: AddressCache, result: Result): ReadonlyMap<Address, AccountState> {
  if (!('postAccounts' in result)) return new Map();
  return new Map(
    result
      .postAccounts()
      .map((one) => [cache.addressOf(one.address), stateOf(cache, one.account())] as const),
  );
}
