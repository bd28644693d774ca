import { addressFromBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../src/compose/texts/words.ts';
import { candlesPicture, depthPicture } from '../../src/modules/market/chat/chart-view.ts';
import type { ChartFacts } from '../../src/modules/market/use/load-chart.ts';
import { pnlPicture } from '../../src/modules/positions/chat/pictures.ts';
import type { ShownPosition } from '../../src/modules/positions/use/list-positions.ts';
import type { Token } from '../../src/modules/tokens/rules/token.ts';
import type { MarketDepth } from '../../src/modules/trading/use/market-depth.ts';

const mint = addressFromBytes(new Uint8Array(32).fill(7));
const token = { mint, symbol: 'PUP', name: 'Puppy', decimals: 6, supply: 10n ** 15n } as Token;
const depth: MarketDepth = { slot: 9n, buy: [{ percent: 1, lamports: 5n }], sell: [] } as never;
const footerOf = (language: 'en' | 'es', trades: number): string => {
  const chart: ChartFacts = { unit: 'SOL', last: null, trades, step: 60, candles: [], inSol: true } as never;
  return candlesPicture(wordsOf(language), token, chart, { span: '15m', trades: [] }).footer;
};

describe('the words on pictures', () => {
  it('are those of the language, on both sides of a depth chart and under a result', () => {
    expect(depthPicture(wordsOf('es'), token, depth).texts).toEqual({
      sell: 'vendido, en SOL',
      buy: 'comprado, en SOL',
      none: 'no hay más',
    });
    const one = {
      position: { mint, units: 1n, cost: 2n },
      token,
      sale: null,
      unrealized: 1n,
    } as ShownPosition;
    const card = pnlPicture(wordsOf('es'), one, { link: 'https://t.me/b', bot: '@b', at: 0 });
    expect(card.footer).toBe('descontadas todas las comisiones');
  });

  it('go with numbers in the marks of the language', () => {
    const pointOf = (language: 'en' | 'es'): string =>
      depthPicture(wordsOf(language), token, depth).look.marks.point;
    expect([pointOf('en'), pointOf('es')]).toEqual(['.', ',']);
  });

  it('count one trade as one', () => {
    expect([footerOf('en', 1), footerOf('en', 2)]).toEqual([
      'from 1 trade seen by this service',
      'from 2 trades seen by this service',
    ]);
    expect(footerOf('es', 1)).toBe('de 1 operación vista por este servicio');
  });
});
