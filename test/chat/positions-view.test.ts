import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language, wordsOf } from '../../src/compose/texts/words.ts';
import { MOST_BUTTONS, positionListView } from '../../src/modules/positions/chat/view.ts';
import { emptyPosition } from '../../src/modules/positions/rules/position.ts';
import type { PositionList, ShownPosition } from '../../src/modules/positions/use/list-positions.ts';
import { newAddress, walletRow } from '../conformance/store-rows.ts';

const SOL = 1_000_000_000n;
/** A message of Telegram's has no more characters. */
const MOST_CHARACTERS = 4_096;

function shown(net: bigint | null, priced = true): ShownPosition {
  const position = { ...emptyPosition('wallet', newAddress()), units: 5n, cost: SOL };
  return {
    position: { ...position, hiddenByPerson: null, odd: null, midnight: null, stale: false, notFinal: 0 },
    token: null,
    sale: net === null ? null : { netLamports: net, midLamports: null },
    priced,
    unrealized: net === null ? null : net - SOL,
  };
}

const listOf = (rows: readonly ShownPosition[]): PositionList => ({
  wallet: walletRow(),
  shown: rows,
  hidden: [],
  netValue: null,
  today: 1n,
  realizedWeek: -1n,
  feesWeek: 0n,
  underWay: 0,
  notFinal: 0,
  microUsdPerSol: 150_000_000n,
  at: 0,
});

const textOf = (rows: readonly ShownPosition[], language: Language = 'en'): string =>
  positionListView(wordsOf(language), listOf(rows), { stateId: 'A'.repeat(22), empty: null }).text.markup;

describe('the list of positions on the screen', () => {
  it('fits a message with two hundred positions, in every language, and says how many it does not name', () => {
    const rows = Array.from({ length: 200 }, () => shown(SOL));
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      expect(textOf(rows, language).length).toBeLessThan(MOST_CHARACTERS);
    }
    expect(textOf(rows)).toMatch(new RegExp(`\\n${MOST_BUTTONS}\\. .*\\nand ${200 - MOST_BUTTONS} more`));
    expect(textOf(rows.slice(0, MOST_BUTTONS))).not.toMatch(/more/);
  });

  it('shows the percent of what was paid, and neither a gain as a loss nor a loss as nothing', () => {
    const text = textOf([shown((SOL * 131n) / 100n), shown(SOL + 1n), shown(SOL - 1n), shown(SOL)]);
    expect(text).toMatch(
      /1\. .*1\.31 SOL · \+31 %\n2\. .* · \+&lt;0\.1 %\n3\. .* · −&lt;0\.1 %\n4\. .* · 0 %/,
    );
    expect(text).toMatch(/today \+0\.000000001 SOL/);
    expect(text).toMatch(/profit from sales −0\.000000001 SOL/);
  });

  it('says that a wallet has nothing only where nothing is on its way, and leads to a trade', () => {
    const viewOf = (list: PositionList) =>
      positionListView(wordsOf('en'), list, { stateId: 'A'.repeat(22), empty: null });
    const empty = viewOf(listOf([]));
    expect(empty.text.markup).toContain('Nothing here yet');
    expect(empty.keyboard?.flat().map(({ text }) => text)).toEqual(['Trade', 'Refresh', 'Home']);
    const waiting = viewOf({ ...listOf([]), underWay: 1 });
    expect(waiting.text.markup).not.toContain('Nothing here yet');
    expect(waiting.text.markup).toContain('Trades on their way, not counted yet: 1');
    expect(waiting.text.markup).not.toContain('\n\n\n');
  });

  it('says that there is no market only where one was looked for', () => {
    const text = textOf([shown(null), shown(null, false)]);
    expect(text).toMatch(/1\. .* · n\/a, no market\n2\. .* · n\/a\n/);
  });
});
