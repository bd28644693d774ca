import { Keypair } from '@solana/web3.js';
import { createLookupTableProgram } from '../../../src/adapters/chain/lookup-table-program.ts';
import { createOwnTables } from '../../../src/adapters/chain/own-tables.ts';
import { address } from '../../../src/core/address/address.ts';
import type { Chain } from '../../../src/core/ports/chain.ts';
import type { OperatorKey } from '../../../src/services/lookup-tables/operator-transaction.ts';
import { carryOutSync, planSync, type SyncDeps } from '../../../src/services/lookup-tables/sync-tables.ts';
import { wantedEntries } from '../../../src/services/lookup-tables/wanted-entries.ts';
import { fakeLookupTableStore } from '../../support/fakes/lookup-table-store.ts';
import { type DeskRig, signMessage } from '../trade/desk-rig.ts';

/** An operator with money and a store on a desk rig's chain. Waiting lets the chain go on. */
export async function startTableRig(rig: DeskRig) {
  const keypair = Keypair.generate();
  const key: OperatorKey = {
    address: address(keypair.publicKey.toBase58()),
    sign: (message) => signMessage(keypair, message),
  };
  await rig.airdrop(key.address, 1_000_000_000n);
  const store = fakeLookupTableStore();
  const deps: SyncDeps = {
    chain: rig.chain,
    compiler: rig.compiler,
    programs: rig.programs,
    clock: { now: () => Date.now() },
    pause: async () => {
      rig.confirmSlots();
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
        { venues: rig.venues, launchpads: [], hubs: rig.deps.hubs, own: [rig.treasury] },
        (await rig.venues[0]?.featured?.()) ?? [],
      ),
    sync: async (entries: Parameters<typeof planSync>[2], progress: string[] = []) => {
      const plan = await planSync(deps, key.address, entries);
      await carryOutSync(deps, key, plan, (line) => void progress.push(line));
      return plan;
    },
  };
}
