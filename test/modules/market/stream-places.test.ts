import { describe, expect, it } from 'vitest';
import {
  createStreamPlaces,
  STREAM_LIMITS,
  type StreamClient,
} from '../../../src/modules/market/use/stream-places.ts';

const stranger = (net: string, wide: string | null = null): StreamClient => ({
  kind: 'anonymous',
  net,
  wide,
});
const key = (account: string): StreamClient => ({ kind: 'key', account });
const nothing = (): void => undefined;

describe('places of the stream', () => {
  it('are five for a network and twenty for the wider one, given back once each', () => {
    const places = createStreamPlaces();
    const leave = Array.from({ length: 5 }, () => places.take(stranger('a', 'w'), nothing));
    expect(places.take(stranger('a', 'w'), nothing)).toBeNull();
    leave[0]?.();
    leave[0]?.();
    expect(places.take(stranger('a', 'w'), nothing)).not.toBeNull();
    expect(places.take(stranger('a', 'w'), nothing)).toBeNull();
    for (const net of ['b', 'c', 'd'])
      for (let n = 0; n < 5; n += 1) expect(places.take(stranger(net, 'w'), nothing)).not.toBeNull();
    expect(places.take(stranger('e', 'w'), nothing)).toBeNull();
    expect(places.take(stranger('e', 'other'), nothing)).not.toBeNull();
    expect(places.take(stranger('198.51.100.7'), nothing)).not.toBeNull();
  });

  it('are half for keys: strangers never have more than the other half', () => {
    const places = createStreamPlaces();
    for (let n = 0; n < STREAM_LIMITS.all / 2; n += 1)
      expect(places.take(stranger(`net ${n}`), nothing)).not.toBeNull();
    expect(places.take(stranger('one more'), nothing)).toBeNull();
    for (let n = 0; n < STREAM_LIMITS.all / 2; n += 1)
      expect(places.take(key(`account ${n}`), nothing)).not.toBeNull();
  });

  it('that are all taken are given to a key: the oldest stranger goes, and no key does', () => {
    const places = createStreamPlaces({ all: 4, perAccount: 2, perNet: 5, perWide: 20 });
    const gone: string[] = [];
    const take = (client: StreamClient, name: string) => places.take(client, () => void gone.push(name));
    const first = take(stranger('a'), 'first');
    take(stranger('a'), 'second');
    take(key('A'), 'A1');
    take(key('A'), 'A2');
    expect(take(key('A'), 'A3')).toBeNull();
    expect(gone).toEqual([]);
    expect(take(key('B'), 'B1')).not.toBeNull();
    expect(gone).toEqual(['first']);
    // The place of who was sent away is not given back twice.
    first?.();
    expect(take(stranger('b'), 'third')).toBeNull();
    expect(take(key('B'), 'B2')).not.toBeNull();
    expect(gone).toEqual(['first', 'second']);
    expect(take(key('C'), 'C1')).toBeNull();
    expect(gone).toHaveLength(2);
  });
});
