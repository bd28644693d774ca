import { setTimeout as pause } from 'node:timers/promises';
import { CRASH_POINTS } from '../../test/support/chaos/crash-points.ts';
import type { Random } from '../../test/support/simulator/random.ts';
import type { Asker } from './ask.ts';
import { PLACES_PER_WORKER } from './compose.ts';
import type { TortureOptions } from './options.ts';
import type { OrderPeople } from './order-people.ts';
import type { Requests } from './people.ts';
import type { PriceMover } from './price-mover.ts';
import { countOpen } from './settle.ts';
import type { Crew } from './workers.ts';
import { STORM, type TortureWorld } from './world.ts';

const LEAST_BETWEEN_KILLS_MS = 1_200;
/** Long enough for a price to be held between two moves. */
const BETWEEN_MOVES_MS = 2_000;
/** The share of the orders that are placed before the makers take anything out. */
const BEFORE_THE_FALL = 0.6;

export type StormReport = {
  readonly seconds: number;
  readonly kills: number;
  readonly postgresKills: number;
  readonly queueLosses: number;
  readonly connectionCuts: number;
  readonly signerKills: number;
  /** What befell one of two signers. */
  readonly signerHarms: number;
  readonly sends: ReturnType<TortureWorld['faults']['report']>['sends'];
};

/** The storm gives up when no request has come to its end for so long: that is stuck on the slowest machine. */
const STUCK_AFTER_MS = 240_000;

/**
 * Everything goes wrong at once, until all requests are confirmed and all kills done, or nothing goes on any more, or `stop` says so. On a machine that is behind, kills keep to the share of requests that are done: workers that are killed before
 * they have done anything prove nothing, and would never get to do it.
 */
export async function rage(input: {
  readonly options: TortureOptions;
  readonly world: TortureWorld;
  readonly crew: Crew;
  readonly asker: Asker;
  readonly requests: Requests;
  readonly orderPeople: OrderPeople;
  readonly mover: PriceMover;
  /** The makers of the ordered token take most of their liquidity out, once. */
  readonly fall: () => void;
  /** Kills the one signer's process; null where there is none, and where there are two. */
  readonly killSigner: (() => void) | null;
  /** Harms two signers until it is done or the storm gives up, and returns how often; null where there are no two. */
  readonly harmSigners: ((isOver: () => boolean) => Promise<number>) | null;
  readonly random: Random;
  readonly say: (text: string) => void;
  readonly stop: () => boolean;
}): Promise<StormReport> {
  const { options, world, crew, asker, requests, orderPeople, mover, fall, random, say, stop } = input;
  const { seconds } = options;
  world.faults.setPlan({ seed: String(options.seed), rules: STORM });
  world.liar.setLying(true);
  world.proxy.setFaults({ cutCommit: () => random.chance(0.002) });
  // Work without a place waits in the queue, longer than a blockhash of this fast chain lives. Its attempts die one after another, each
  // death brings more work, and the storm never gets out of it. That tests nothing but the machine, so people then wait.
  const mostOpen = options.workers * PLACES_PER_WORKER;
  const startedAt = Date.now();
  const elapsedMs = (): number => Date.now() - startedAt;
  let movedAt = startedAt;
  let ended = 0;
  const tooLong = (): boolean => stop() || Date.now() - movedAt > STUCK_AFTER_MS;
  const at = async (ms: number): Promise<void> => {
    while (elapsedMs() < ms && !stop()) await pause(Math.min(500, ms - elapsedMs()));
  };
  const events = { postgresKills: 0, queueLosses: 0, connectionCuts: 0, signerKills: 0, signerHarms: 0 };
  const killsBefore = crew.counts.kills;
  const killed = (): number => crew.counts.kills - killsBefore;
  let open = 0;
  let raging = true;

  const pending: Promise<void>[] = [];
  const asking = async (): Promise<void> => {
    // More than wanted while kills are outstanding: only who is at work can be killed at it.
    const missing = (n: number): boolean => n < options.intents || killed() < options.kills;
    for (let n = 0; missing(n) && !tooLong(); n += 1) {
      await at((n / options.intents) * seconds * 950);
      while (open > mostOpen && !tooLong()) await pause(100);
      // Not waited for: a person does not wait for another's confirmation.
      const one = asker.ask(await requests.next());
      if (n % 20 === 19) await one;
      else pending.push(one);
    }
  };
  const placing = async (): Promise<void> => {
    const { groups } = orderPeople.placed;
    while (groups.length < options.orders && !tooLong()) {
      await at((groups.length / options.orders) * seconds * 950);
      await orderPeople.next();
    }
  };
  const moving = async (): Promise<void> => {
    while (raging && options.orders > 0 && !tooLong()) {
      await pause(BETWEEN_MOVES_MS);
      await asker.ask(await mover.next(), { faithful: true });
    }
  };
  const falling = async (): Promise<void> => {
    await at(seconds * 600);
    // On a machine that is behind the fall waits for the orders that it is for.
    while (orderPeople.placed.groups.length < options.orders * BEFORE_THE_FALL && raging && !tooLong())
      await pause(100);
    if (options.orders > 0) fall();
  };
  const killing = async (): Promise<void> => {
    for (let n = 0; n < options.kills && !tooLong(); n += 1) {
      const share = (n + random.next()) / options.kills;
      await at(share * seconds * 1_000);
      while (asker.confirmed.length - open < share * options.intents && !tooLong()) await pause(100);
      if (random.chance(0.2)) crew.plant(random.pick(CRASH_POINTS));
      while (!crew.kill((count) => random.between(0, Math.max(0, count - 1))) && !tooLong()) await pause(100);
      await pause(LEAST_BETWEEN_KILLS_MS);
    }
  };
  const breaking = async (): Promise<void> => {
    const rounds = Math.max(1, Math.floor(seconds / 60));
    for (let round = 0; round < rounds && !stop(); round += 1) {
      const share = (part: number): number => ((round + part) / rounds) * seconds * 1_000;
      await at(share(0.4));
      events.connectionCuts += world.proxy.cut();
      await at(share(0.5));
      await world.restartPostgres();
      events.postgresKills += 1;
      await at(share(0.6));
      await world.loseQueue();
      events.queueLosses += 1;
      if (input.killSigner === null) continue;
      await at(share(0.7));
      input.killSigner();
      events.signerKills += 1;
    }
  };
  const harming = async (): Promise<void> => {
    if (input.harmSigners !== null) events.signerHarms = await input.harmSigners(tooLong);
  };
  const watching = async (): Promise<void> => {
    for (let tick = 1; raging; tick += 1) {
      open = await countOpen(world);
      if (asker.confirmed.length - open > ended) {
        ended = asker.confirmed.length - open;
        movedAt = Date.now();
      }
      if (tick % 30 === 0) {
        const { oracles } = world.faults.report();
        say(
          `${asker.confirmed.length} confirmed, ${open} open, ${crew.counts.kills} kills, ${oracles.signatures} signatures, ${oracles.violations.length} violations`,
        );
      }
      await pause(500);
    }
  };
  const beside = Promise.all([watching(), moving(), falling()]);
  await Promise.all([asking(), placing(), killing(), breaking(), harming()]);
  await Promise.all(pending);
  raging = false;
  await beside;
  return {
    seconds: Math.round(elapsedMs() / 1_000),
    kills: killed(),
    ...events,
    sends: world.faults.report().sends,
  };
}
