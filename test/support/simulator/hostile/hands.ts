import { toBase58 } from '@tradepost/solana';
import { recipientOf } from '../../../../src/engine/intents/kinds/rules.ts';
import type { Intent } from '../../../../src/engine/intents/rules/intent.ts';
import type { CreateIntentDeps } from '../../../../src/engine/transactions/use/create-intent.ts';
import type { OrderGroup } from '../../../../src/modules/orders/rules/order.ts';
import { orderFacts } from '../../../../src/modules/orders/rules/order-facts.ts';
import { createCertificateCheck } from '../../../../src/platform/certificate-check.ts';
import { createPrograms } from '../../../../src/platform/chain/programs.ts';
import type { Chain } from '../../../../src/platform/ports/chain.ts';
import type { Ids } from '../../../../src/platform/ports/ids.ts';
import type { Database } from '../../../../src/platform/ports/stores.ts';
import type { Vault } from '../../../../src/platform/ports/vault.ts';
import { sealSeed } from '../../../../src/platform/vault/seal.ts';
import { committedRows } from '../../fakes/database.ts';
import { givePin, TEST_PIN } from '../../fakes/pins.ts';
import { TEST_CERTIFIER } from '../../signer.ts';
import type { Cluster } from '../cluster.ts';
import { seedNamed } from '../keys.ts';
import { simulatedPlans, VENUE } from '../plans.ts';
import { seededRandom } from '../random.ts';
import type { Timeline } from '../timeline.ts';
import { type Agreements, createAgreements } from './agreements.ts';
import { type CertificateColumns, certifiedDatabase } from './certified-database.ts';
import { exactPlans } from './exact-plans.ts';
import { addGreedyPerson, NEW_ADDRESS } from './greedy-people.ts';
import {
  createHonestSigner,
  HOSTILE_PINS,
  HOSTILE_RING,
  HOSTILE_RULES,
  type SignerFault,
} from './honest-signer.ts';
import { createLyingWorker, type LieCounts } from './lying-worker.ts';
import type { MemoryTable } from './places.ts';
import { createWriter, type WriterCounts } from './writer.ts';

const DAY_MS = 86_400_000;
const LAMPORTS = 1_000_000_000n;
const programs = createPrograms();

/** Hands that a run has beside the weather. */
export type HostileOptions = {
  /** A writer of the database with a superuser's rights. */
  readonly writer?: boolean;
  /** A worker that lies. */
  readonly liar?: boolean;
  /** Breaks the signer on purpose: the proof that a run can fail. */
  readonly fault?: SignerFault;
};

export type HostileCounts = {
  readonly writer: WriterCounts;
  readonly lies: LieCounts;
  /** Intents that no hand touched, of runs whose fence stayed down: all is promised for these. */
  readonly untouched: number;
};

/** The rows' certificates and what the processes of the product read through them. */
export function createCertifiedRows(raw: Database, onForged: (row: string) => void) {
  const certificates: CertificateColumns = new Map();
  const check = createCertificateCheck(({ table, row }) => onForged(`${table}/${row}`));
  check.begin(TEST_CERTIFIER.publicKey);
  return { raw, certificates, check, db: certifiedDatabase(raw, check, certificates) };
}

export type CertifiedRows = ReturnType<typeof createCertifiedRows>;

