import type { AccountState } from './account-state.ts';
import type { AccountVersions } from './account-versions.ts';
import type { Address } from './address.ts';
import type { Svm } from './svm.ts';

/**
 * Runs `run` against the accounts as they were at `slot`. The machine only knows the newest state. So the earlier ones are put back for the
 * length of one synchronous call, in which no other code can look. Programs stay as they are.
 */
export function runInBank<T>(
  { svm, versions }: { readonly svm: Svm; readonly versions: AccountVersions },
  keys: readonly Address[],
  slot: number,
  run: () => T,
): T {
  const swapped: (readonly [Address, AccountState | null])[] = [];
  for (const key of new Set(keys)) {
    const [then, newest] = [versions.at(key, slot), versions.newest(key)];
    if (then === undefined || newest === undefined || then === newest) continue;
    if (newest.state?.executable === true || then.state?.executable === true) continue;
    swapped.push([key, newest.state]);
    svm.setAccount(key, then.state);
  }
  try {
    return run();
  } finally {
    for (const [key, state] of swapped) svm.setAccount(key, state);
  }
}
