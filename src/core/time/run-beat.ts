import { isAppError } from '../errors/app-error.ts';

type Beat = {
  readonly beat: () => Promise<unknown>;
  /** Asked before each pause. */
  readonly pauseMs: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Says a fault once, however often it repeats, and its end once. Missing: others report a beat's errors. */
  readonly told?: {
    readonly log: {
      readonly error: (about: { readonly err: unknown }, text: string) => void;
      readonly warn: (about: { readonly before: string }, text: string) => void;
    };
    readonly failing: string;
    readonly again: string;
  };
};

/**
 * Beats with a pause before each until the function that it returns is called, which resolves when the last beat is over. A beat that
 * throws ends nothing: the next one follows after its pause.
 */
export function runBeat({ beat, pauseMs, pause, told }: Beat): () => Promise<void> {
  let isStopped = false;
  let trouble: string | null = null;
  let wake: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const once = async (): Promise<void> => {
    try {
      await beat();
      if (trouble !== null) told?.log.warn({ before: trouble }, told.again);
      trouble = null;
    } catch (err) {
      const said = isAppError(err) ? err.code : String(err);
      if (said !== trouble) told?.log.error({ err }, told.failing);
      trouble = said;
    }
  };
  const running = (async () => {
    while (!isStopped) {
      await Promise.race([pause(pauseMs()), stopped]);
      if (!isStopped) await once();
    }
  })();
  return async () => {
    isStopped = true;
    wake();
    await running;
  };
}
