import { hasCode } from '../../core/errors/app-error.ts';
import type { Logger } from '../../platform/ports/logger.ts';
import type { Watch } from './use/watch-attempts.ts';

/** The work that goes on in rounds: the watcher of attempts, and the one of orders. */
type Rounds = Pick<Watch, 'round' | 'onAdd' | 'stop'>;

/** A round that fails by a bug must not become a loop without a pause. */
const AFTER_BUG_MS = 1_000;

/** Rounds of the watcher, one after the other, each when it is due; earlier when something is added. `stop` waits for its steps.
 * While `assertSafe` throws, nothing is looked at. */
export function runWatch(
  watch: Rounds,
  log: Pick<Logger, 'error'>,
  assertSafe: () => void = () => undefined,
): { stop(): Promise<void> } {
  let stopped = false;
  let wake = (): void => undefined;
  let isPoked = false;
  watch.onAdd(() => {
    isPoked = true;
    wake();
  });

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (stopped) wake();
    });

  async function loop(): Promise<void> {
    let dueAt = 0;
    while (!stopped) {
      isPoked = false;
      let waitMs = AFTER_BUG_MS;
      try {
        assertSafe();
        waitMs = await watch.round();
      } catch (err) {
        if (!hasCode(err, 'CLOCK_OFF')) log.error({ err }, 'a round of the watcher failed');
      }
      // Items added during the round are looked at when they are due, not at once: the next round only computes that.
      if (isPoked) continue;
      dueAt = performance.now() + waitMs;
      await sleep(Math.max(0, dueAt - performance.now()));
    }
  }

  const looping = loop();
  return {
    stop: async () => {
      stopped = true;
      wake();
      await looping;
      await watch.stop();
    },
  };
}
