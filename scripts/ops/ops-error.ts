/** An operator's message instead of a result: one sentence. The command ends with exit code 1. */
export class OpsError extends Error {
  override readonly name: string = 'OpsError';
}

/** A command line that cannot be obeyed; nothing was opened or changed. The command ends with exit code 2. */
export class UsageError extends OpsError {
  override readonly name = 'UsageError';
}