/** The signer, the hands and the judge of one hostile run. */
export async function createHostileHands(run: {
  readonly seed: number;
  readonly options: HostileOptions;
  readonly rows: CertifiedRows;
  readonly timeline: Timeline;
  readonly cluster: Cluster;
  readonly trace: (line: string) => void;
  /** A breach: nothing excuses it. */
  readonly breach: (text: string) => void;
  readonly isStorm: () => boolean;
}) {
  const { options, timeline, cluster, trace } = run;
  const { raw, certificates, check, db } = run.rows;
  const state = committedRows(raw);
  const random = seededRandom(run.seed ^ 0x5117);
  const agreements = createAgreements({
    now: timeline.now,
    height: cluster.height,
    say: run.breach,
    mostUnproved: HOSTILE_RULES.unprovedLamports,
    mostWithdrawn: HOSTILE_RULES.dailyCapLamports,
    unwaited: NEW_ADDRESS,
  });
  const { vault, isFenced } = await createHonestSigner(
    { raw, certificates, timeline, cluster, trace },
    options.fault,
  );
  check.beginGuards(vault);
  // The vault of the market: its lamports are what sales bring.
  cluster.balances.set(VENUE, 1_000_000n * LAMPORTS);

  const touched = new Set<string>();
  let isAllTouched = false;
  const touch = (...ids: readonly string[]): void => {
    for (const id of ids) for (const part of id.split(/[/:]/)) touched.add(part);
  };
  const onTouched = (rows: MemoryTable, key: string, row: unknown): void => {
    touch(key);
    const ids = idsIn(row);
    touch(...ids);
    // A row of an intent is its person's, and the next of the same wallet waits for it.
    for (const id of [key, ...ids]) {
      const intent = state.intents.get(id);
      if (intent !== undefined) touch(intent.userId ?? 'treasury', intent.walletId);
    }
    if (rows === 'flags' || ids.includes('treasury')) isAllTouched = true;
  };

  /** Whose an intent, an order, a group or a notice is. */
  const ownersOf = (id: string): readonly string[] => {
    const notice = state.notices.get(id);
    if (notice !== undefined) return [notice.userId];
    const row = state.intents.get(id) ?? state.orders.get(id)?.order ?? state.orderGroups.get(id);
    if (row === undefined) return [];
    return [row.userId ?? 'payouts', row.walletId, ...('params' in row ? namedBy(row.params) : [])];
  };

  /** Every call of a worker, heard by the judge. */
  const calls = {
    sign: async (asked) => {
      const signature = await vault.sign(asked);
      agreements.onSigned(asked.intentId, new Uint8Array(asked.message), toBase58(signature));
      return signature;
    },
    confirmFire: async (request) => {
      const confirmation = await vault.confirmFire(request);
      agreements.onFire(request);
      return confirmation;
    },
  } satisfies Pick<Vault, 'sign' | 'confirmFire'>;

  /** With the PIN that a person types. */
  const desk: Vault = {
    ...vault,
    ...calls,
    confirm: async (request, _pin) => {
      const confirmation = await vault.confirm(request, TEST_PIN);
      agreements.onConfirmed(request);
      return confirmation;
    },
  };
  const book = (
    { userId, walletId, params }: Pick<Intent, 'walletId' | 'params'> & { readonly userId: string },
    name = userId,
    ageMs = DAY_MS,
  ): void => {
    const address = recipientOf(params);
    if (address === null) return;
    const addedAt = timeline.now() - ageMs;
    const entry = { id: `address-${name}`, userId, walletId, address, name, addedAt };
    state.addressBook.set(entry.id, entry);
    certificates.set(`address_book/${entry.id}`, TEST_CERTIFIER.address(entry));
  };

  const writerOf = (role: 'worker' | null) =>
    createWriter({ raw, certificates, random, role, now: timeline.now, trace, onTouched });
  const writer = writerOf(null);
  const falsifier = writerOf('worker');
  const liar = createLyingWorker({
    raw,
    calls,
    plans: exactPlans(
      simulatedPlans(cluster.chain, programs, { ulid: () => `liar-${random.next()}` }),
      cluster.chain,
      programs,
    ),
    cluster,
    timeline,
    random,
    // Half of the liars keep what they were given: a signature in no book that lands puts the fence up, and ends the run's liveness.
    sends: random.chance(0.5),
    falsify: () => void falsifier.act(),
    onGiven: (signature) => touch(signature),
    onTouched: touch,
    trace,
    violate: run.breach,
  });

  const isTouched = ({ id, userId, walletId, params }: Intent): boolean =>
    isAllTouched ||
    isFenced() ||
    [id, userId ?? 'payouts', walletId, ...namedBy(params)].some((one) => touched.has(one));

  const every = (least: number, most: number, work: () => unknown): void => {
    const next = (): void => {
      if (!run.isStorm()) return;
      work();
      timeline.after(random.between(least, most), next);
    };
    timeline.after(random.between(least, most), next);
  };

  return {
    db,
    /** What setting a run up writes: people and wallets as the bot and the signer make them, with a PIN. */
    arrivals: arrivalsIn({ ...run, agreements }),
    /** A person's own confirmations, with the PIN that they type, in the bot. */
    desk,
    plans: (chain: Chain, ids: Pick<Ids, 'ulid'>) =>
      exactPlans(simulatedPlans(chain, programs, ids), chain, programs),
    /** The orders as their person places them, with the signer's certificates. */
    certify: async (group: OrderGroup): Promise<OrderGroup> => {
      const facts = group.orders.map(orderFacts);
      const made = await vault.certifyOrders({ userId: group.userId, orders: facts });
      agreements.onPlaced(facts);
      return {
        ...group,
        orders: group.orders.map((order, at) => ({ ...order, certificate: made[at] ?? null })),
      };
    },
    /** The address of a withdrawal is in its wallet's book and has waited. */
    book,
    /** A person who wants more than a day allows. */
    greed: (arrivals: Database, client: () => Omit<CreateIntentDeps, 'vault'>): Promise<void> =>
      addGreedyPerson({
        arrivals,
        cluster,
        timeline,
        random: seededRandom(run.seed ^ 0x64ee),
        capLamports: HOSTILE_RULES.dailyCapLamports,
        book,
        desk: () => ({ ...client(), vault: desk }),
      }),
    start: (): void => {
      if (options.writer === true) {
        every(500, 2_000, () => writer.remember());
        every(300, 5_000, () => writer.act());
      }
      if (options.liar === true) every(300, 3_000, () => liar.act());
    },
    onLanded: (...given: Parameters<typeof agreements.onLanded>) => agreements.onLanded(...given),
    onTakenBack: agreements.onTakenBack,
    checkSums: () => agreements.checkSums(),
    isFenced,
    /** Whether what a text is about was touched, or nothing is promised any more. */
    excuses: (text: string): boolean =>
      isAllTouched ||
      isFenced() ||
      text.split(/[^\w-]+/).some((word) => [word, ...ownersOf(word)].some((one) => touched.has(one))),
    isTouched,
    /** Whether it waits for its address, longer than a run takes. */
    waits: ({ params }: Intent): boolean => 'destination' in params && params.destination === NEW_ADDRESS,
    counts: (known: readonly Intent[]): HostileCounts => ({
      writer: writer.counts,
      lies: liar.counts,
      untouched: known.filter((intent) => !isTouched(intent)).length,
    }),
  };
}

