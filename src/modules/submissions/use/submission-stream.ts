import type { Logger } from '../../../platform/ports/logger.ts';
import { isFinal, type Submission } from '../rules/submission.ts';
import type { SubmissionStore } from '../store-port.ts';

/** Tells readers of changes of the submissions that they name. */
export type SubmissionStream = {
  /**
   * Gives those that are known as they are now, then each change. One that is not known yet is sent once it is. Returns the way to stop.
   * Throws DATABASE_UNREACHABLE.
   */
  readonly subscribe: (
    signatures: readonly string[],
    take: (changed: readonly Submission[]) => void,
  ) => Promise<() => void>;
};

type Reader = {
  /** The last version that was given of each; 0 before the first. Final ones are left out. */
  readonly open: Map<string, number>;
  readonly take: (changed: readonly Submission[]) => void;
};

const LOOK_MS = 500;
const AT_ONCE = 1_000;

/** One read for all readers of the process, twice a second, and only while a reader waits for a change. */
export function createSubmissionStream({
  submissions,
  log,
  lookMs = LOOK_MS,
}: {
  readonly submissions: Pick<SubmissionStore, 'findAll'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly lookMs?: number;
}): SubmissionStream {
  const readers = new Set<Reader>();
  let timer: NodeJS.Timeout | null = null;

  const give = ({ open, take }: Reader, found: ReadonlyMap<string, Submission>): void => {
    const changed = [...open].flatMap(([signature, version]) => {
      const now = found.get(signature);
      return now !== undefined && now.version > version ? [now] : [];
    });
    for (const one of changed)
      if (isFinal(one)) open.delete(one.signature);
      else open.set(one.signature, one.version);
    if (changed.length > 0) take(changed);
  };

  const lookLater = (): void => {
    if (timer !== null || ![...readers].some(({ open }) => open.size > 0)) return;
    timer = setTimeout(() => void look(), lookMs);
    timer.unref();
  };

  async function look(): Promise<void> {
    try {
      const waited = [...readers];
      const found = await read(submissions, [...new Set(waited.flatMap(({ open }) => [...open.keys()]))]);
      for (const reader of waited) if (readers.has(reader)) give(reader, found);
    } catch (err) {
      log.warn({ err }, 'changes of submissions could not be read and are looked at again');
    } finally {
      timer = null;
      lookLater();
    }
  }

  return {
    subscribe: async (signatures, take) => {
      if (signatures.length === 0) return () => undefined;
      const reader: Reader = { open: new Map(signatures.map((signature) => [signature, 0])), take };
      give(reader, await read(submissions, signatures));
      readers.add(reader);
      lookLater();
      return () => void readers.delete(reader);
    },
  };
}

async function read(
  submissions: Pick<SubmissionStore, 'findAll'>,
  signatures: readonly string[],
): Promise<ReadonlyMap<string, Submission>> {
  const found = new Map<string, Submission>();
  for (let from = 0; from < signatures.length; from += AT_ONCE)
    for (const one of await submissions.findAll(signatures.slice(from, from + AT_ONCE)))
      found.set(one.signature, one);
  return found;
}
