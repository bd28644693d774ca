import { expect, it } from 'vitest';
import { AppError } from '../../../src/core/errors/app-error.ts';
import { EVERY_WAY, filterText, type RouteFilter } from '../../../src/modules/trading/rules/route-filter.ts';
import type { AggregatorQuotes } from '../../../src/modules/trading/use/aggregator-quotes.ts';
import { narrowed, programsOf, toldOfFilter } from '../../../src/modules/trading/use/narrow-deps.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';
import { addressOf } from '../../engine/intents/build.ts';

const venue = (name: string, program?: number): Venue => ({
  name,
  ...(program === undefined ? {} : { programId: addressOf(program) }),
  pools: async () => [],
  counterparts: async () => [],
});
const desk = venue('desk');
const [one, two] = [venue('one', 1), venue('two', 2)];
const aggregatorQuotes = {} as AggregatorQuotes;
const all = { venues: [desk, one, two], aggregatorQuotes };
const filter = (more: Partial<RouteFilter>): RouteFilter => ({ ...EVERY_WAY, ...more });
const names = (more: Partial<RouteFilter>) => narrowed(all, filter(more)).venues.map(({ name }) => name);

it('keeps what is allowed, and asks aggregators only where everything is', () => {
  expect(narrowed(all, EVERY_WAY)).toBe(all);
  expect(names({ venues: ['two', 'desk'] })).toEqual(['desk', 'two']);
  expect(names({ excluded: ['one'] })).toEqual(['desk', 'two']);
  expect(names({ venues: ['one'], excluded: ['one'] })).toEqual([]);
  for (const narrow of [
    filter({ venues: ['one'] }),
    filter({ excluded: ['x'] }),
    filter({ directOnly: true }),
    filter({ maxAccounts: 40 }),
    filter({ elsewhere: 'destinationTokenAccount' }),
  ])
    expect(narrowed(all, narrow)).not.toHaveProperty('aggregatorQuotes');
});

it('leaves out venues that know only the trader’s own accounts where the order uses others', () => {
  const venues = [desk, { ...one, ownAccountsOnly: true } as const, two];
  const left = (more: Partial<RouteFilter>) =>
    narrowed({ ...all, venues }, filter(more)).venues.map(({ name }) => name);
  expect(left({ elsewhere: 'wrapAndUnwrapSol false' })).toEqual(['desk', 'two']);
  expect(left({ maxAccounts: 40 })).toEqual(['desk', 'one', 'two']);
});

it('says of a route that is too large for the accounts that there is none within them', () => {
  const large = new AppError('ROUTE_TOO_LARGE', { mintIn: 'a', mintOut: 'b' });
  expect(toldOfFilter(large, filter({ directOnly: true }))).toBe(large);
  expect(toldOfFilter(large, filter({ maxAccounts: 20 }))).toMatchObject({
    code: 'NO_ROUTE',
    details: { within: 'maxAccounts 20' },
  });
});

it('allows the programs of the venues that are left, and never one that the process does not allow', () => {
  expect(programsOf([desk, one], [addressOf(1), addressOf(2)])).toEqual([addressOf(1)]);
  expect(programsOf([desk, one, two], [addressOf(2)])).toEqual([addressOf(2)]);
  expect(programsOf([desk], [addressOf(1)])).toEqual([]);
});

it('names the filter where there is no route, and leaves every other refusal as it is', () => {
  const none = new AppError('NO_ROUTE', { mintIn: 'a', mintOut: 'b' });
  expect(toldOfFilter(none, EVERY_WAY)).toBe(none);
  expect(toldOfFilter(none, filter({ excluded: ['one', 'two'], directOnly: true }))).toMatchObject({
    code: 'NO_ROUTE',
    details: { mintIn: 'a', mintOut: 'b', within: 'excludeVenues one, two and directOnly' },
  });
  const moved = new AppError('SAME_TOKEN', {});
  expect(toldOfFilter(moved, filter({ directOnly: true }))).toBe(moved);
  expect(filterText(filter({ venues: ['one'] }))).toBe('venues one');
});
