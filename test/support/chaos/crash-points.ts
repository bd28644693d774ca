import type { Attempt, Intent } from '../../../src/engine/intents/rules/intent.ts';
import type { Chain } from '../../../src/platform/ports/chain.ts';
import type { JobQueue } from '../../../src/platform/ports/job-queue.ts';
import type { Database, Stores } from '../../../src/platform/ports/stores.ts';
import type { Vault } from '../../../src/platform/ports/vault.ts';

/** What a transaction was about, weakest first: one that does several things is named by the strongest. */
const COMMITS = [
  'look',
  'sent',
  'seen',
  'confirm',
  'relay',
  'sign',
  'landed-error',
  'death',
  'payout',
  'create',
  'refusal',
  'expiry',
  'cancel',
  'review',
  'failure',
  'success',
] as const;
type Commit = (typeof COMMITS)[number];

const CALLS = [
  'lease',
  'release',
  'pause-flag',
  'plan-read',
  'blockhash',
  'fee-price',
  'simulate',
  'sign',
  'send',
  'statuses',
  'landed-read',
  'probe',
  'testimony',
  'queue-add',
] as const;
type Call = (typeof CALLS)[number];

/**
 * Where a process can be killed: right before and right after each thing it does to the world. Between two of them it only
 * computes, so a kill there leaves what a kill after the first leaves. Production code knows nothing of them.
 */
export type CrashPoint = `${'before' | 'after'}-${Call}` | `${'before' | 'after'}-${Commit}-commit`;

const both = <T extends string>(name: T): readonly [`before-${T}`, `after-${T}`] => [
  `before-${name}`,
  `after-${name}`,
];

export const CRASH_POINTS: readonly CrashPoint[] = [
  ...CALLS.flatMap((call) => both(call)),
  ...COMMITS.flatMap((commit) => both(`${commit}-commit` as const)),
];

export type CrashPorts = {
  readonly db: Database;
  readonly chain: Chain;
  readonly vault: Pick<Vault, 'sign'>;
  readonly queue: JobQueue;
};

/** The ports with a call of `reach` at every crash point; what it throws is thrown into the product. */
export function withCrashPoints(ports: CrashPorts, reach: (point: CrashPoint) => void): CrashPorts {
  const { db, chain, vault, queue } = ports;
  const around =
    <A extends unknown[], R>(call: Call, run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      reach(`before-${call}`);
      const result = await run(...args);
      reach(`after-${call}`);
      return result;
    };
  return {
    queue: { ...queue, add: around('queue-add', queue.add.bind(queue)) as JobQueue['add'] },
    vault: { ...vault, sign: around('sign', vault.sign.bind(vault)) },
    chain: {
      ...chain,
      accounts: around('plan-read', chain.accounts.bind(chain)),
      agedBlockhash: around('blockhash', chain.agedBlockhash.bind(chain)),
      priorityPrice: around('fee-price', chain.priorityPrice.bind(chain)),
      simulate: around('simulate', chain.simulate.bind(chain)),
      send: around('send', chain.send.bind(chain)),
      statuses: around('statuses', chain.statuses.bind(chain)),
      landed: around('landed-read', chain.landed.bind(chain)),
      probe: around('probe', chain.probe.bind(chain)),
      testimony: around('testimony', chain.testimony.bind(chain)),
    },
    db: {
      ...db,
      flags: {
        ...db.flags,
        isSet: around('pause-flag', db.flags.isSet.bind(db.flags)),
        pauses: around('pause-flag', db.flags.pauses.bind(db.flags)),
      },
      guards: {
        ...db.guards,
        findWithPauses: around('pause-flag', db.guards.findWithPauses.bind(db.guards)),
      },
      intents: {
        ...db.intents,
        lease: around('lease', db.intents.lease.bind(db.intents)),
        release: around('release', db.intents.release.bind(db.intents)),
      },
      transact: async (work) => {
        let named: Commit[] = [];
        // Postgres may have the work done again after a serialization failure.
        const result = await db.transact(async (stores) => {
          named = [];
          const done = await work(labelled(stores, (commit) => void named.push(commit)));
          const commit = strongest(named);
          if (commit !== undefined) reach(`before-${commit}-commit`);
          return done;
        });
        const commit = strongest(named);
        if (commit !== undefined) reach(`after-${commit}-commit`);
        return result;
      },
    },
  };
}

function strongest(named: readonly Commit[]): Commit | undefined {
  return COMMITS.findLast((commit) => named.includes(commit));
}

function labelled(stores: Stores, name: (commit: Commit) => void): Stores {
  const { intents, outbox } = stores;
  return {
    ...stores,
    outbox: {
      ...outbox,
      claim: async (limit) => {
        const rows = await outbox.claim(limit);
        if (rows.length > 0) name('relay');
        return rows;
      },
    },
    intents: {
      ...intents,
      insert: async (intent) => {
        name(intent.kind === 'payout' ? 'payout' : 'create');
        return intents.insert(intent);
      },
      insertAttempt: async (attempt) => {
        name('sign');
        return intents.insertAttempt(attempt);
      },
      update: async (id, expect, patch) => {
        const commit = patch.status === undefined ? null : INTENT_COMMIT[patch.status];
        if (commit !== null) name(commit);
        return intents.update(id, expect, patch);
      },
      updateAttempt: async (id, expect, patch) => {
        if (patch.status !== undefined) name(ATTEMPT_COMMIT[patch.status]);
        else name(patch.sendCount === undefined ? 'look' : 'sent');
        return intents.updateAttempt(id, expect, patch);
      },
    },
  };
}

const INTENT_COMMIT: { readonly [S in Intent['status']]: Commit | null } = {
  CREATED: null,
  ACTIVE: null,
  SUCCEEDED: 'success',
  FAILED: 'failure',
  REJECTED: 'refusal',
  EXPIRED: 'expiry',
  CANCELLED: 'cancel',
  NEEDS_REVIEW: 'review',
};

const ATTEMPT_COMMIT: { readonly [S in Attempt['status']]: Commit } = {
  SIGNED: 'seen',
  SEEN: 'seen',
  CONFIRMED: 'confirm',
  UNKNOWN: 'review',
  FINALIZED: 'success',
  LANDED_ERR: 'landed-error',
  DEAD: 'death',
};
