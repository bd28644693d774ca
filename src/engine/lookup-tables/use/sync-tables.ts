import { type Address, LAMPORTS_PER_SIGNATURE, maxBigint } from '@tradepost/solana';
import { PRIORITY_TIERS } from '../../../modules/settings/rules/settings.ts';
import type { LookupTableProgram } from '../../../platform/ports/lookup-table-program.ts';
import { readLookupTable } from '../rules/lookup-table.ts';
import { MAX_SLOT, type OwnTable, ownTableState, TABLE_CAPACITY } from '../rules/own-table.ts';
import type { LookupTableStore } from '../store-port.ts';
import {
  LookupTableError,
  landOperatorTransaction,
  type OperatorDeps,
  type OperatorKey,
} from './operator-transaction.ts';

export type SyncDeps = OperatorDeps & {
  readonly store: LookupTableStore;
  readonly program: LookupTableProgram;
};

/** The work to do; none of it is done yet. */
export type SyncPlan = {
  /** Tables to be added to, with their final entries; those that an earlier run left unfinished come first. */
  readonly fills: readonly { readonly table: Address; readonly entries: readonly Address[] }[];
  /** Tables to be made. */
  readonly makes: readonly (readonly Address[])[];
  /** Rows of tables that the chain does not have. */
  readonly forgets: readonly Address[];
  /** Tables that are not as they were written down. They stay unused; closing them is a command of its own. */
  readonly changed: readonly Address[];
  /** Entries to be written to the chain. */
  readonly entries: number;
  /** Comes back when the tables are closed. */
  readonly rentLamports: bigint;
  /** At most: signatures, and the priority fee's cap. */
  readonly feesUpToLamports: bigint;
};

/** Entries of one extension: with more it would not fit a packet. */
const PER_EXTENSION = 24;
const TABLE_HEADER_BYTES = 56;
const KEY_BYTES = 32;
const LOOK_MS = 1_000;
/** A minute and a half, on a chain that is asked every second; entries are usable one slot after they were written. */
const MAX_LOOKS = 90;

/** Compares the tables with the wanted entries, first things first, within `maxEntries` altogether. Writes nothing. */
export async function planSync(
  deps: Pick<SyncDeps, 'store' | 'chain'>,
  authority: Address,
  wanted: readonly Address[],
  maxEntries: number = TABLE_CAPACITY,
): Promise<SyncPlan> {
  const own = (await deps.store.list()).filter(({ closingAt }) => closingAt === null);
  const { accounts, slot } = await deps.chain.accounts(own.map(({ address }) => address));
  const known = own.map((table, index) => {
    const account = accounts[index] ?? null;
    const onChain = account === null ? null : readLookupTable(table.address, account, MAX_SLOT);
    return {
      table,
      account,
      state: ownTableState(table, account, slot),
      length: onChain?.entries.length ?? 0,
    };
  });
  const changed = known.flatMap(({ table, state }) => (state.kind === 'changed' ? [table.address] : []));
  const forgets = known.flatMap(({ table, account }) => (account === null ? [table.address] : []));
  const live = known.filter(({ state }) => state.kind === 'usable');

  const held = new Set(live.flatMap(({ table }) => table.entries));
  const count = live.reduce((sum, { table }) => sum + table.entries.length, 0);
  let missing = wanted.filter((address) => !held.has(address)).slice(0, Math.max(0, maxEntries - count));
  const fills: { table: Address; entries: readonly Address[]; from: number; lamports: bigint }[] = [];
  for (const { table, account, length } of live) {
    const room = table.authority === authority ? TABLE_CAPACITY - table.entries.length : 0;
    const entries = [...table.entries, ...missing.slice(0, room)];
    missing = missing.slice(room);
    if (entries.length > length && table.authority === authority) {
      fills.push({ table: table.address, entries, from: length, lamports: account?.lamports ?? 0n });
    }
  }
  const makes: (readonly Address[])[] = [];
  for (let start = 0; start < missing.length; start += TABLE_CAPACITY) {
    makes.push(missing.slice(start, start + TABLE_CAPACITY));
  }

  let rentLamports = 0n;
  let transactions = makes.length;
  const sizes = [...fills, ...makes.map((entries) => ({ entries, from: 0, lamports: 0n }))];
  for (const { entries, from, lamports } of sizes) {
    const rent = await deps.chain.rentExemption(TABLE_HEADER_BYTES + KEY_BYTES * entries.length);
    rentLamports += maxBigint(0n, rent - lamports);
    transactions += Math.ceil((entries.length - from) / PER_EXTENSION);
  }
  return {
    fills: fills.map(({ table, entries }) => ({ table, entries })),
    makes,
    forgets,
    changed,
    entries: sizes.reduce((sum, { entries, from }) => sum + entries.length - from, 0),
    rentLamports,
    feesUpToLamports: BigInt(transactions) * (LAMPORTS_PER_SIGNATURE + PRIORITY_TIERS.normal.capLamports),
  };
}

