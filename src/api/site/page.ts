import type { Address } from '../../core/address/address.ts';
import type { Round } from '../../core/games/round.ts';
import type { Passport } from '../../core/passport/passport.ts';
import type { MetadataStore } from '../../core/ports/metadata-store.ts';
import type { Pictures } from '../../core/ports/pictures.ts';

/** What the public pages need of the rest of the house. */
export type SiteDeps = {
  readonly metadata: Pick<MetadataStore, 'find'>;
  readonly pictures: Pick<Pictures, 'card'>;
  /** Null when the address is no mint. */
  readonly passport: (mint: Address) => Promise<Passport | null>;
  /** A round of a game; null when there is none. */
  readonly round: (id: string) => Promise<Round | null>;
  /** Where people reach this host; null when nobody said. */
  readonly publicUrl: () => string | null;
};

export type PageAnswer = {
  readonly status: 200 | 400 | 404 | 503;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly contentSecurityPolicy: string;
  /** How long anybody may keep it; `immutable` for what is named by its own hash. */
  readonly cacheSeconds: number | 'immutable';
};

/** One public page of the open host. `name` is what stands behind the last slash. */
export type Page = {
  readonly folder: string;
  readonly handle: (deps: SiteDeps, name: string) => Promise<PageAnswer>;
};

/** For what is no page of its own: nothing in it may run, load, or be framed. */
export const INERT =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";
