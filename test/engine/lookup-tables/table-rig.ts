import { Keypair } from '@solana/web3.js';
import { WSOL_MINT } from '@tradepost/solana';
import type { Launchpad } from '@tradepost/venues';
import { address } from '../../../src/core/address/address.ts';
import type { OperatorKey } from '../../../src/engine/lookup-tables/use/operator-transaction.ts';
import { carryOutSync, planSync, type SyncDeps } from '../../../src/engine/lookup-tables/use/sync-tables.ts';
import { wantedEntries } from '../../../src/engine/lookup-tables/use/wanted-entries.ts';
import { createLookupTableProgram } from '../../../src/platform/chain/lookup-table-program.ts';
import { createOwnTables } from '../../../src/platform/chain/own-tables.ts';
import type { Chain } from '../../../src/platform/ports/chain.ts';
import { type DeskRig, signMessage } from '../../modules/trading/desk-rig.ts';
import { fakeLookupTableStore } from '../../support/fakes/lookup-table-store.ts';
import type { MoneyRig } from '../transactions/money-rig.ts';

/** Writes what launches repeat to a table of an operator's on a money rig's own chain and record, and gives that table. */
export async function syncLaunchTables(rig: MoneyRig) {
  const operator = await startTableRig(
    {
      chain: rig.deps.chain,
      compiler: rig.deps.compiler,
      programs: rig.programs,
      airdrop: (to, lamports) => rig.fund(to, lamports),
      confirmSlots: () => undefined,
      venues: [],
      deps: { hubs: [WSOL_MINT] },
      treasury: rig.treasury.address,
    },
    { store: rig.tableStore, launchpads: rig.launch.launchpads, pause: () => rig.deps.pause(20) },
  );
  await operator.sync(await operator.wanted());
  const [table] = await rig.lookupTables().verified();
  if (table === undefined) throw new Error('the table is not usable');
  return table;
}

/** A chain that shows the first two entries of every table in each other's place. */
export function lyingChain(chain: Pick<Chain, 'accounts'>): Pick<Chain, 'accounts'> {
  return {
    accounts: async (addresses) => {
      const answer = await chain.accounts(addresses);
      return {
        ...answer,
        accounts: answer.accounts.map((account) => {
          if (account === null) return account;
          const data = account.data.slice();
          data.set(account.data.subarray(56 + 32, 56 + 64), 56);
          data.set(account.data.subarray(56, 56 + 32), 56 + 32);
          return { ...account, data };
        }),
      };
    },
  };
}

/** What of a chain an operator needs. */
type TableWorld = Pick<DeskRig, 'compiler' | 'programs' | 'airdrop' | 'venues' | 'treasury'> & {
  readonly chain: Chain;
  readonly confirmSlots: () => void;
  readonly deps: Pick<DeskRig['deps'], 'hubs'>;
};

/** An operator with money and a store on a rig's chain. Waiting lets the chain go on. */
export async function startTableRig(
  rig: TableWorld,
  options: {
    readonly store?: ReturnType<typeof fakeLookupTableStore>;
    readonly launchpads?: readonly Launchpad[];
    readonly pause?: () => Promise<void>;
  } = {},
) {
  const keypair = Keypair.generate();
  const key: OperatorKey = {
    address: address(keypair.publicKey.toBase58()),
    sign: (message) => signMessage(keypair, message),
  };
  await rig.airdrop(key.address, 1_000_000_000n);
  const store = options.store ?? fakeLookupTableStore();
  const deps: SyncDeps = {
    chain: rig.chain,
    compiler: rig.compiler,
    programs: rig.programs,
    clock: { now: () => Date.now() },
    pause: async () => {
      rig.confirmSlots();
      await options.pause?.();
    },
    store,
    program: createLookupTableProgram(),
  };
  const errors: unknown[] = [];
  const log = { error: (fields: object) => void errors.push(fields), warn: () => undefined };
  const lookupTables = (chain: Pick<Chain, 'accounts'> = rig.chain) =>
    createOwnTables({ store, chain, clock: deps.clock, log });
  return {
    key,
    deps,
    store,
    errors,
    lookupTables,
    wanted: async () =>
      wantedEntries(
        {
          venues: rig.venues,
          launchpads: options.launchpads ?? [],
          hubs: rig.deps.hubs,
          own: [rig.treasury],
        },
        (await rig.venues[0]?.featured?.()) ?? [],
      ),
    sync: async (entries: Parameters<typeof planSync>[2], progress: string[] = []) => {
      const plan = await planSync(deps, key.address, entries);
      await carryOutSync(deps, key, plan, (line) => void progress.push(line));
      return plan;
    },
  };
}