/**
 * Carries a plan out and waits until every entry may be used. Each step is written down before it is sent, and the chain's state is read
 * before each. So the next run finishes one that was killed anywhere. Throws a LookupTableError.
 */
export async function carryOutSync(
  deps: SyncDeps,
  key: OperatorKey,
  plan: SyncPlan,
  onProgress: (line: string) => void,
): Promise<void> {
  for (const address of plan.forgets) await deps.store.remove(address);
  for (const { table, entries } of plan.fills) await fill(deps, key, table, entries, onProgress);
  for (const entries of plan.makes) {
    const { slot } = await deps.chain.latestBlockhash();
    const { table, instruction } = deps.program.create(key.address, slot);
    await deps.store.insert({
      address: table,
      authority: key.address,
      entries: [],
      createdAt: deps.clock.now(),
      closingAt: null,
    });
    const signature = await landOperatorTransaction(deps, key, [instruction]);
    onProgress(`made ${table}  ${signature}`);
    await fill(deps, key, table, entries, onProgress);
  }
}

async function fill(
  deps: SyncDeps,
  key: OperatorKey,
  table: Address,
  entries: readonly Address[],
  onProgress: (line: string) => void,
): Promise<void> {
  const recorded = (await rowOf(deps, table)).entries;
  const rest = entries.slice(recorded.length);
  if (rest.length > 0 && !(await deps.store.append(table, recorded.length, rest))) {
    throw new LookupTableError(`${table} was changed by another run. Run the command again.`);
  }
  for (;;) {
    const { length } = await onChain(deps, table);
    const next = entries.slice(length, length + PER_EXTENSION);
    if (next.length === 0) break;
    const signature = await landOperatorTransaction(deps, key, [
      deps.program.extend(key.address, table, next),
    ]);
    onProgress(`${table}  ${length + next.length} of ${entries.length} entries  ${signature}`);
  }
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    if ((await onChain(deps, table)).usable >= entries.length) return;
    await deps.pause(LOOK_MS);
  }
  throw new LookupTableError(
    `The entries of ${table} are written but not usable yet. Run the command again.`,
  );
}

/** Entries that the chain shows, and of those the ones that may be used. Refuses a table that is not as it was written down. */
async function onChain(
  deps: Pick<SyncDeps, 'chain' | 'store'>,
  address: Address,
): Promise<{ readonly length: number; readonly usable: number }> {
  const row = await rowOf(deps, address);
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const { accounts, slot } = await deps.chain.accounts([address]);
    const account = accounts[0] ?? null;
    const state = ownTableState(row, account, slot);
    if (state.kind === 'changed') {
      throw new LookupTableError(`${address} is not as it was written down: nothing more is sent to it.`);
    }
    if (state.kind === 'usable' && account !== null) {
      const all = readLookupTable(address, account, MAX_SLOT)?.entries.length ?? 0;
      return { length: all, usable: state.table.entries.length };
    }
    // A node may be behind the one that confirmed its creation.
    if (account !== null) break;
  }
  throw new LookupTableError(`${address} cannot be read, or is being closed. Run the command again.`);
}

async function rowOf({ store }: Pick<SyncDeps, 'store'>, address: Address): Promise<OwnTable> {
  const row = (await store.list()).find((table) => table.address === address);
  if (row === undefined)
    throw new LookupTableError(`${address} is none of the tables that are written down.`);
  return row;
}
