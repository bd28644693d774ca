import { shortAddress, WSOL_MINT } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../../src/compose/texts/words.ts';
import { routeText } from '../../../../src/platform/telegram/ui/route-text.ts';
import { addressOf } from '../../../engine/intents/build.ts';
import { buildToken } from '../../../modules/tokens/build-token.ts';

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
    ['Desk North 70% + Desk South 30%', [leg('Desk North', 70), leg('Desk South', 30)]],
    [
      'Orca 62% + Raydium CPMM 38% to USDC, then Meteora DLMM',
      [leg('Orca', 62, null, USD), leg('Raydium CPMM', 38, null, USD), leg('Meteora DLMM', 100, USD)],
    ],
    ['Desk South to USDC, then Desk South', [leg('Desk South', 100, null, USD), leg('Desk South', 100, USD)]],
    ['A to SOL, then B', [leg('A', 100, null, WSOL_MINT), leg('B', 100, WSOL_MINT)]],
    ['A 60% to USDC + B 40%, then C', [leg('A', 60, null, USD), leg('B', 40), leg('C', 100, USD)]],
    [
      `A to USDC, then B to ${shortAddress(MID)}, then C`,
      [leg('A', 100, null, USD), leg('B', 100, USD, MID), leg('C', 100, MID)],
    ],
    ['', []],
  ])('says %j', (text, route) => {
    expect(routeText(wordsOf('en'), route, [buildToken({ mint: USD, symbol: 'USDC' })])).toBe(text);
  });
});