/** The order of a fire, and the people of a payout; also in params of a kind that a writer invented. */
const namedBy = (params: Intent['params']): readonly string[] => {
  if ('items' in params) return params.items.map(({ inviterId }) => inviterId);
  return 'order' in params && params.order !== undefined ? [params.order.id] : [];
};

/** The ids that a row names, of itself and of others. */
function idsIn(row: unknown): readonly string[] {
  if (typeof row !== 'object' || row === null) return [];
  const record = row as Readonly<Record<string, unknown>>;
  const own = Object.entries(record).flatMap(([name, value]) =>
    typeof value === 'string' && /^(id|key|.*Id)$/.test(name) ? [value] : [],
  );
  const nested = [record['order'], record['account']].flatMap(idsIn);
  const entries = Array.isArray(record['entries']) ? record['entries'].flatMap(idsIn) : [];
  const owner = typeof record['owner'] === 'string' ? [record['owner']] : [];
  return [...own, ...nested, ...entries, ...owner];
}

function arrivalsIn(run: {
  readonly rows: CertifiedRows;
  readonly agreements: Agreements;
}): (db: Database) => Database {
  return (db) => ({
    ...db,
    users: {
      ...db.users,
      insert: async (user) => {
        const inserted = await db.users.insert(user, TEST_CERTIFIER.person(user));
        await givePin(db, HOSTILE_PINS, user.id);
        return inserted;
      },
    },
    wallets: {
      ...db.wallets,
      insert: async (passed, wallet) => {
        const { id: walletId, userId, address } = wallet;
        const sealed = { walletId, userId, publicKey: address };
        const secret = await sealSeed(
          seedNamed(walletId.replace(/^wallet-/, '')),
          sealed,
          HOSTILE_RING.current,
        );
        await db.wallets.insert(passed, wallet, { ...secret, certificate: TEST_CERTIFIER.wallet(wallet) });
        if (userId === null) return;
        const isInvited = (await db.users.find(userId))?.inviterId !== null;
        run.agreements.onPerson({ userId, wallet: address, isInvited });
      },
    },
  });
}
