import { type Address, shortAddress } from '@tradepost/solana';
import type { Words } from '../../../compose/texts/words.ts';
import { figuresOf } from '../../../core/text/figures.ts';
import { fitted } from '../../../core/text/fit.ts';
import { lines } from '../../../platform/telegram/ui/html.ts';
import { act, keyboard } from '../../../platform/telegram/ui/keyboard.ts';
import type { View } from '../../../platform/telegram/ui/screen.ts';
import { utcMinute } from '../../../platform/telegram/ui/time.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import type { Token } from '../../tokens/rules/token.ts';
import type { CopyTrade } from '../rules/copy-trade.ts';
import type { Skip } from '../rules/judge-copy.ts';
import type { PaperTrade } from '../rules/paper-copy.ts';

export const COPY = 'copy';
export const LABEL = 10;
const ROW_SYMBOL = 6;

type ShownDecision = { readonly trade: CopyTrade; readonly token: Token | null };

/** The last decisions of a copy, each skip with its number. */
export function skipsView(
  words: Words,
  facts: { readonly label: string; readonly rows: readonly ShownDecision[]; readonly stateId: string },
): View {
  const { rows, stateId } = facts;
  return {
    text: lines(
      words.html('copy.skips_title', { label: fitted(facts.label, LABEL) }),
      rows.length === 0 && words.html('copy.skips_none'),
      ...rows.map(({ trade, token }) =>
        words.html(`copy.row.${trade.status}`, {
          at: utcMinute(trade.seenAt).slice(-5),
          symbol: symbolOf(trade.mint, token),
          amount: trade.side === 'buy' ? figuresOf(words.language).sol(trade.amount) : '',
          why: trade.skip === null ? '' : whyText(words, trade.skip),
        }),
      ),
    ),
    keyboard: keyboard([
      act(words.text('btn.refresh'), COPY, 'skips', stateId),
      act(words.text('btn.back'), COPY, 'open', stateId),
    ]),
  };
}

/** The last decisions of a copy without money, each skip with its number. */
export function paperSkipsView(
  words: Words,
  facts: {
    readonly label: string;
    readonly rows: readonly { readonly trade: PaperTrade; readonly token: Token | null }[];
    readonly stateId: string;
  },
): View {
  const { rows, stateId } = facts;
  return {
    text: lines(
      words.html('copy.paper_title', { label: fitted(facts.label, LABEL) }),
      rows.length === 0 && words.html('copy.skips_none'),
      ...rows.map(({ trade, token }) =>
        words.html(`copy.paper_row.${trade.skip === null ? trade.side : 'skip'}`, {
          at: utcMinute(trade.seenAt).slice(-5),
          symbol: symbolOf(trade.mint, token),
          amount: figuresOf(words.language).sol(trade.lamports),
          why: trade.skip === null ? '' : whyText(words, trade.skip),
        }),
      ),
    ),
    keyboard: keyboard([
      act(words.text('btn.refresh'), COPY, 'skips', stateId),
      act(words.text('btn.back'), COPY, 'open', stateId),
    ]),
  };
}

export const symbolOf = (mint: Address, token: Token | null): string =>
  token === null ? shortAddress(mint) : fitted(displaySymbol(token), ROW_SYMBOL);

/** `pool $3.1K, limit $10K`: the reason with its number and the limit that it broke. */
function whyText(words: Words, { reason, value, limit }: Skip): string {
  const why = words.text(`copy.skip.${reason}`);
  if (value === null || limit === null) return why;
  const shown = (number: bigint): string => numberText(words, reason, number);
  return words.text('copy.why', { why, value: shown(value), limit: shown(limit) });
}

function numberText(words: Words, reason: Skip['reason'], number: bigint): string {
  const figures = figuresOf(words.language);
  if (reason === 'late') return `${figures.count(number / 1_000n)} s`;
  if (reason === 'liquidity') return figures.compact(number * 1_000_000n);
  if (reason === 'dearer' || reason === 'round-trip') return figures.percent(Number(number));
  return figures.sol(number).replace(' SOL', '');
}
