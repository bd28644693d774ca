import type { Chain } from '../../core/ports/chain.ts';
import type { Programs } from '../../core/ports/programs.ts';
import type { Venue } from '../../core/ports/venue.ts';
import { createDeskVenue } from './desk/index.ts';

export type VenueDeps = {
  readonly chain: Chain;
  readonly programs: Programs;
  /** The demonstration desk of the local chain, `http://…/desk`; null on every real cluster. */
  readonly deskUrl: string | null;
};

/** What turns a venue on: null when this cluster does not have it. One folder and one line here per venue. */
const REGISTRY = {
  desk: (deps) => (deps.deskUrl === null ? null : createDeskVenue({ ...deps, deskUrl: deps.deskUrl })),
} satisfies Record<string, (deps: VenueDeps) => Venue | null>;

/** The exchanges that this process trades on. */
export function createVenues(deps: VenueDeps): readonly Venue[] {
  return Object.values(REGISTRY)
    .map((make) => make(deps))
    .filter((venue) => venue !== null);
}
