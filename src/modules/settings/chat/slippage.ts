import { z } from 'zod';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address } from '../../../core/address/address.ts';
import { type Bps, bps } from '../../../core/amounts/bps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState, TypedReader } from '../../../platform/telegram/feature.ts';
import { pinForSettings } from '../../../platform/telegram/secret/settings-pin.ts';
import { type Html, html } from '../../../platform/telegram/ui/html.ts';
import { optionalField, payloadOf } from '../../../platform/telegram/ui/payload.ts';
import { displayName } from '../../tokens/rules/display-name.ts';
import { isWordsAtAnyScreen } from '../../tokens/rules/typed-verb.ts';
import { AUTO_CAP_BPS } from '../../trading/rules/auto-slippage.ts';
import type { Settings } from '../rules/settings.ts';
import { percent } from './read-percent.ts';
import { SLIPPAGES_BPS, slippageView } from './slippage-view.ts';

const FEATURE = 'setting';

type Side = 'buy' | 'sell';
/** The state behind the buttons: the side, and the card that it goes back to; empty without one. */
const STATE = z.object({ side: z.enum(['buy', 'sell']), mint: z.string(), walletId: z.string() });
type State = z.infer<typeof STATE>;

/** From a card its token and wallet, from anywhere else neither. */
const opened = (side: Side, tap: TapState | null): State => ({
  side,
  mint: optionalField(tap, 'mint') ?? '',
  walletId: optionalField(tap, 'walletId') ?? '',
});
const stateOf = (tap: TapState | null): State => payloadOf(STATE, tap?.payload);

const capOf = ({ turn }: BotContext, { side }: State): Bps | null =>
  side === 'buy' ? turn.user.settings.autoSlipBuyBps : turn.user.settings.autoSlipSellBps;

/** The screen of slippage: its taps, and its typed text. A choice is saved at once, above 15 % with the PIN. */
export function slippageScreen(
  deps: FeatureDeps,
  save: (ctx: BotContext, change: Partial<Settings>) => Promise<void>,
): { readonly taps: Feature['taps']; readonly typed: TypedReader } {
  async function show(ctx: BotContext, state: State, why?: Html): Promise<void> {
    const { turn } = ctx;
    const { settings } = turn.user;
    const capBps = capOf(ctx, state);
    const [token, auto, stateId] = await Promise.all([
      state.mint === '' ? null : deps.chain.token(address(state.mint)),
      state.mint === '' || capBps === null
        ? null
        : deps.trade.slippageNow({ mint: address(state.mint), side: state.side, capBps }),
      deps.states.issue({ userId: turn.user.id, feature: FEATURE, payload: state }),
    ]);

    const now = auto === null ? null : { ...auto, slotMs: deps.chain.slotMs() };
    const view = slippageView(turn.words, { side: state.side, settings, now, token, stateId });
    await turn.screen.show(why === undefined ? view : { ...view, text: html`${why}\n\n${view.text}` });
    await deps.openForms.open(ctx, { feature: FEATURE, id: stateId });
  }

  /** The fixed slippage, or with `isAuto` the most of the one that is worked out. */
  async function choose(ctx: BotContext, state: State, chosen: Bps, isAuto: boolean): Promise<void> {
    const change = changeOf(state.side, chosen, isAuto);
    const waiting = { change, after: FEATURE, action: 'slippage_again', payload: state };
    await pinForSettings(deps, ctx, waiting, async () => {
      await save(ctx, change);
      await show(ctx, state);
    });
  }

  return { taps: slippageTaps(show, choose), typed: typedSlippage(show, choose) };
}

type Show = (ctx: BotContext, state: State, why?: Html) => Promise<void>;
type Choose = (ctx: BotContext, state: State, chosen: Bps, isAuto: boolean) => Promise<void>;

function slippageTaps(show: Show, choose: Choose): Feature['taps'] {
  return {
    slippage: { act: 'reads', run: (ctx, tap) => show(ctx, opened('buy', tap)) },
    slippage_again: { act: 'reads', run: (ctx, tap) => show(ctx, stateOf(tap)) },
    slip_buy: { act: 'reads', run: (ctx, tap) => show(ctx, { ...stateOf(tap), side: 'buy' }) },
    slip_sell: { act: 'reads', run: (ctx, tap) => show(ctx, { ...stateOf(tap), side: 'sell' }) },
    slip: {
      act: ['settings', 'slippage-high'],
      run: async (ctx, tap) => {
        const chosen = SLIPPAGES_BPS[tap?.index ?? -1];
        if (chosen === undefined) throw new AppError('BUTTON_STALE', {});
        await choose(ctx, stateOf(tap), bps(chosen), false);
      },
    },
    slip_auto: {
      act: ['settings', 'slippage-high'],
      run: async (ctx, tap) => {
        const state = stateOf(tap);
        await choose(ctx, state, capOf(ctx, state) ?? bps(AUTO_CAP_BPS[state.side]), true);
      },
    },
    card: {
      act: 'reads',
      run: async (ctx, tap) => {
        const { mint, walletId } = stateOf(tap);
        await ctx.turn.go('trade', 'card', { mint, walletId });
      },
    },
  };
}

/** A fixed slippage ends the one that is worked out; a cap leaves the fixed one, which orders keep. */
function changeOf(side: Side, chosen: Bps, isAuto: boolean): Partial<Settings> {
  if (isAuto) return side === 'buy' ? { autoSlipBuyBps: chosen } : { autoSlipSellBps: chosen };
  return side === 'buy'
    ? { slippageBuyBps: chosen, autoSlipBuyBps: null }
    : { slippageSellBps: chosen, autoSlipSellBps: null };
}

/** A percentage that is typed at the screen is the slippage of its side; with auto, the most of it. */
function typedSlippage(show: Show, choose: Choose): TypedReader {
  return {
    takes: (text) => !isWordsAtAnyScreen(text),
    run: async (ctx, tap, text) => {
      const rate = percent(text);
      const state = stateOf(tap);
      const isAuto = capOf(ctx, state) !== null;
      const isNoCap = rate === null || rate < AUTO_CAP_BPS.least || rate > AUTO_CAP_BPS.most;
      if (isAuto && isNoCap) {
        const why = ctx.turn.words.html('slippage.bad_cap', { given: displayName(text) ?? '…' });
        await show(ctx, state, why);
      } else if (rate === null || rate === 0) {
        const why = ctx.turn.words.html('setting.bad_percent', { given: displayName(text) ?? '…' });
        await show(ctx, state, why);
      } else await choose(ctx, state, rate, isAuto);
    },
    again: (ctx, tap, why) => show(ctx, stateOf(tap), why),
    back: { action: 'slippage_again', label: () => 'btn.back_to_slippage' },
  };
}
