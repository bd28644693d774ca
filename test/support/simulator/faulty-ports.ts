import { AppError } from '../../../src/core/errors/app-error.ts';
import type { Chain } from '../../../src/platform/ports/chain.ts';
import type { Database } from '../../../src/platform/ports/stores.ts';
import type { FaultLevels } from './fault-levels.ts';
import type { SimProcess } from './process.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

type World = { readonly timeline: Timeline; readonly random: Random; readonly levels: () => FaultLevels };

/**
 * The way from one process to another machine: a request that may take effect after its sender was killed or stopped, and
 * an answer that may find nobody. `fate` decides per call whether it fails on the way there or on the way back.
 */
function remote<A extends unknown[], R>(
  { timeline, random, levels }: World,
  process: SimProcess,
  run: (...args: A) => Promise<R>,
  fate: () => 'ok' | 'lost-request' | 'lost-answer',
  outage: () => Error,
): (...args: A) => Promise<R> {
  const latency = (): number => (random.chance(0.5) ? 1 : random.between(1, levels().maxLatencyMs));
  return async (...args) => {
    process.assertAlive();
    const outcome = fate();
    await timeline.sleep(latency());
    if (outcome === 'lost-request') {
      await process.sleep(latency());
      throw outage();
    }
    const result = await run(...args);
    await process.sleep(latency());
    if (outcome === 'lost-answer') throw outage();
    return result;
  };
}

/** The cluster as this process reaches it; the cluster brings its own faults. */
export function remoteChain(world: World, process: SimProcess, chain: Chain): Chain {
  const reached = proxied(chain, (run) =>
    remote(
      world,
      process,
      run,
      () => 'ok',
      () => new Error('unreachable'),
    ),
  );
  // A figure that the process keeps: no call.
  return { ...reached, slotMs: () => chain.slotMs() };
}

/**
 * The database as this process reaches it. A transaction is decided at one instant of virtual time: its writes are
 * compare-and-sets, so that is what Postgres makes of it too; a kill before that instant rolls it back.
 */
export function remoteDatabase(world: World, process: SimProcess, db: Database): Database {
  const { random, levels } = world;
  const outage = (): Error => new AppError('DATABASE_UNREACHABLE', { cause: 'simulated' });
  const fate = (): 'ok' | 'lost-request' | 'lost-answer' => {
    if (random.chance(levels().databaseFails)) return 'lost-request';
    return random.chance(levels().commitAckLost) ? 'lost-answer' : 'ok';
  };
  const stores = Object.fromEntries(
    Object.entries(db)
      .filter(([, store]) => typeof store === 'object')
      .map(([name, store]) => [
        name,
        proxied(store as object, (run) => remote(world, process, run, fate, outage)),
      ]),
  );
  const transact: Database['transact'] = async (work) => {
    process.assertAlive();
    const outcome = fate();
    await process.sleep(random.between(1, levels().maxLatencyMs));
    if (outcome === 'lost-request') throw outage();
    const result = await db.transact(work);
    await process.sleep(random.between(1, levels().maxLatencyMs));
    if (outcome === 'lost-answer') throw outage();
    return result;
  };
  return { ...(stores as Omit<Database, 'transact'>), transact };
}

type Run = (...args: unknown[]) => Promise<unknown>;

function proxied<T extends object>(target: T, wrap: (run: Run) => Run): T {
  return Object.fromEntries(
    Object.entries(target).map(([name, member]) => [
      name,
      typeof member === 'function' ? wrap((member as Run).bind(target)) : (member as unknown),
    ]),
  ) as T;
}
