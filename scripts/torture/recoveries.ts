import type { Asker } from './ask.ts';
import type { Requests } from './people.ts';
import { waitUntilSettled } from './settle.ts';
import type { Crew } from './workers.ts';
import type { TortureWorld } from './world.ts';

const PATIENCE_MS = 120_000;

/** In fair weather: how long until every intent has ended when, with all of them under way, this one thing happens. */
export type Recoveries = Readonly<
  Record<'nothing' | 'queueLost' | 'allWorkersKilled' | 'postgresKilled', number>
>;

/** The first figure is the time of the same work undisturbed: finality of 32 slots and the machine's own pace are in all. */
export async function measureRecoveries(input: {
  /** How many requests each figure is of. */
  readonly count: number;
  readonly world: TortureWorld;
  readonly crew: Crew;
  readonly asker: Asker;
  readonly requests: Requests;
  readonly say: (text: string) => void;
}): Promise<Recoveries> {
  const { count, world, crew, asker, requests, say } = input;
  async function after(what: keyof Recoveries, happen: () => Promise<unknown>): Promise<number> {
    for (let n = 0; n < count; n += 1) await asker.ask(await requests.next(), { faithful: true });
    const startedAt = performance.now();
    await happen();
    await waitUntilSettled(world, PATIENCE_MS);
    const ms = Math.round(performance.now() - startedAt);
    say(`${what}: ${count} intents have ended after ${ms} ms`);
    return ms;
  }
  return {
    nothing: await after('nothing', async () => undefined),
    queueLost: await after('queueLost', () => world.loseQueue()),
    allWorkersKilled: await after('allWorkersKilled', async () => crew.killAll()),
    postgresKilled: await after('postgresKilled', () => world.restartPostgres()),
  };
}
