/** Why the desk will not sign; the code is for programs, the message for people. */
export class DeskError extends Error {
  override readonly name = 'DeskError';
  readonly code: 'MESSAGE_INVALID' | 'NOT_A_DESK_SWAP' | 'UNKNOWN_POOL' | 'PRICE_MOVED' | 'LAUNCH_INVALID';
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: DeskError['code'], message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
