import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection, PublicKey } from '@solana/web3.js';
import {
  type Address,
  addressBytes,
  addressFromBytes,
  ROUTER_PROGRAM,
  SOL_DECIMALS,
} from '@tradepost/solana';
import type { Config } from '../../src/config/index.ts';
import { address } from '../../src/core/address/address.ts';
import { formatUnits } from '../../src/core/amounts/decimal.ts';
import { ownTableState, TABLE_CAPACITY } from '../../src/engine/lookup-tables/rules/own-table.ts';
import { createLookupTableStore } from '../../src/engine/lookup-tables/store.ts';
import { closeTable } from '../../src/engine/lookup-tables/use/close-table.ts';
import type { OperatorKey } from '../../src/engine/lookup-tables/use/operator-transaction.ts';
import { carryOutSync, planSync, type SyncDeps } from '../../src/engine/lookup-tables/use/sync-tables.ts';
import { wantedEntries } from '../../src/engine/lookup-tables/use/wanted-entries.ts';
import { keepLocalSecret } from '../../src/local/make-secrets.ts';
import { readRunFile } from '../../src/local/run-file.ts';
import { hotMints } from '../../src/modules/orders/store/hot-mints.ts';
import { hubMints, MAINNET_GENESIS } from '../../src/modules/tokens/rules/well-known.ts';
import { createMessageCompiler } from '../../src/platform/chain/compiler.ts';
import { createLookupTableProgram } from '../../src/platform/chain/lookup-table-program.ts';
import { createProgramAccounts } from '../../src/platform/chain/program-accounts.ts';
import { createPrograms } from '../../src/platform/chain/programs.ts';
import { systemClock } from '../../src/platform/clock/clock.ts';
import type { PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import { heldKey } from '../../src/platform/vault/held-key.ts';
import { openVenues } from '../../src/platform/venues/index.ts';
import { openLaunchpads } from '../../src/platform/venues/launchpads.ts';
import type { Io } from './command.ts';
import { openChain, openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { OpsError, UsageError } from './ops-error.ts';
import { addressWord, wholeNumber } from './read-values.ts';

const WEEK_MS = 7 * 86_400_000;
const HOT_MINTS = 20;
const MOST_ENTRIES = 1_024;
const sol = (lamports: bigint): string => `${formatUnits(lamports, SOL_DECIMALS)} SOL`;

type KeyOption = { readonly keypair: string | undefined; readonly yes: boolean };

/** Makes or extends tables; without `yes` it writes nothing, neither on the chain nor on this machine. 1 when there is more to do. */
export async function syncLut(
  io: Io,
  options: KeyOption & { readonly mint: readonly string[]; readonly max: string | undefined },
): Promise<number> {
  const mints = options.mint.map((mint) => addressWord('--mint', mint));
  const max = wholeNumber('--max', options.max, { min: 1, max: MOST_ENTRIES, fallback: TABLE_CAPACITY });
  return withTables(io, async ({ deps, config, db, wanted }) => {
    const { print } = io;
    const key = await keyOf(config, options);
    const plan = await planSync(deps, key.address, await wanted(mints), max);
    for (const table of plan.changed)
      print(`${table} is NOT as it was written down. It is not used; look at it.`);
    const cost = plan.rentLamports + plan.feesUpToLamports;
    const payer = key.isStored ? key.address : 'a key that --yes makes';
    print(
      `${plan.entries} entries to write: ${plan.makes.length} new tables, ${plan.fills.length} to extend. Rent ${sol(plan.rentLamports)} (comes back on close), network fees up to ${sol(plan.feesUpToLamports)}, paid by ${payer}.`,
    );
    if (plan.entries === 0) return plan.changed.length === 0 ? 0 : 1;
    if (!options.yes) {
      print('Nothing was done. Add --yes to carry it out.');
      return 1;
    }
    await afford(config, deps, key.address, cost);
    // First: transactions that the chain has taken cannot be rolled back, and a killed run must be in the trail.
    await recordAct(db, 'operator-command', { command: 'lut sync', words: [key.address] });
    await carryOutSync(deps, key, plan, print);
    print('Every entry may be used. Running processes take the tables up within half a minute.');
    return plan.changed.length === 0 ? 0 : 1;
  });
}

/** 1 when a table is not as it was written down. */
export async function listLut(io: Io): Promise<number> {
  return withTables(io, ({ deps }) => list(deps, io.print));
}

/** Closes one table, or all that hold nothing wanted; without `yes` the latter are only named. */
export async function closeLut(
  io: Io,
  subject: string | undefined,
  options: KeyOption & { readonly unused: boolean },
): Promise<number> {
  if ((subject === undefined) !== options.unused)
    throw new UsageError('lut close: expected an ADDRESS or --unused, and not both.');
  const named = subject === undefined ? null : addressWord('lut close', subject);
  return withTables(io, async ({ deps, config, db, wanted }) => {
    const { print } = io;
    const chosen = named === null ? await unused(deps, await wanted([])) : [named];
    if (named === null && !options.yes) {
      for (const table of chosen) print(`${table} holds nothing that is wanted now`);
      print(chosen.length === 0 ? 'Every table is in use.' : 'Nothing was done. Add --yes to close them.');
      return chosen.length === 0 ? 0 : 1;
    }
    const key = await keyOf(config, { ...options, yes: true });
    for (const table of chosen) {
      await recordAct(db, 'operator-command', { command: 'lut close', words: [table] });
      print(`${table}  ${textOf(await closeTable(deps, key, table))}`);
    }
    return 0;
  });
}

type Tables = {
  readonly deps: SyncDeps;
  readonly config: Config;
  readonly db: PrismaDatabase;
  /** The entries that the tables should hold, with the pools of these tokens. */
  readonly wanted: (mints: readonly Address[]) => Promise<readonly Address[]>;
};

async function withTables(io: Io, work: (tables: Tables) => Promise<number>): Promise<number> {
  const config = io.config();
  const { db, close } = await openDatabase(io);
  try {
    const { chain } = openChain(config);
    const deps: SyncDeps = {
      chain,
      compiler: createMessageCompiler(),
      programs: createPrograms(),
      clock: systemClock(),
      pause: (ms) => pause(ms),
      store: db.open(createLookupTableStore),
      program: createLookupTableProgram(),
    };
    const wanted: Tables['wanted'] = async (mints) => {
      const treasury = await db.wallets.treasury();
      const hot = await hotMints(db, deps.clock.now() - WEEK_MS, HOT_MINTS);
      return wantedOf(config, chain, {
        own: treasury === null ? [] : [treasury.address],
        mints: [...mints, ...hot],
      });
    };
    return await work({ deps, config, db, wanted });
  } finally {
    await close();
  }
}

async function list({ store, chain }: SyncDeps, print: (line: string) => void): Promise<number> {
  const tables = await store.list();
  const { accounts, slot } = await chain.accounts(tables.map((table) => table.address));
  let isFine = true;
  for (const [index, table] of tables.entries()) {
    const account = accounts[index] ?? null;
    const state = ownTableState(table, account, slot).kind;
    if (state === 'changed') isFine = false;
    const rent = account === null ? '' : `  ${sol(account.lamports)}`;
    const word = table.closingAt === null ? state : 'closing';
    print(`${table.address}  ${word}  ${table.entries.length} entries${rent}  of ${table.authority}`);
  }
  if (tables.length === 0) print('No lookup table is written down. "lut sync" makes the first.');
  return isFine ? 0 : 1;
}

/** Tables none of whose entries is wanted, and those whose closing was begun. */
async function unused({ store }: SyncDeps, wanted: readonly Address[]): Promise<readonly Address[]> {
  const needed = new Set(wanted);
  return (await store.list())
    .filter(({ entries, closingAt }) => closingAt !== null || !entries.some((entry) => needed.has(entry)))
    .map((table) => table.address);
}

function textOf(closing: Awaited<ReturnType<typeof closeTable>>): string {
  switch (closing.kind) {
    case 'deactivated':
      return `is out of use (${closing.signature}). Run the same command in some four minutes to get the rent back.`;
    case 'cooling':
      return `can be closed in ${closing.slotsLeft} slots, about ${Math.ceil(Number(closing.slotsLeft) * 0.4)} s.`;
    case 'closed':
      return `is closed (${closing.signature}); ${sol(closing.refundLamports)} came back.`;
    case 'gone':
      return 'is not on the chain; it is forgotten.';
  }
}

async function wantedOf(
  config: Config,
  chain: SyncDeps['chain'],
  given: { readonly own: readonly Address[]; readonly mints: readonly Address[] },
): Promise<readonly Address[]> {
  const local = localRpc(config);
  const common = {
    chain,
    programs: createPrograms(),
    deskUrl: local === null ? null : new URL('/desk', local).href,
  };
  const launchpads = await openLaunchpads({ ...common, pads: config.pads });
  const { venues } = await openVenues({
    ...common,
    programAccounts: createProgramAccounts({ urls: config.rpcUrls ?? (local === null ? [] : [local]) }),
    onRefusal: () => undefined,
    onFailure: () => undefined,
  });
  const featured = (await Promise.all(venues.map(async (venue) => (await venue.featured?.()) ?? []))).flat();
  const isMainnet = (await chain.genesisHash()) === MAINNET_GENESIS;
  const hubs = hubMints(isMainnet, config.usdMint === null ? null : address(config.usdMint));
  const { accounts } = await chain.accounts([ROUTER_PROGRAM]);
  const routerProgram = config.routerProgram && accounts[0]?.executable === true;
  return wantedEntries({ venues, launchpads, hubs, own: given.own, routerProgram }, [
    ...new Set([...given.mints, ...featured]),
  ]);
}

/** The chain of the program that runs on LOCAL_DIR; null where SOLANA_RPC_URL names a cluster. */
function localRpc({ rpcUrls, local }: Config): string | null {
  return rpcUrls === null ? (readRunFile(local.dir)?.rpcUrl ?? null) : null;
}

/** Play money comes from the faucet; on a real cluster the key has to have it. */
async function afford(config: Config, { chain, pause: wait }: SyncDeps, payer: Address, lamports: bigint) {
  const needed = lamports + (await chain.rentExemption(0));
  const balance = await chain.balance(payer);
  if (balance >= needed) return;
  const local = localRpc(config);
  if (local === null) {
    throw new OpsError(`${payer} has ${sol(balance)} and needs ${sol(needed)}. Send it there first.`);
  }
  await new Connection(local).requestAirdrop(new PublicKey(payer), Number(needed - balance));
  for (let look = 0; look < 30 && (await chain.balance(payer)) < needed; look += 1) await wait(400);
}

/**
 * The key that owns the tables and pays for them, from a file as solana-keygen writes it. Beside a local world one that is
 * missing is made, and written with `yes` alone; elsewhere a plan is made with a random one that is forgotten, and `yes` needs
 * the file. It never signs for users' money.
 */
async function keyOf(
  config: Config,
  { keypair, yes }: KeyOption,
): Promise<OperatorKey & { readonly isStored: boolean }> {
  const path = keypair ?? join(config.local.dir, 'lookup-table-key.json');
  if (!existsSync(path)) {
    if (keypair !== undefined) throw new OpsError(`${keypair} cannot be read.`);
    const seed = randomBytes(32);
    if (!yes) return { ...heldKey(seed), isStored: false };
    // Money goes there: a key in a folder without a keeper would be lost with its rent.
    if (config.production || localRpc(config) === null)
      throw new UsageError('--keypair: expected the file of the key that pays and owns the tables.');
    const secret = [...seed, ...addressBytes(heldKey(seed).address)];
    await keepLocalSecret(path, `${JSON.stringify(secret)}\n`, 0o600);
  }
  const secret = secretOf(path);
  const key = heldKey(secret.subarray(0, 32));
  if (key.address !== addressFromBytes(secret.subarray(32))) {
    throw new OpsError(`${path}: its two halves do not belong together.`);
  }
  return { ...key, isStored: true };
}

function secretOf(path: string): Uint8Array {
  const expected = `${path}: expected a JSON array of 64 numbers from 0 to 255, as solana-keygen writes it.`;
  let secret: unknown;
  try {
    secret = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new OpsError(expected);
  }
  const isSecret =
    Array.isArray(secret) &&
    secret.length === 64 &&
    secret.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  if (!isSecret) throw new OpsError(expected);
  return Uint8Array.from(secret as readonly number[]);
}
