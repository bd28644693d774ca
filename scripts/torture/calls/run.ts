import { setTimeout as pause } from 'node:timers/promises';
import { insist } from '../insist.ts';
import { type Call, judge, type Problem } from './judge.ts';
import { PLANTS, type PlantName } from './plants.ts';
import { type BuiltProduct, buildProduct } from './product.ts';
import { type CallsRig, openRig } from './rig.ts';
import { type Storm, type StormOptions, stormOf } from './storm.ts';

/** The third try of an event comes five minutes after the second one. */
const EVENTS_MS = 400_000;

export type CallsRunOptions = Omit<StormOptions, 'kinds'> & {
  /** Callers at once, each with a keypair of its own. */
  readonly callers: number;
  readonly plant: PlantName | null;
};

export type CallsRun = {
  readonly calls: number;
  readonly seconds: number;
  /** Calls by kind and by the caller's last knowledge. */
  readonly ends: Readonly<Record<string, number>>;
  readonly answers: { readonly given: number; readonly lost: number; readonly down: number };
  readonly kills: number;
  readonly starts: number;
  readonly postgresKills: number;
  readonly commitsCut: number;
  /** What the chain did to the sent transactions, and to all questions. */
  readonly faults: Readonly<Record<string, number>>;
  readonly lies: Readonly<Record<string, number>>;
  readonly landed: number;
  readonly signed: number;
  readonly events: {
    readonly tries: number;
    readonly lost: number;
    readonly forged: number;
    readonly final: number;
  };
  /** Empty where every final word was right, and nothing was done twice. */
  readonly problems: readonly Problem[];
  /** Of the witness at the wire: bytes that a node saw before their row was committed, and memos that landed twice. */
  readonly violations: readonly { readonly rule: string; readonly detail: string }[];
  /** Processes that ended by themselves. */
  readonly ownDeaths: readonly string[];
};

/**
 * Many callers build, sign, submit and follow over the real API while answers are lost, the chain forks, a node lies and processes are
 * killed. At the end a judge who reads only the chain's blocks compares every word. `stop` ends the run early: no call begins any more,
 * and those under way are brought to their end and judged.
 */
export async function runCalls(options: CallsRunOptions): Promise<CallsRun> {
  const product = await buildProduct(options.plant);
  const closing: (() => Promise<unknown>)[] = [async () => product.remove()];
  try {
    return await inRig(options, product, closing);
  } finally {
    for (const close of closing.toReversed()) await close().catch(() => undefined);
  }
}

async function inRig(
  options: CallsRunOptions,
  product: BuiltProduct,
  closing: (() => Promise<unknown>)[],
): Promise<CallsRun> {
  const rig = await openRig(options, product, closing);
  options.say(`${options.callers} callers are ready; ${options.calls} calls`);
  const { plant } = options;
  const storm = await stormOf(rig, product, {
    ...options,
    kinds: plant === null ? null : PLANTS[plant].kinds,
  });
  options.say(`all calls have ended after ${storm.seconds} s`);
  // Callers of the open host have no account, and so no webhook. A run with a fault in it waits for no events.
  const hooked = new Set(
    (plant === null ? storm.done : []).flatMap(({ kind, heard }) =>
      kind === 'open-swap' ? [] : heard.map(({ signature }) => signature),
    ),
  );
  await eventsHere(rig, hooked);
  for (const line of await rowsOf(rig, storm.done)) options.say(line);
  const problems = judge({
    calls: storm.done,
    landed: rig.book.landed,
    payers: new Set(rig.integrators.map(({ wallet }) => wallet.address)),
    events: rig.hooks.events,
    hooked,
    liedAbout: rig.liedAbout,
  });
  return { ...figuresOf(rig, storm), problems };
}

/** For the reader of a report, not for the judge: what the service knows of calls without a word, and of disputes without a lie. */
async function rowsOf({ world, liedAbout }: CallsRig, calls: readonly Call[]): Promise<readonly string[]> {
  const open = calls.filter(
    ({ ended, signings }) =>
      ended === 'open' ||
      (ended === 'disputed' && !signings.some(({ signature }) => liedAbout.has(signature))),
  );
  const signatures = open.flatMap(({ signings }) => signings.map(({ signature }) => `'${signature}'`));
  if (signatures.length === 0) return [];
  const rows = await insist(() =>
    world.query(
      `SELECT signature, status, version, sends, last_valid_block_height AS last, death_proof::text AS deaths, landing_proof::text AS landings, received_at::text AS received, changed_at::text AS changed
       FROM submissions WHERE signature IN (${signatures.join(', ')})`,
    ),
  );
  return [
    ...open.map(
      ({ n, kind, why, signings }) =>
        `call ${n} (${kind}) has no word, or a dispute without a lie, after ${why}: ${signings.map(({ signature }) => signature).join(', ')}`,
    ),
    ...rows.map((row) => JSON.stringify(row)),
  ];
}

function figuresOf(rig: CallsRig, storm: Storm): Omit<CallsRun, 'problems'> {
  const { fronts, crew, world, book, hooks } = rig;
  const { done, seconds, postgresKills, faults } = storm;
  const both = (count: 'answered' | 'lost' | 'down'): number =>
    fronts.open.counts[count] + fronts.keyed.counts[count];
  return {
    calls: done.length,
    seconds,
    ends: endsOf(done),
    answers: { given: both('answered'), lost: both('lost'), down: both('down') },
    kills: crew.counts.kills,
    starts: crew.counts.starts,
    postgresKills,
    commitsCut: world.proxy.report().commitCuts,
    faults,
    lies: { ...world.liar.counts },
    landed: book.landed.size,
    signed: done.reduce((sum, { signings }) => sum + signings.length, 0),
    events: { ...hooks.counts, final: new Set(hooks.events.map(({ id }) => id)).size },
    violations: world.faults.report().oracles.violations,
    ownDeaths: crew.counts.ownDeaths,
  };
}

function endsOf(calls: readonly Call[]): Readonly<Record<string, number>> {
  const ends: Record<string, number> = {};
  for (const { kind, ended, why } of calls) {
    const end = [kind, ended, ...(why === null ? [] : [why])].join(' ');
    ends[end] = (ends[end] ?? 0) + 1;
  }
  return ends;
}

/** Resolves when an event of each of these has come, or when all of its early tries are over. */
async function eventsHere({ hooks }: CallsRig, hooked: ReadonlySet<string>): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < EVENTS_MS) {
    const come = new Set(hooks.events.map(({ signature }) => signature));
    if ([...hooked].every((signature) => come.has(signature))) return;
    await pause(500);
  }
}
