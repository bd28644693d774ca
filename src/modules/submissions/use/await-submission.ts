import { hasReached, type Submission } from '../rules/submission.ts';
import type { SubmissionStore } from '../store-port.ts';

export type AwaitDeps = {
  readonly submissions: Pick<SubmissionStore, 'find'>;
  readonly pause: (ms: number) => Promise<void>;
};

const LOOK_MS = 250;

/**
 * The submission of a signature; null where this service does not know it, which says nothing about the chain. With `until`, it waits up
 * to so many milliseconds for that and gives the record as it is then.
 */
export async function awaitSubmission(
  { submissions, pause }: AwaitDeps,
  signature: string,
  until: { readonly level: 'confirmed' | 'final'; readonly timeoutMs: number } | null,
): Promise<Submission | null> {
  for (let left = until?.timeoutMs ?? 0; ; left -= LOOK_MS) {
    const found = await submissions.find(signature);
    if (found === null || until === null || left <= 0 || hasReached(found, until.level)) return found;
    await pause(Math.min(LOOK_MS, left));
  }
}
