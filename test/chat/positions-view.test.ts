import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language, wordsOf } from '../../src/compose/texts/words.ts';
import { positionListView } from '../../src/modules/positions/chat/view.ts';
import { emptyPosition } from '../../src/modules/positions/rules/position.ts';
import type { PositionList, ShownPosition } from '../../src/modules/positions/use/list-positions.ts';
import { newAddress, walletRow } from '../conformance/store-rows.ts';

const SOL = 1_000_000_000n;

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

const viewOf = (list: PositionList, page = 0, language: Language = 'en') =>
  positionListView(wordsOf(language), list, {
    page,
    guards: new Map([[list.shown[0]?.position.mint ?? newAddress(), ['TP', 'SL'] as const]]),
    stateId: 'A'.repeat(22),
    empty: null,
  });

const textOf = (rows: readonly ShownPosition[], page = 0): string => viewOf(listOf(rows), page).text.markup;
const labelsOf = (list: PositionList, page = 0) =>
  viewOf(list, page)
    .keyboard?.flat()
    .map(({ text }) => text) ?? [];

describe('the list of positions on the screen', () => {
  it('shows two hundred positions five at a time, each with its number and its button', () => {
    const rows = Array.from({ length: 200 }, () => shown(SOL));
    expect(textOf(rows, 39)).toMatch(/· 200 · page 40 of 40\n[\s\S]*\n196 .*\n197 .*\n198 .*\n199 .*\n200 /);
    // The list may have become shorter since the button was drawn.
    expect(textOf(rows, 99)).toBe(textOf(rows, 39));
    expect(labelsOf(listOf(rows), 1)).toEqual(expect.arrayContaining(['‹', '2/40', '›']));
    expect(labelsOf(listOf(rows.slice(0, 5)))).not.toContain('›');
    for (const language of Object.keys(LANGUAGES) as Language[])
      expect(viewOf(listOf(rows), 7, language).text.markup.length).toBeLessThan(1_000);
  });

  it('shows the percent of what was paid, and neither a gain as a loss nor a loss as nothing', () => {
    const text = textOf([shown((SOL * 131n) / 100n), shown(SOL + 1n), shown(SOL - 1n), shown(SOL)]);
    expect(text).toMatch(
      /\n1 .* \$196 · \+31% · TP SL\n2 .* \$150 · \+0%\n3 .* \$149 · −0\.1%\n4 .* \$150 · 0%\n/,
    );
    // A result below a cent is a result.
    expect(text).toMatch(/today \+&lt;\$0\.01\n/);
    expect(text).toMatch(/7 days −\$0\.01 · fees \$0\.00/);
  });

  it('counts what has a price, and says how many positions have none', () => {
    expect(textOf([shown(SOL), shown(null), shown(-1n)])).toMatch(
      /\$150\.00<\/b> \(1 SOL\) \+ 1 n\/a · today/,
    );
    expect(textOf([shown(null)])).toMatch(/\n<b>n\/a<\/b> · today/);
  });

  it('says that a wallet has nothing only where nothing is on its way, and leads to a trade', () => {
    const empty = viewOf(listOf([]));
    expect(empty.text.markup).toContain('Nothing here yet');
    expect(empty.keyboard?.flat().map(({ text }) => text)).toEqual(['Trade', 'Refresh', 'Home']);
    const waiting = viewOf({ ...listOf([]), underWay: 1 });
    expect(waiting.text.markup).not.toContain('Nothing here yet');
    expect(waiting.text.markup).toContain('On their way, not counted: 1');
    expect(waiting.text.markup).not.toContain('\n\n');
  });

  it('says that there is no market only where one was looked for', () => {
    const text = textOf([shown(null), shown(null, false)]);
    expect(text).toMatch(/\n1 .* n\/a · no market · TP SL\n2 .* n\/a · open it for its price\n/);
  });
});
