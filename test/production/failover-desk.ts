import type { Address } from '@tradepost/solana';
import { installIdOf, readSignerBook } from '../../src/compose/open-journal.ts';
import { openSigning } from '../../src/compose/open-signing.ts';
import { SETTLEMENTS } from '../../src/engine/intents/kinds/index.ts';
import { createKeyRows } from '../../src/engine/signing/store/key-rows.ts';
import { createSignatureBooks } from '../../src/engine/signing/store/signature-books.ts';
import { createSigningBooks } from '../../src/engine/signing/store/signing-books.ts';
import { createQuarantineStore } from '../../src/engine/transactions/store/quarantine-store.ts';
import { newIntent, stepJob } from '../../src/engine/transactions/use/new-intent.ts';
import { LOCAL_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { namedFrom, namedSince } from '../../src/modules/operations/use/named-signatures.ts';
import {
  liftQuarantine,
  type Reconciliation,
  reconcile,
} from '../../src/modules/operations/use/reconcile.ts';
import { createRpcHistory } from '../../src/platform/chain/rpc-history.ts';
import { createWitness } from '../../src/platform/chain/witness.ts';
import { pause, systemClock } from '../../src/platform/clock/clock.ts';
import { randomIds } from '../../src/platform/clock/ids.ts';
import { createPrismaDatabase, type PrismaDatabase } from '../../src/platform/db/prisma-database.ts';
import type { ChainWitness } from '../../src/platform/ports/chain-witness.ts';
import type { Logger } from '../../src/platform/ports/logger.ts';
import type { Database } from '../../src/platform/ports/stores.ts';
import type { Vault } from '../../src/platform/ports/vault.ts';
import { createVault } from '../../src/platform/vault/create-vault.ts';
import { keyring } from '../../src/platform/vault/kek.ts';
import { localKek } from '../../src/platform/vault/local-kek.ts';
import { startMoneyRig } from '../engine/transactions/money-rig.ts';
import { TEST_CERTIFIER, TEST_SEALS, testSigner, WITHOUT_PIN } from '../support/signer.ts';

const RING = keyring(localKek(new Uint8Array(32).fill(7)));
const LOG: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
  child: () => LOG,
};

type Opened = {
  readonly db: PrismaDatabase;
  readonly vault: Vault;
  readonly journal: string;
  readonly stop: () => Promise<void>;
};

/**
 * The money path in this process: worker, signer with a journal in a folder, local chain. `moveTo` takes worker and signer to another
 * database, as after a promotion; chain and journal stay.
 */
export async function startFailoverDesk(url: string, journal: string) {
  const clock = systemClock();
  const ids = randomIds(() => clock.now());
  const late: { witness: ChainWitness | null } = { witness: null };
  const witnessNow = (): ChainWitness => {
    if (late.witness === null) throw new Error('the chain does not run yet');
    return late.witness;
  };
  const witness: ChainWitness = {
    newest: async () => witnessNow().newest(),
    probe: async (...asked) => witnessNow().probe(...asked),
    takers: async (...asked) => witnessNow().takers(...asked),
  };
  const open = async (at: string, folder: string, adopts: boolean): Promise<Opened> => {
    const db = await createPrismaDatabase({ url: at });
    const { signing, tries, keybook, stop } = await openSigning({
      folder,
      keyring: RING,
      seals: TEST_SEALS,
      certifier: TEST_CERTIFIER,
      db,
      keys: createVault({ keyring: RING, secrets: db.wallets, venuePrograms: [] }),
      keyRows: createKeyRows(db.query),
      signingBooks: createSigningBooks(db.query),
      quarantines: createQuarantineStore(db.query),
      witness,
      clock,
      ids,
      log: LOG,
      adopts,
      guardRules: LOCAL_RULES,
    });
    return {
      db,
      vault: testSigner({ db, clock }, { ring: RING, signing, tries, keybook }),
      journal: folder,
      stop,
    };
  };
  let current = await open(url, journal, false);
  /** Runs after each signature, before its row is stored. */
  const hooks: { signed: () => Promise<void> } = { signed: async () => undefined };
  const db = new Proxy({} as Database, { get: (_, key): unknown => Reflect.get(current.db, key) });
  const asking =
    (name: keyof Vault) =>
    async (...asked: readonly unknown[]): Promise<unknown> => {
      const answer: unknown = await Reflect.apply(current.vault[name], current.vault, asked);
      if (name === 'sign') await hooks.signed();
      return answer;
    };
  // Spread by who uses it, so it has the keys of its own.
  const vault = Object.fromEntries(
    Object.keys(current.vault).map((name) => [name, asking(name as keyof Vault)]),
  ) as unknown as Vault;
  const rig = await startMoneyRig(db, 'failover', { vault });
  late.witness = createWitness([rig.local.rpcUrl]);
  return {
    rig,
    hooks,
    db: () => current.db,
    quarantine: () => createQuarantineStore(current.db.query).current(),
    /** Asks for a withdrawal, as the chat's confirm button does; gives back the intent's id. */
    async withdraw(
      from: Awaited<ReturnType<typeof rig.person>>,
      asked: { readonly to: Address; readonly lamports: bigint; readonly idemKey: string },
    ): Promise<string> {
      const confirmed = {
        id: rig.deps.ids.ulid(),
        userId: from.userId,
        walletId: from.wallet.id,
        idemKey: asked.idemKey,
        params: {
          kind: 'withdraw-sol',
          destination: asked.to,
          lamports: asked.lamports,
          everything: false,
          tier: 'normal',
        },
      } as const;
      const confirmation = await WITHOUT_PIN.confirm(confirmed, null);
      const intent = newIntent(rig.deps, { ...confirmed, notBefore: null, confirmation });
      await db.transact(async (stores) => {
        await stores.intents.insert(intent);
        await stores.outbox.add([stepJob(rig.deps, intent)]);
      });
      rig.deps.relay.nudge();
      return intent.id;
    },
    /** The signer ends and comes up again on this database; with `fresh` on an empty folder, as without its journal. */
    async moveTo(at: string, fresh: string | null = null): Promise<void> {
      const before = current;
      await before.stop();
      current = await open(at, fresh ?? before.journal, fresh !== null);
      // Its server is gone: nothing is worth waiting for.
      before.db.close().catch(() => undefined);
    },
    /** What the operator does in quarantine: the journal's signatures are looked up by name, and the quarantine is lifted. */
    async reconcile(): Promise<Reconciliation> {
      const { db: now, journal: folder } = current;
      const quarantines = createQuarantineStore(now.query);
      const quarantine = await quarantines.current();
      if (quarantine === null) throw new Error('there is no quarantine');
      const { records } = await readSignerBook({
        folder,
        book: 'journal',
        keyring: RING,
        installId: installIdOf(TEST_SEALS),
      });
      const report = await reconcile(
        {
          db: now,
          quarantines,
          signatures: createSignatureBooks(now.query),
          chain: rig.chain,
          history: createRpcHistory({ urls: [rig.local.rpcUrl] }),
          clock,
          ids,
          treasury: rig.treasury,
          fees: rig.deps.fees,
          settlements: SETTLEMENTS,
          pause,
          onProgress: () => undefined,
        },
        quarantine,
        await namedSince(records(namedFrom(quarantine.dataAsOf)), quarantine.dataAsOf),
      );
      await liftQuarantine({ quarantines, orders: now.orders, clock }, quarantine, report);
      return report;
    },
    async stop(): Promise<void> {
      await rig.stop();
      await current.stop();
      await current.db.close();
    },
  };
}

export type FailoverDesk = Awaited<ReturnType<typeof startFailoverDesk>>;
