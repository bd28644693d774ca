/** The state directory cannot be used; the message is one line that says how to mend it. */
export class StateError extends Error {
  override readonly name = 'StateError';
}

const REMOVE = 'To start afresh, remove that folder.';

/** Says of the folder `what`, and how to start afresh. */
export function unusable(dir: string, what: string, resetHint = REMOVE): StateError {
  return new StateError(`The local chain's state in ${dir} ${what}. ${resetHint}`);
}
