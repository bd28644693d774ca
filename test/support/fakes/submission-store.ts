import { eventOf, type SubmissionEvent } from '../../../src/modules/submissions/rules/record.ts';
import { isFinal, type Submission } from '../../../src/modules/submissions/rules/submission.ts';
import type { SubmissionStore } from '../../../src/modules/submissions/store-port.ts';

const DAY_MS = 86_400_000;

/** Submissions in memory, with all that was written of each, in order. */
export function fakeSubmissionStore(
  tell: (account: string | null, event: SubmissionEvent, at: number) => void = () => undefined,
): SubmissionStore & {
  readonly history: ReadonlyMap<string, readonly Submission[]>;
} {
  const rows = new Map<string, Submission>();
  const history = new Map<string, Submission[]>();
  const write = (submission: Submission): void => {
    rows.set(submission.signature, structuredClone(submission));
    const written = history.get(submission.signature) ?? [];
    history.set(submission.signature, [...written, structuredClone(submission)]);
  };
  const open = (): readonly Submission[] => [...rows.values()].filter((row) => !isFinal(row));
  return {
    history,
    find: async (signature) => structuredClone(rows.get(signature) ?? null),
    findAll: async (signatures) =>
      signatures.flatMap((signature) => structuredClone(rows.get(signature) ?? [])),
    insert: async (submission) => {
      if (rows.has(submission.signature)) return false;
      write(submission);
      return true;
    },
    replace: async (submission) => {
      const before = rows.get(submission.signature);
      if (before?.version !== submission.version - 1) return false;
      // These are written once, with the row.
      const { feePayer, account, reference, blockhash, slotFloor, way, receivedAt } = before;
      write({ ...submission, feePayer, account, reference, blockhash, slotFloor, way, receivedAt });
      const event = eventOf(submission);
      if (event !== null) tell(account, event, submission.changedAt);
      return true;
    },
    open: async (now, limit) =>
      open()
        .filter(({ status, changedAt }) => status !== 'disputed' || changedAt > now - DAY_MS)
        .toSorted((a, b) => a.receivedAt - b.receivedAt || (a.signature < b.signature ? -1 : 1))
        .slice(0, limit)
        .map((row) => structuredClone(row)),
    underWay: async ({ feePayer, account }) => {
      const under = open().filter(({ status }) => status !== 'disputed');
      return {
        all: under.length,
        ofPayer: under.filter((row) => row.feePayer === feePayer).length,
        ofAccount: under.filter((row) => account !== null && row.account === account).length,
      };
    },
  };
}
