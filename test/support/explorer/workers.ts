import type { Attempt } from '../../../src/engine/intents/rules/intent.ts';
import type { IntentEvent, IntentState, IntentWrite } from '../../../src/engine/intents/rules/transition.ts';
import { applyWrites } from '../fakes/commit-rules.ts';
import { looksAt } from './answers.ts';
import { attemptsText } from './fingerprint.ts';
import { committedOver, sign } from './signer.ts';
import type { Bytes, Engine, Step, Worker, World } from './world.ts';

/** As in `step-intent.ts`. */
const LEASE_MS = 10_000;
/** More than two signatures for one request are explored no further: the second already shows what may go wrong. */
const MOST_ATTEMPTS = 2;

/** What each worker may do next, and where each may die. */
export function workerSteps(world: World, engine: Engine, endpoints: number): readonly Step[] {
  return world.workers.flatMap((worker, index) => {
    const mine = stepsOf(world, engine, endpoints, worker, index).map(({ label, world: next }) => ({
      label: `worker ${index + 1} ${label}`,
      world: next,
    }));
    // Who watches can do all that an idle worker can: a death takes nothing but what it knows, which it need not use.
    const mayDie = worker.at !== 'idle' && worker.at !== 'watching';
    if (!mayDie || world.left.crashes === 0) return mine;
    const dead = withWorker(world, index, { at: 'idle' });
    const left = { ...world.left, crashes: world.left.crashes - 1 };
    return [...mine, { label: `worker ${index + 1} dies`, world: { ...dead, left } }];
  });
}

function stepsOf(
  world: World,
  engine: Engine,
  endpoints: number,
  worker: Worker,
  index: number,
): readonly Step[] {
  switch (worker.at) {
    case 'idle':
      return start(world, engine, index);
    case 'watching':
      return [...start(world, engine, index), ...hearLanding(world, engine, endpoints, worker, index)];
    case 'read':
      return lease(world, engine, index, worker.attempts);
    case 'ready': {
      const steps = act(world, engine, endpoints, worker, index);
      if (steps.length > 0) return steps;
      return [
        { label: 'releases the lease', world: rest(release(world, worker), engine, index, worker.state) },
      ];
    }
    case 'committing':
      return [commit(world, engine, index, worker)];
  }
}

function withWorker(world: World, index: number, worker: Worker): World {
  return { ...world, workers: world.workers.map((known, at) => (at === index ? worker : known)) };
}

function start(world: World, engine: Engine, index: number): readonly Step[] {
  if (!engine.readsFirst) return lease(world, engine, index, null);
  const read = withWorker(world, index, { at: 'read', attempts: world.row.attempts });
  return [{ label: 'reads the attempts', world: read }];
}

function lease(
  world: World,
  { rules }: Engine,
  index: number,
  attempts: readonly Attempt[] | null,
): readonly Step[] {
  const { intent } = world.row;
  if (!rules.mayLease(intent, world.now)) return [];
  const leased = { ...intent, leaseEpoch: intent.leaseEpoch + 1, leaseUntil: world.now + LEASE_MS };
  const next = committedOver(world, { ...world, row: { ...world.row, intent: leased } });
  const state = { intent: leased, attempts: attempts ?? world.row.attempts };
  return [{ label: 'takes the lease', world: withWorker(next, index, { at: 'ready', state }) }];
}

function release(world: World, { state }: Extract<Worker, { state: unknown }>): World {
  const { intent } = world.row;
  const isMine = intent.leaseEpoch === state.intent.leaseEpoch;
  return isMine ? { ...world, row: { ...world.row, intent: { ...intent, leaseUntil: null } } } : world;
}

/** After a step: the intent as it was left is remembered exactly where the engine says `known`. */
function rest(world: World, { next }: Engine, index: number, state: IntentState): World {
  const isWatched = next(state, world.now).kind === 'observe';
  return withWorker(world, index, isWatched ? { at: 'watching', state } : { at: 'idle' });
}

/** `stepLanded`: what is heard of a landing, without the lease. */
function hearLanding(
  world: World,
  engine: Engine,
  endpoints: number,
  { state }: Extract<Worker, { at: 'watching' }>,
  index: number,
): readonly Step[] {
  const action = engine.next(state, world.now);
  if (action.kind !== 'observe') return [];
  return looksAt(world, action.attempt, endpoints)
    .filter(({ events }) => events.some(({ kind }) => kind === 'confirmed' || kind === 'finalized'))
    .map(({ label, events, lies }) => {
      const left = { ...world.left, lies: world.left.lies - lies };
      const committing = { at: 'committing', state, events, claims: true } as const;
      return {
        label: `${label} of attempt ${action.attempt.n}, without the lease`,
        world: withWorker({ ...world, left }, index, committing),
      };
    });
}

