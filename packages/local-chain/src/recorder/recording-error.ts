/** A recording that cannot be made or used; the message is one line for the person who asked for it. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}
