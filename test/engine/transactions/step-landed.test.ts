import { beforeEach, describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { isOpen } from '../../../src/engine/intents/rules/machine.ts';
import type { IntentStore, WholeIntent } from '../../../src/engine/intents/store/intent-store-port.ts';
import { createIntent } from '../../../src/engine/transactions/use/create-intent.ts';
import type { TransactionDeps } from '../../../src/engine/transactions/use/deps.ts';
import { createStepIntent, type Heard } from '../../../src/engine/transactions/use/step-intent.ts';
import type { SignatureStatus } from '../../../src/platform/ports/chain.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import { fakeDatabase } from '../../support/fakes/database.ts';
import { CONFIRMS } from '../../support/signer.ts';
import { addPerson } from '../../support/simulator/people.ts';
import { addressOf, DESTINATION } from '../intents/build.ts';
import { type VirtualWorld, virtualDeps, virtualWorld } from './virtual-world.ts';

const AMOUNT = 2_000_000_000n;
const SLIPPED = '{"InstructionError":[3,{"Custom":6001}]}';

let world: VirtualWorld;
let db: Database;
let leases: number;
let deps: TransactionDeps;
let intentId: string;

beforeEach(async () => {
  world = virtualWorld();
  db = countingLeases(fakeDatabase());
  leases = 0;
  await addPerson(db, { index: 1, inviterId: null });
  const wallet = await db.wallets.find('wallet-person-1');
  world.balances.set(wallet?.address ?? addressOf(1), 9_000_000_000n);
  deps = virtualDeps(world, db);
  const { intent } = await createIntent(
    { ...deps, vault: CONFIRMS },
    {
      userId: 'person-1',
      walletId: 'wallet-person-1',
      idemKey: 'key-1',
      params: {
        kind: 'withdraw-sol',
        destination: DESTINATION,
        lamports: AMOUNT,
        everything: false,
        tier: 'normal',
      },
    },
  );
  intentId = intent.id;
});

function countingLeases(made: Database): Database {
  const lease: IntentStore['lease'] = (...args) => {
    leases += 1;
    return made.intents.lease(...args);
  };
  return { ...made, intents: { ...made.intents, lease } };
}

const stepOf = (owner: string) => createStepIntent({ ...deps, owner }, { stretchMs: 0 });

/** Built, stored and sent; the intent as that left it. */
async function sent(): Promise<WholeIntent> {
  const step = stepOf('one');
  await step(intentId);
  const result = await step(intentId);
  if (result.kind !== 'again' || result.known === undefined) throw new Error('nothing is under way');
  return result.known;
}

async function heardOf({ attempts }: WholeIntent): Promise<Heard> {
  const signature = attempts.at(-1)?.signature ?? '';
  const [status] = await deps.chain.statuses([signature]);
  return { signature, status: status ?? null };
}

const stored = async (): Promise<Intent> => {
  const intent = await db.intents.find(intentId);
  if (intent === null) throw new Error('the intent is gone');
  return intent;
};
const fate = async () => (await db.intents.attempts(intentId)).map(({ status }) => status);

/** Steps as a queue would that knows nothing of what was known. */
async function finish(): Promise<Intent> {
  for (;;) {
    const result = await stepOf('queue')(intentId);
    const intent = await stored();
    if (!isOpen(intent.status)) return intent;
    world.clock.advance(result.kind === 'again' ? Math.max(result.afterMs, 400) : 400);
  }
}

describe('what is heard of a landing', () => {
  it('is committed without a lease from the confirmation to the end', async () => {
    let known = await sent();
    leases = 0;
    const step = stepOf('one');
    world.clock.advance(1_000);
    const confirmed = await step(intentId, await heardOf(known), known);
    expect(await fate()).toEqual(['CONFIRMED']);
    if (confirmed.kind !== 'again' || confirmed.known === undefined) throw new Error('it ended too early');
    known = confirmed.known;
    expect((await stored()).leaseEpoch).toBe(known.intent.leaseEpoch);
    world.clock.advance(13_000);
    expect(await step(intentId, await heardOf(known), known)).toEqual({ kind: 'done' });
    expect((await stored()).status).toBe('SUCCEEDED');
    expect(leases).toBe(0);
    expect(world.balances.get(DESTINATION)).toBe(AMOUNT);
  });

  it('is told once by five who heard it at the same time', async () => {
    const known = await sent();
    world.clock.advance(14_000);
    const heard = await heardOf(known);
    await Promise.all([1, 2, 3, 4, 5].map((n) => stepOf(`worker-${n}`)(intentId, heard, known)));
    expect((await finish()).status).toBe('SUCCEEDED');
    const told = await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 100);
    const kinds = await Promise.all(told.map(async (id) => (await db.notices.find(id))?.kind));
    expect(kinds.filter((kind) => kind === 'final')).toHaveLength(1);
  });

  it('is read again under the lease when somebody had it since', async () => {
    const known = await sent();
    const { leaseEpoch } = await stored();
    await db.intents.lease(intentId, {
      owner: 'other',
      now: world.clock.now(),
      until: world.clock.now() + 5,
    });
    await db.intents.release(intentId, leaseEpoch + 1);
    leases = 0;
    world.clock.advance(1_000);
    await stepOf('one')(intentId, await heardOf(known), known);
    expect(leases).toBe(1);
    expect(await fate()).toEqual(['CONFIRMED']);
  });

  it('changes nothing while somebody holds the lease', async () => {
    const known = await sent();
    world.clock.advance(1_000);
    const now = world.clock.now();
    await db.intents.lease(intentId, { owner: 'other', now, until: now + 5_000 });
    const before = await db.intents.whole(intentId);
    expect(await stepOf('one')(intentId, await heardOf(known), known)).toMatchObject({ kind: 'again' });
    expect(await db.intents.whole(intentId)).toEqual(before);
  });

  it.each([
    ['the database is quarantined', () => db.flags.set('quarantined', true, 0)],
    [
      'a person was called',
      () => db.intents.update(intentId, { statuses: ['ACTIVE'] }, { status: 'NEEDS_REVIEW' }),
    ],
  ] as const)('changes nothing when %s', async (_, happen) => {
    const known = await sent();
    world.clock.advance(1_000);
    const heard = await heardOf(known);
    await happen();
    const before = await db.intents.whole(intentId);
    await stepOf('one')(intentId, heard, known);
    expect(await db.intents.whole(intentId)).toEqual(before);
    expect(await db.notices.undelivered(Number.MAX_SAFE_INTEGER, 100)).toHaveLength(1);
  });

  it.each<SignatureStatus | null>([null, { slot: 1n, level: 'processed', err: null }])(
    'is looked at under the lease unless it is a landing: %s',
    async (status) => {
      const known = await sent();
      leases = 0;
      world.clock.advance(1_000);
      const heard = { signature: known.attempts[0]?.signature ?? '', status };
      await stepOf('one')(intentId, heard, known);
      expect(leases).toBe(1);
    },
  );

  it('leads to a new attempt under the lease only, when it landed with an error', async () => {
    world.faults.failWith = SLIPPED;
    const known = await sent();
    leases = 0;
    world.clock.advance(14_000);
    const result = await stepOf('one')(intentId, await heardOf(known), known);
    expect(leases).toBe(0);
    expect(await fate()).toEqual(['LANDED_ERR']);
    expect(result).toEqual(
      isOpen((await stored()).status) ? { kind: 'again', afterMs: 0 } : { kind: 'done' },
    );
  });
});
