import type { PersonalKey } from './sign-request.ts';

export type ClientOptions = {
  /** Of the keyed host, or of the open one: `https://api.example.org`. */
  readonly baseUrl: string;
  /** Sent as `x-api-key`. The open host takes none. */
  readonly apiKey?: string | undefined;
  /** Signs the operations of `/desk`, which need no key of the API. */
  readonly personalKey?: PersonalKey | undefined;
  /** In place of the global one. */
  readonly fetch?: typeof fetch | undefined;
  /** Tries after the first one: 3 unless given. */
  readonly retries?: number | undefined;
  /** Milliseconds for each try: 15,000 unless given, which is longer than the service takes. */
  readonly timeoutMs?: number | undefined;
};

export type Settings = {
  readonly base: string;
  readonly apiKey: string | null;
  readonly personalKey: PersonalKey | null;
  readonly fetch: typeof fetch;
  readonly retries: number;
  readonly timeoutMs: number;
};

/** Throws TypeError for a base that is no web address, and for numbers out of range. */
export function settingsOf(options: ClientOptions): Settings {
  const { baseUrl, apiKey, personalKey, retries = 3, timeoutMs = 15_000 } = options;
  const base = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (base === null || !/^https?:$/.test(base.protocol) || base.search !== '' || base.hash !== '')
    throw new TypeError('baseUrl: expected an address such as https://api.example.org');
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey: expected visible ASCII characters');
  if (personalKey !== undefined && !/^[\w-]{1,64}$/.test(personalKey.id))
    throw new TypeError('personalKey.id: expected the id that the chat shows');
  if (!Number.isInteger(retries) || retries < 0 || retries > 20)
    throw new TypeError('retries: expected a whole number from 0 to 20');
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > 600_000)
    throw new TypeError('timeoutMs: expected a whole number from 1 to 600000');
  return {
    base: base.href.replace(/\/+$/, ''),
    apiKey: apiKey ?? null,
    personalKey: personalKey ?? null,
    // A browser's fetch refuses to be called as a method of another object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    retries,
    timeoutMs,
  };
}
