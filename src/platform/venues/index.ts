import type { Address } from '@tradepost/solana';
import { EXCHANGES, type Refusal } from '@tradepost/venues';
import type { Chain } from '../ports/chain.ts';
import type { Deployment } from '../ports/program-builds.ts';
import type { Programs } from '../ports/programs.ts';
import type { Venue } from '../ports/venue.ts';
import { createDeskVenue, type DeskDeps } from './desk/index.ts';
import { createExchangeVenue, type ExchangeDeps } from './exchange-venue.ts';
import { guardVenue } from './guard-venue.ts';

export type VenueDeps = {
  readonly chain: Chain;
  readonly programs: Programs;
  /** The demonstration desk of the local chain, `http://…/desk`; null on every real cluster. */
  readonly deskUrl: string | null;
};

/** Every venue that exists, also those that the cluster lacks: an operator can pause each. */
export const VENUE_NAMES: readonly string[] = ['desk', ...EXCHANGES.map(({ name }) => name)];

/** Venues that need no program: the desk of a local chain. */
export function createVenues(deps: VenueDeps & Pick<DeskDeps, 'hotAccounts'>): readonly Venue[] {
  return deps.deskUrl === null ? [] : [createDeskVenue({ ...deps, deskUrl: deps.deskUrl })];
}

export type OpenVenues = {
  readonly venues: readonly Venue[];
  /** Programs that a trade's instructions may name: those of the venues above and no others. */
  readonly venuePrograms: readonly Address[];
  /** The programs that each venue's amounts depend on. */
  readonly deployments: readonly Deployment[];
};

/**
 * The exchanges that this process trades on: those whose program the cluster has, asked once, so that a cluster without
 * them costs no further call. A pool that is left out and a venue that cannot answer are reported, never thrown. Throws
 * CHAIN_UNREACHABLE.
 */
export async function openVenues(
  deps: VenueDeps &
    Pick<ExchangeDeps, 'programAccounts' | 'poolIndex' | 'hotAccounts' | 'hubs'> & {
      readonly onRefusal: (pool: Address, refusal: Refusal) => void;
      /** `times` counts this venue's failures since the process started. */
      readonly onFailure: (venue: string, error: unknown, times: number) => void;
    },
): Promise<OpenVenues> {
  const { accounts } = await deps.chain.accounts(EXCHANGES.map(({ programId }) => programId));
  const present = EXCHANGES.filter((_, index) => accounts[index]?.executable === true);
  const venues = [...createVenues(deps), ...present.map((exchange) => createExchangeVenue(exchange, deps))];
  return {
    venues: venues.map((venue) => guardVenue(venue, deps.onFailure)),
    venuePrograms: present.map(({ programId }) => programId),
    deployments: present.map(({ name, programId, helpers = [] }) => ({
      venue: name,
      programs: [programId, ...helpers],
    })),
  };
}
