import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { SignerPlace } from '../../src/platform/signer/dial.ts';
import { freePort } from '../../test/support/free-port.ts';
import { makeCerts } from '../../test/support/signer-certs.ts';
import type { Random } from '../../test/support/simulator/random.ts';
import { leaseNow } from './audit-signers.ts';
import { makeSignerFolder, type SignerCaller } from './signer.ts';
import { type Supervised, supervise } from './supervise.ts';
import type { TortureWorld } from './world.ts';

const NAMES = ['a', 'b'] as const;
type Name = (typeof NAMES)[number];

/** A killed signer comes back after the lease of five seconds: its standby has taken over by then. */
const REST_MS = 12_000;
/** So long a standby whose lines are other ones stays behind before an operator would look. */
const BROKEN_MS = 10_000;
const LOOK_MS = 200;
/** The word of a standby comes each second: by then the row of the lease says that it is behind. */
const NOTICED_MS = 2_000;

/**
 * Who is harmed, and how: `kill -9`, or a time without running. That is so many milliseconds, or until the other signer signs. The lease is of
 * 5,000, a mirror waits for 3,000.
 */
const HARMS = [
  { who: 'holder', how: 'kill' },
  { who: 'holder', how: 'until-taken' },
  { who: 'holder', how: 2_500 },
  { who: 'standby', how: 'kill' },
  { who: 'standby', how: 4_500 },
] as const;
/** On the slowest machine a standby has taken over by then, even from a silent holder. */
const TAKEN_MS = 60_000;

/** Each harm once in a short run, and one each twelve seconds in a longer one. */
export const harmsIn = (seconds: number): number => Math.max(HARMS.length, Math.round(seconds / 12));

/**
 * Two signers of real processes with one master key and a journal each, over TLS on loopback, as docs/two-signers.md sets them up. Callers ask
 * the standby first, which sends them on.
 */
