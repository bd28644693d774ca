/** Telegram's additions to some errors; only `retry_after` (seconds) occurs in private chats. */
export type TgErrorParameters = { readonly retry_after: number };

/**
 * A refusal in Telegram's own words. `description` is the whole text a client sees, prefix included. The wording follows
 * the source of tdlib and telegram-bot-api where it is known.
 */
export class TgError extends Error {
  readonly code: number;
  readonly description: string;
  readonly parameters: TgErrorParameters | undefined;

  constructor(code: number, description: string, parameters?: TgErrorParameters) {
    super(description);
    this.name = 'TgError';
    this.code = code;
    this.description = description;
    this.parameters = parameters;
  }
}

/** A 400: every one of them starts with `Bad Request: `. */
export function badRequest(reason: string): TgError {
  return new TgError(400, `Bad Request: ${reason}`);
}

/** A 429; the text and the parameters hold the number of seconds. */
export function tooManyRequests(retryAfterSeconds: number): TgError {
  return new TgError(429, `Too Many Requests: retry after ${retryAfterSeconds}`, {
    retry_after: retryAfterSeconds,
  });
}
