import type { PositionEvent } from './position.ts';

const OWN_DOING: ReadonlySet<PositionEvent['kind']> = new Set(['buy', 'creation', 'own-in', 'received']);

/** Whether the events of one mint say that its holder wanted it: an airdrop alone does not. */
export function isKnownMint(events: readonly Pick<PositionEvent, 'kind'>[]): boolean {
  return events.some(({ kind }) => OWN_DOING.has(kind));
}
