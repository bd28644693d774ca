import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../src/bot/locales/words.ts';
import { routeText } from '../../../src/bot/ui/route-text.ts';
import { addressOf } from '../../core/intents/build.ts';

const [USD, MID, POOL] = [addressOf(50), addressOf(51), addressOf(52)];
const leg = (
  venue: string,
  percent: number,
  from = null as typeof USD | null,
  to = null as typeof USD | null,
) => ({
  venue,
  pool: POOL,
  percent,
  from,
  to,
});

describe('routeText', () => {
  it.each([
    ['Orca', [leg('Orca', 100)]],
    ['70 % Desk North, 30 % Desk South', [leg('Desk North', 70), leg('Desk South', 30)]],
    [
      '62 % Orca, 38 % Raydium CPMM, then Meteora DLMM',
      [leg('Orca', 62, null, USD), leg('Raydium CPMM', 38, null, USD), leg('Meteora DLMM', 100, USD)],
    ],
    ['A, then B, then C', [leg('A', 100, null, USD), leg('B', 100, USD, MID), leg('C', 100, MID)]],
    ['', []],
  ])('says %j', (text, route) => {
    expect(routeText(wordsOf('en'), route)).toBe(text);
  });
});
