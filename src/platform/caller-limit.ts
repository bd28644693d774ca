import { AsyncLocalStorage } from 'node:async_hooks';

const waiting = new AsyncLocalStorage<AbortSignal>();

/** The caller of this work waits no longer, and a call to a node was not made for that. */
export class CallerGoneError extends Error {
  constructor() {
    super('the caller gave up before the call had its turn');
  }
}

/** Does work for a caller who waits until `signal` is aborted. Calls to the nodes that had no turn by then throw CallerGoneError. */
export function whileWaited<T>(signal: AbortSignal, work: () => T): T {
  return waiting.run(signal, work);
}

/** Does work whose result others use, too: it goes on when the caller who began it has gone. */
export function forAll<T>(work: () => T): T {
  return waiting.exit(work);
}

/** Aborted once the caller of the work under way has gone; null where the work has no caller with a limit. */
export function callerSignal(): AbortSignal | null {
  return waiting.getStore() ?? null;
}