export async function startTwoSigners(file: string, options: Parameters<typeof makeSignerFolder>[0]) {
  const { folder, env, remove } = await makeSignerFolder(options);
  const certs = join(folder, 'certs');
  const identity = (name: string, role: string) => makeCerts(certs, name, '127.0.0.1', role);
  const files = { a: await identity('a', 'signer'), b: await identity('b', 'signer') };
  const callers = { bot: await identity('bot', 'bot'), worker: await identity('worker', 'worker') };
  const ports = { a: await freePort(), b: await freePort() };
  const folders = { a: join(folder, 'journal-a'), b: join(folder, 'journal-b') };
  const placeOf = (name: Name): string => `tls://127.0.0.1:${ports[name]}`;
  const start = (name: Name): Supervised =>
    supervise({
      name,
      file,
      restMs: REST_MS,
      env: {
        ...env,
        JOURNAL_DIR: folders[name],
        SIGNER_LISTEN: placeOf(name),
        SIGNER_PEERS: placeOf(otherOf(name)),
        SIGNER_TLS_CERT: files[name].cert,
        SIGNER_TLS_KEY: files[name].key,
        SIGNER_TLS_CA: files[name].ca,
      },
    });
  const signers: Partial<Record<Name, Supervised>> = {};
  const all = (): readonly Supervised[] => Object.values(signers);
  const stop = async (): Promise<void> => {
    await Promise.all(all().map((one) => one.stop()));
    await remove();
  };
  try {
    for (const name of NAMES) {
      const one = start(name);
      signers[name] = one;
      await one.ready;
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const counts = { pauses: 0, putAside: 0 };
  const problems: string[] = [];
  const sum = (of: 'started' | 'kills'): number => all().reduce((total, one) => total + one.counts[of], 0);
  return {
    folders,
    placesFor: (caller: SignerCaller): readonly SignerPlace[] =>
      [ports.b, ports.a].map((port) => ({ host: '127.0.0.1', port, files: callers[caller] })),
    counts: () => ({ started: sum('started'), kills: sum('kills'), ...counts }),
    problems: () => [...problems, ...all().flatMap((one) => one.problems)],
    kill: (name: Name) => signers[name]?.kill(),
    /** It runs again when `until` resolves. */
    pause: async (name: Name, until: () => Promise<unknown>): Promise<void> => {
      counts.pauses += 1;
      signers[name]?.signal('SIGSTOP');
      await until().finally(() => signers[name]?.signal('SIGCONT'));
    },
    accuse: (problem: string): void => void problems.push(problem),
    hasOtherLines: (name: Name): boolean => /JOURNAL_BROKEN/.test(signers[name]?.said() ?? ''),
    /** The operator's act for a folder with other lines: the signer comes back with an empty one. */
    putAside: async (name: Name): Promise<void> => {
      counts.putAside += 1;
      signers[otherOf(name)]?.forget();
      signers[name]?.kill();
      await pause(1_000);
      await rename(folders[name], `${folders[name]}-${counts.putAside}`);
    },
    stop,
  };
}

export type TwoSigners = Awaited<ReturnType<typeof startTwoSigners>>;

const otherOf = (name: Name): Name => (name === 'a' ? 'b' : 'a');

/**
 * Harms one of the signers at a time, each when both were well again, and returns the number of harms. A signer that goes down alone may stay
 * so until it is back: docs/two-signers.md says so.
 */
export async function harmSigners(of: {
  readonly signers: TwoSigners;
  readonly world: Pick<TortureWorld, 'query'>;
  readonly count: number;
  readonly random: Random;
  readonly say: (text: string) => void;
  readonly isOver: () => boolean;
}): Promise<number> {
  const { count, random, say, isOver } = of;
  let waiting: (typeof HARMS)[number][] = [];
  let done = 0;
  while (done < count) {
    const holder = await untilLevel(of);
    if (holder === null || isOver()) break;
    if (waiting.length === 0) waiting = [...HARMS];
    const harm = random.pick(waiting);
    waiting.splice(waiting.indexOf(harm), 1);
    const victim = harm.who === 'holder' ? holder : otherOf(holder);
    // At any moment of the work that is under way.
    await pause(random.between(0, 800));
    say(
      `the signer ${victim}, ${harm.who}: ${typeof harm.how === 'number' ? `held up for ${harm.how} ms` : harm.how}`,
    );
    await doHarm(of, { victim, isHolder: victim === holder, how: harm.how });
    done += 1;
    await pause(NOTICED_MS);
  }
  return done;
}

async function doHarm(
  { signers, world }: Pick<Parameters<typeof harmSigners>[0], 'signers' | 'world'>,
  {
    victim,
    isHolder,
    how,
  }: { readonly victim: Name; readonly isHolder: boolean; readonly how: (typeof HARMS)[number]['how'] },
): Promise<void> {
  if (how === 'kill') {
    signers.kill(victim);
    // The killed one may be back before.
    if (isHolder) await isTaken(world, victim, 2 * REST_MS);
    return;
  }
  await signers.pause(victim, async () => {
    if (how !== 'until-taken') return pause(how);
    if (await isTaken(world, victim, TAKEN_MS)) return;
    // One that fell behind a moment before takes nothing by itself.
    if ((await leaseNow(world))?.isLevel !== true) return;
    signers.accuse(`the standby of ${victim}, which was held up for ${TAKEN_MS} ms, took nothing over`);
  });
}

/** Whether the standby signs within this time; false at once where it is behind. */
async function isTaken(world: Pick<TortureWorld, 'query'>, holder: Name, mostMs: number): Promise<boolean> {
  for (const endsAt = Date.now() + mostMs; Date.now() < endsAt; await pause(LOOK_MS)) {
    const lease = await leaseNow(world);
    if (lease?.holder === otherOf(holder)) return true;
    if (lease?.isLevel === false) return false;
  }
  return false;
}

/** The holder, once its standby has every line; null when the storm is over before. */
async function untilLevel({
  signers,
  world,
  isOver,
}: Pick<Parameters<typeof harmSigners>[0], 'signers' | 'world' | 'isOver'>): Promise<Name | null> {
  let since = Date.now();
  while (!isOver()) {
    const lease = await leaseNow(world);
    const holder = NAMES.find((name) => name === lease?.holder);
    if (holder !== undefined && lease?.isLevel === true) return holder;
    if (holder !== undefined && Date.now() - since > BROKEN_MS && signers.hasOtherLines(holder)) {
      await signers.putAside(otherOf(holder));
      since = Date.now();
    }
    await pause(LOOK_MS);
  }
  return null;
}
