import type { MemoryState } from './memory-state.ts';

type Copy = ReadonlyMap<keyof MemoryState, ReadonlyMap<string, unknown>>;

/** The rows before each of the last `most` commits of a fake database. */
export function commitHistory(most: number) {
  let state: MemoryState | null = null;
  const past: Copy[] = [];
  const tables = (): [keyof MemoryState, Map<string, unknown>][] =>
    Object.entries(state ?? {}) as [keyof MemoryState, Map<string, unknown>][];
  return {
    follow: (of: MemoryState): void => {
      state = of;
    },
    /** Called before a commit changes the rows; those themselves are never changed. */
    keep: (): void => {
      past.push(new Map(tables().map(([name, rows]) => [name, new Map(rows)])));
      if (past.length > most) past.shift();
    },
    /** Forgets the last `commits` of them, as a replica does that is promoted without them. Returns how many those were. */
    goBack: (commits: number): number => {
      const lost = Math.min(commits, past.length);
      const [copy] = past.splice(past.length - lost, lost);
      if (copy === undefined) return 0;
      for (const [name, rows] of tables()) {
        rows.clear();
        for (const [key, row] of copy.get(name) ?? []) rows.set(key, row);
      }
      return lost;
    },
  };
}

export type CommitHistory = ReturnType<typeof commitHistory>;