function act(
  world: World,
  engine: Engine,
  endpoints: number,
  worker: Extract<Worker, { at: 'ready' }>,
  index: number,
): readonly Step[] {
  const { state } = worker;
  const doing = (label: string, events: readonly IntentEvent[], changed: World = world): Step => ({
    label,
    world: withWorker(changed, index, { at: 'committing', state, events, claims: false }),
  });
  const action = engine.next(state, world.now);
  switch (action.kind) {
    case 'done':
    case 'wait':
      return [];
    case 'lapse':
      return [doing('finds the request too old', [{ kind: 'lapsed' }])];
    case 'build':
      if (action.n > MOST_ATTEMPTS) return [];
      return [
        doing('may not build it any more', [{ kind: 'refused', code: 'PRICE_MOVED', details: null }]),
        build(world, engine, index, worker, action.n),
      ];
    case 'broadcast': {
      const { attempt } = action;
      const sent: readonly IntentEvent[] = [{ kind: 'sent', attemptId: attempt.id }];
      return [
        doing(`sends attempt ${attempt.n}`, sent, inAir(world, attempt.signature)),
        doing(`sends attempt ${attempt.n}, which is dropped`, sent),
      ];
    }
    case 'observe': {
      const { attempt } = action;
      const again = inAir(world, attempt.signature);
      const looks = looksAt(world, attempt, endpoints).map(({ label, events, lies }) => {
        const left = { ...world.left, lies: world.left.lies - lies };
        return doing(`${label} of attempt ${attempt.n}`, events, { ...world, left });
      });
      return again === world
        ? looks
        : [...looks, doing('sends again', [{ kind: 'sent', attemptId: attempt.id }], again)];
    }
  }
}

function build(
  world: World,
  engine: Engine,
  index: number,
  worker: Extract<Worker, { at: 'ready' }>,
  n: number,
): Step {
  const name = unusedName(world);
  const attempt: Attempt = {
    id: name,
    intentId: world.row.intent.id,
    n,
    signedTransaction: new Uint8Array(),
    signature: name,
    blockhash: name,
    lastValidBlockHeight: 1_000n,
    signedSlot: 900n,
    signedAt: world.now,
    status: 'SIGNED',
    sendCount: 0,
    lastSentAt: null,
    landedSlot: null,
    chainError: null,
    deathProof: null,
    landingProof: null,
    terms: null,
  };
  const bytes: Bytes = {
    signature: name,
    inAir: engine.sendsEarly,
    fate: null,
    isFinal: false,
    isExpired: false,
  };
  if (world.signer !== undefined) return buildBySigner(world, engine, index, worker, attempt, bytes);
  const next = engine.sendsEarly ? { ...world, chain: [...world.chain, bytes] } : world;
  const events: readonly IntentEvent[] = [{ kind: 'signed', attempt }];
  return {
    label: `signs attempt ${n}`,
    world: withWorker(next, index, { at: 'committing', state: worker.state, events, claims: false }),
  };
}

/** With a journal: the line is written before the signature is anywhere else. */
function buildBySigner(
  world: World,
  engine: Engine,
  index: number,
  worker: Extract<Worker, { at: 'ready' }>,
  wanted: Attempt,
  bytes: Bytes,
): Step {
  const { world: after, kind, attempt } = sign(world, engine, wanted);
  if (kind === 'refused' || attempt === null)
    return {
      label: `is refused a signature for attempt ${wanted.n}`,
      world: rest(release(after, worker), engine, index, worker.state),
    };
  const next =
    kind === 'signed' ? { ...after, chain: [...after.chain, { ...bytes, isSecret: true }] } : after;
  const events: readonly IntentEvent[] = [{ kind: 'signed', attempt }];
  return {
    label: `${kind === 'signed' ? 'signs' : 'is handed back'} attempt ${wanted.n}`,
    world: withWorker(next, index, { at: 'committing', state: worker.state, events, claims: false }),
  };
}

