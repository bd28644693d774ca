import { isLive } from '../fakes/commit-rules.ts';
import { bytesOf, type Engine, type Worker, type World } from './world.ts';

type Believing = Extract<Worker, { state: unknown }>;

/** Whether somebody has taken the lease since. */
export const hasLost = ({ row }: World, { state }: Believing): boolean =>
  state.intent.leaseEpoch !== row.intent.leaseEpoch;

/**
 * The same world with every worker idle that can change nothing any more, however long it goes on: it lost its lease, the rules
 * refuse its epoch (an epoch never comes back), each attempt that it takes for alive has another status by now (a status never
 * comes back either), and all bytes that it could send are under way or too old. What is left to it is to go home. Asked of the
 * engine's own rules, so that a fault planted in them is not looked away from.
 */
export function withoutPowerless(world: World, engine: Engine): World {
  return engine.sendsEarly ? world : idleWhere(world, (worker) => isPowerless(world, engine, worker));
}

/**
 * The same world where nobody remembers an intent that somebody has leased since: all that the memory is good for is a claim, which
 * the rules refuse. No reduction to be compared with others: without it memories of every age would be counted.
 */
export function withoutOldMemories(world: World, engine: Engine): World {
  return idleWhere(world, (worker) => claimsAtMost(worker) && isPowerless(world, engine, worker));
}

/** Without the lease nothing is sent, and each commit begins with a claim. */
const claimsAtMost = (worker: Worker): boolean =>
  worker.at === 'watching' || (worker.at === 'committing' && worker.claims);

function idleWhere(world: World, isIdle: (worker: Worker) => boolean): World {
  if (!world.workers.some(isIdle)) return world;
  const workers = world.workers.map((worker) => (isIdle(worker) ? ({ at: 'idle' } as const) : worker));
  return { ...world, workers };
}

function isPowerless(world: World, { rules }: Engine, worker: Worker): boolean {
  if (!('state' in worker) || !hasLost(world, worker)) return false;
  const { intent, attempts } = world.row;
  if (claimsAtMost(worker))
    return !rules.mayClaim({ ...intent, leaseUntil: null }, worker.state.intent.leaseEpoch, world.now);
  const expect = { epoch: worker.state.intent.leaseEpoch, statuses: [intent.status] };
  if (rules.mayUpdateIntent(intent, expect)) return false;
  return worker.state.attempts.filter(isLive).every((believed) => {
    const now = attempts.find(({ id }) => id === believed.id);
    if (now === undefined) return false;
    const fits = { epoch: worker.state.intent.leaseEpoch, statuses: [believed.status] };
    if (rules.mayUpdateAttempt(intent, now, fits)) return false;
    const bytes = bytesOf(world, believed.signature);
    return bytes === undefined || bytes.inAir || bytes.isExpired || bytes.fate !== null;
  });
}
