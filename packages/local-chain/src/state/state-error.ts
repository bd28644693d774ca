/** The state directory cannot be used; the message is one line that says how to mend it. */
export class StateError extends Error {
  override readonly name = 'StateError';
}

export function unreadable(dir: string, reason: string): StateError {
  return new StateError(
    `The local chain's state in ${dir} cannot be read: ${reason}. Start afresh with: npm run reset`,
  );
}