/** The first that names no bytes yet, stored or in a worker's hands: equal worlds then have equal names. */
function unusedName({ row, chain, workers }: World): string {
  const used = new Set([...row.attempts, ...chain].map(({ signature }) => signature));
  for (const worker of workers) {
    if (worker.at !== 'committing') continue;
    for (const event of worker.events) if (event.kind === 'signed') used.add(event.attempt.signature);
  }
  for (let n = 1; ; n += 1) if (!used.has(`bytes-${n}`)) return `bytes-${n}`;
}

/** The same world when the bytes are under way already, or too old to matter. */
function inAir(world: World, signature: string): World {
  const bytes = world.chain.find((one) => one.signature === signature);
  if (bytes === undefined || bytes.inAir || bytes.isExpired) return world;
  return { ...world, chain: world.chain.map((one) => (one === bytes ? { ...one, inAir: true } : one)) };
}

/** One transition, whole or not at all, as `commitTransition` does it; who loses forgets what it knew. */
function commit(
  world: World,
  engine: Engine,
  index: number,
  worker: Extract<Worker, { at: 'committing' }>,
): Step {
  const { state: believed, claims } = worker;
  const [event, ...events] = worker.events;
  if (event === undefined) throw new Error('a commit of nothing');
  const transition = engine.reduce(believed, event, world.now);
  const isClaimed = claims && transition.writes.length > 0;
  const epoch = believed.intent.leaseEpoch + Number(isClaimed);
  const claimed = isClaimed ? claim(world, engine, believed) : world.row;
  const row = claimed && applyWrites(claimed, transition.writes, epoch, engine.rules);
  if (claimed === null || row === null) {
    const left = claims ? world : release(world, worker);
    return {
      label: `loses the race to commit "${event.kind}"`,
      world: withWorker(left, index, { at: 'idle' }),
    };
  }
  if (world.signer?.wentBack !== true && isOfOthersRows(believed, claimed, transition.writes))
    throw new Error('an attempt is written by who does not know it as it is: somebody had the lease since');
  const count = (kind: string): number => transition.effects.filter((effect) => effect.kind === kind).length;
  const known = new Set(world.chain.map(({ signature }) => signature));
  const stored: readonly Bytes[] = row.attempts
    .filter(({ signature }) => !known.has(signature))
    .map(({ signature }) => ({ signature, inAir: false, fate: null, isFinal: false, isExpired: false }));
  const mayLeave = new Set(row.attempts.map(({ signature }) => signature));
  const chain = world.chain.map((one) =>
    one.isSecret === true && mayLeave.has(one.signature) ? withoutSecrecy(one) : one,
  );
  const next: World = committedOver(world, {
    ...world,
    row,
    chain: [...chain, ...stored],
    captured: world.captured + count('capture'),
    voided: world.voided + count('void'),
  });
  const { intent, attempts } = transition.state;
  const state = { intent: { ...intent, leaseEpoch: epoch }, attempts };
  const after = { at: 'committing', state, events, claims } as const;
  // The last commit and the release in one step: a death between them is that of a worker that dies when it holds the lease anew.
  return {
    label: `commits "${event.kind}"${claims ? ' without the lease' : ''}`,
    world:
      events.length === 0
        ? rest(claims ? next : release(next, after), engine, index, state)
        : withWorker(next, index, after),
  };
}

const withoutSecrecy = ({ isSecret: _isSecret, ...bytes }: Bytes): Bytes => bytes;

/**
 * Only attempts are written, and the rows are others than those that the writer read. What such a write does is made up for by
 * other rules, today; that it cannot happen is a rule of its own.
 */
function isOfOthersRows(believed: IntentState, row: IntentState, writes: readonly IntentWrite[]): boolean {
  return (
    writes.length > 0 &&
    writes.every(({ kind }) => kind === 'update-attempt') &&
    attemptsText(believed.attempts) !== attemptsText(row.attempts)
  );
}

/**
 * The rows with the lease taken and given back in the commit itself, or null where the rules refuse that. Throws where they let
 * it pass although somebody has leased the intent since: the rows may be others by now, and a holder would lose its lease.
 */
function claim({ row, now, signer }: World, { rules }: Engine, { intent }: IntentState): IntentState | null {
  if (!rules.mayClaim(row.intent, intent.leaseEpoch, now)) return null;
  if (signer?.wentBack !== true && row.intent.leaseEpoch !== intent.leaseEpoch)
    throw new Error('a landing is committed over rows that somebody has leased since');
  return { ...row, intent: { ...row.intent, leaseUntil: null, leaseEpoch: row.intent.leaseEpoch + 1 } };
}
