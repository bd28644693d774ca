/**
 * The act that a link allows its holder. `session` is the cookie of a person who came in by a `login` link; `notice-code` is the code that
 * confirms a person's notice mail.
 */
export const LINK_PURPOSES = [
  'confirm',
  'answer',
  'claim',
  'rotate',
  'login',
  'session',
  'notice-code',
  'notice-stop',
] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** A link of a mail. The token itself is never stored. Times are epoch milliseconds. */
export type OneTimeLink = {
  readonly hash: Uint8Array;
  readonly purpose: LinkPurpose;
  /** The request, key, address, person or notice that it is about. */
  readonly subject: string;
  readonly expiresAt: number;
  readonly usedAt: number | null;
};

export interface OneTimeLinkStore {
  insert(link: OneTimeLink): Promise<void>;
  find(hash: Uint8Array): Promise<OneTimeLink | null>;
  /** Uses it up; true for the first caller before it expires, false for everybody else. */
  use(hash: Uint8Array, at: number): Promise<boolean>;
  /** Lets the unused links to a subject expire at `at`, as far as they live longer. */
  end(purpose: LinkPurpose, subject: string, at: number): Promise<void>;
  /** Forgets links that expired before `before`; returns how many. */
  deleteExpired(before: number): Promise<number>;
}
