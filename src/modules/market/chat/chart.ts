import { type Address, SOL_DECIMALS } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address } from '../../../core/address/address.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { CandlesPicture } from '../../../platform/ports/charts.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { plainText } from '../../../platform/telegram/ui/amounts.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import type { Token } from '../../tokens/rules/token.ts';
import { ownTrades } from './chart-own-trades.ts';
import { createPace } from './chart-pace.ts';
import {
  CHART,
  candlesPicture,
  candlesText,
  chartButtons,
  depthPicture,
  depthText,
  type Shown,
  SPANS,
} from './chart-view.ts';

/** 15 minutes: a day and a quarter of bars. */
const FIRST_SPAN = 2;
/** Pictures that Telegram has already, by their content. */
const KEPT_FILES = 100;
const OWN_TRADES = 50;

type Drawing = {
  readonly text: Html;
  readonly picture: { readonly key: string; readonly draw: () => Promise<Uint8Array> } | null;
};

/** The chart of a token: one photo that each button turns into another. Its state is the trade card's. */
export function chartFeature(deps: FeatureDeps): Feature {
  const pace = createPace(deps.clock);
  const files = new Map<string, string>();

  async function open(ctx: BotContext, state: TapState | null, shown: Shown): Promise<void> {
    const { turn } = ctx;
    if (state?.buttonId == null) throw new AppError('BUTTON_STALE', {});
    const mint = address(textField(state, 'mint'));
    if (!pace(turn.user.id)) {
      await turn.toast(turn.words.text('toast.slow_down'));
      return;
    }
    const { drawing, sells } = await load(ctx, mint, textField(state, 'walletId'), shown);
    const [preset] = turn.user.settings.buyPresets;
    const keyboard = chartButtons(turn.words, shown, {
      stateId: state.buttonId,
      buy: preset === undefined ? null : plainText(turn.words, preset, SOL_DECIMALS),
      sells,
    });
    if (drawing.picture !== null && (await photo(ctx, drawing.text, drawing.picture, keyboard))) return;
    // No trade to draw, or no drawing: the numbers alone.
    await turn.screen.show({ text: drawing.text, keyboard });
  }

  async function load(
    { turn }: BotContext,
    mint: Address,
    walletId: string,
    shown: Shown,
  ): Promise<{ readonly drawing: Drawing; readonly sells: boolean }> {
    const wallet = await deps.db.wallets.find(walletId);
    const owner = wallet?.userId === turn.user.id ? wallet.address : null;
    const [token, held] = await Promise.all([
      deps.trade.lookUpToken(mint),
      owner === null ? null : deps.chain.holding(owner, mint).catch(() => null),
    ]);
    const sells = held !== null && held.amount > 0n;
    const drawing =
      shown.kind === 'depth' ? await depth(turn.words, token) : await candles(turn, token, shown.span);
    return { drawing, sells };
  }

  async function candles({ user, words }: BotContext['turn'], token: Token, span: number): Promise<Drawing> {
    const { label, resolution } = SPANS[span] ?? SPANS[FIRST_SPAN] ?? { label: '15m', resolution: '15' };
    const chart = await deps.loadChart({ mint: token.mint, resolution });
    const text = candlesText(words, token, chart, label);
    if (chart === null) return { text, picture: null };
    const intents = await deps.db.intents.listByUser(user.id, { limit: OWN_TRADES, kinds: ['buy', 'sell'] });
    const picture: CandlesPicture = candlesPicture(words, token, chart, {
      span: label,
      trades: ownTrades(intents, token),
    });
    return { text, picture: { key: JSON.stringify(picture), draw: () => deps.charts.candles(picture) } };
  }

  async function depth(words: BotContext['turn']['words'], token: Token): Promise<Drawing> {
    const found = await deps.trade.marketDepth(token.mint);
    const text = depthText(words, token, found);
    if (found === null) return { text, picture: null };
    const picture = depthPicture(words, token, found);
    return { text, picture: { key: JSON.stringify(picture), draw: () => deps.charts.depth(picture) } };
  }

  /** False when it could not be drawn: a missing font is no reason to keep the numbers back. */
  async function photo(
    { turn }: BotContext,
    caption: Html,
    { key, draw }: NonNullable<Drawing['picture']>,
    keyboard: ReturnType<typeof chartButtons>,
  ): Promise<boolean> {
    let png: Uint8Array | null = null;
    try {
      if (!files.has(key)) png = await draw();
    } catch (err) {
      deps.log.warn({ err }, 'a chart could not be drawn');
      return false;
    }
    const sent = await turn.screen.photo({
      caption,
      keyboard,
      fileId: files.get(key) ?? null,
      bytes: async () => png ?? draw(),
    });
    if (sent.fileId !== null) files.set(key, sent.fileId);
    const [oldest] = files.keys();
    if (files.size > KEPT_FILES && oldest !== undefined) files.delete(oldest);
    return true;
  }

  return {
    name: CHART,
    commands: [],
    taps: {
      open: {
        act: 'reads',
        back: 'open',
        toasts: true,
        run: (ctx, state) => open(ctx, state, { kind: 'candles', span: FIRST_SPAN }),
      },
      span: {
        act: 'reads',
        toasts: true,
        run: (ctx, state) => open(ctx, state, { kind: 'candles', span: state?.index ?? FIRST_SPAN }),
      },
      depth: { act: 'reads', toasts: true, run: (ctx, state) => open(ctx, state, { kind: 'depth' }) },
    },
    forms: [],
  };
}
