import { setTimeout as pause } from 'node:timers/promises';

const BETWEEN_LOOKS_MS = 2_000;
/** Runs on a slow machine name their fault within a minute: who has not by then is behind a fence, where nothing more happens. */
const PATIENCE_MS = 150_000;

/**
 * Judges blocks, or terms of signers, again and again while a storm lasts, for a run with a fault in its signer. After a fault has moved money such a run shows nothing
 * more, for most intents never end. `isOver` is true once a judgement had a problem of one of the rules, and when none had for 150 seconds.
 */
export function watchMoves(
  judge: () => Promise<{ readonly problems: readonly { readonly rule: string }[] }>,
  rules: readonly string[],
) {
  let [isNamed, isOn] = [false, true];
  const looking = async (): Promise<void> => {
    while (isOn && !isNamed) {
      // The storm takes Postgres away, too: the next look asks again.
      const { problems } = await judge().catch(() => ({ problems: [] }));
      isNamed = problems.some(({ rule }) => rules.includes(rule));
      await pause(BETWEEN_LOOKS_MS);
    }
  };
  const endsAt = performance.now() + PATIENCE_MS;
  const done = looking();
  return {
    isOver: (): boolean => isNamed || performance.now() > endsAt,
    /** Resolves when the last look has ended. */
    async stop(): Promise<void> {
      isOn = false;
      await done;
    },
  };
}
