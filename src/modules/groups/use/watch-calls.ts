import { isAppError } from '../../../core/errors/app-error.ts';
import type { Logger } from '../../../platform/ports/logger.ts';
import type { GroupCall } from '../rules/group-call.ts';
import { enterCall, readAnew, type ScanDeps } from './scan-token.ts';

const ROUND_MS = 15_000;
/** While a worth waits for the reading that confirms it. */
const SOON_MS = 3_000;
const AT_ONCE = 5;

export type CallWatch = {
  /** One round: at most five calls are valued. Milliseconds until the next; never throws. */
  round(): Promise<number>;
  onAdd(poke: () => void): void;
  stop(): Promise<void>;
};

/** Values the calls of all groups, each when it is due; a purchase that was not entered at its scan is entered here. */
export function createCallWatch(
  deps: Omit<ScanDeps, 'tokens'> & { readonly log: Pick<Logger, 'warn'> },
): CallWatch {
  async function look(call: GroupCall): Promise<boolean> {
    try {
      if (call.units === null) {
        if (!(await enterCall(deps, call))) await putOff(call);
        return false;
      }
      return (await readAnew(deps, call)).high !== null;
    } catch (err) {
      if (!isAppError(err)) deps.log.warn({ err, mint: call.mint }, 'a call of a group could not be valued');
      await putOff(call);
      return false;
    }
  }

  /** One that cannot be read now must not keep the others waiting. */
  const putOff = (call: GroupCall): Promise<void> =>
    deps.db.groups.value({ ...call, dueAt: deps.clock.now() + 4 * ROUND_MS });

  return {
    round: async () => {
      try {
        const due = await deps.db.groups.due(deps.clock.now(), AT_ONCE);
        const waiting = await Promise.all(due.map(look));
        return due.length === AT_ONCE || waiting.includes(true) ? SOON_MS : ROUND_MS;
      } catch (err) {
        if (!isAppError(err)) deps.log.warn({ err }, 'calls of groups could not be read');
        return ROUND_MS;
      }
    },
    onAdd: () => undefined,
    stop: async () => undefined,
  };
}
