import { describe, expect, it } from 'vitest';
import { intermediatesOfTerms, type RouteTerm } from '../../../src/engine/intents/rules/terms.ts';
import { addressOf } from './build.ts';

const [intermediate, other] = [addressOf(31), addressOf(32)];
const leg = (from: RouteTerm['from'], to: RouteTerm['to']): RouteTerm => ({
  venue: 'desk',
  pool: addressOf(9),
  percent: 100,
  from,
  to,
});

describe('the tokens a trade passes through', () => {
  it('are none where every leg leads from end to end', () => {
    expect(intermediatesOfTerms({ route: [] })).toEqual([]);
    expect(intermediatesOfTerms({ route: [leg(null, null), leg(null, null)] })).toEqual([]);
  });

  it('are told once each, however many legs lead there', () => {
    const route = [
      leg(null, intermediate),
      leg(null, intermediate),
      leg(intermediate, other),
      leg(other, null),
    ];
    expect(intermediatesOfTerms({ route })).toEqual([intermediate, other]);
  });
});
