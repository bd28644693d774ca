import { type Address, shortAddress } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address } from '../../../core/address/address.ts';
import { bpsFloor } from '../../../core/amounts/bps.ts';
import { AppError, hasCode } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { solText } from '../../../platform/telegram/ui/amounts.ts';
import { holdsAddress } from '../../../platform/telegram/ui/holds-address.ts';
import { html } from '../../../platform/telegram/ui/html.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { textField, textList } from '../../../platform/telegram/ui/payload.ts';
import { pastedMint } from '../../tokens/chat/pasted-mint.ts';
import { displaySymbol } from '../../tokens/rules/display-name.ts';
import { tokenSafety } from '../../tokens/rules/safety.ts';
import {
  holdingOf,
  MAX_PAPER_HOLDINGS,
  newPaperBook,
  PAPER_LAMPORTS,
  type PaperBook,
  paperBuy,
  paperSell,
} from '../rules.ts';
import { changePaper } from '../use/change-paper.ts';
import type { PaperOrder } from '../use/paper-quote.ts';
import {
  PAPER,
  type PaperPosition,
  paperConfirmView,
  paperDoneView,
  paperHomeView,
  paperTokenView,
} from './view.ts';

const CONFIRM_TTL_MS = 15 * 60_000;

/**
 * Paper mode: real quotes, pretend money. Works before there is a wallet. It knows no way to an intent: all that it writes is the
 * person's own book.
 */
export function paperFeature(deps: FeatureDeps): Feature {
  const bookOf = ({ turn }: BotContext): PaperBook => turn.user.settings.paper ?? newPaperBook();

  async function change(ctx: BotContext, how: (book: PaperBook) => PaperBook | null): Promise<boolean> {
    const { turn } = ctx;
    const settings = await changePaper(deps, turn.user.id, how);
    if (settings !== null) turn.change({ settings });
    return settings !== null;
  }

  const issue = ({ turn }: BotContext, payload: object, ttlMs?: number): Promise<string> =>
    deps.states.issue({
      userId: turn.user.id,
      feature: PAPER,
      payload,
      ...(ttlMs === undefined ? {} : { ttlMs }),
    });

  async function open(ctx: BotContext): Promise<void> {
    const { turn } = ctx;
    if (turn.user.settings.paper?.on !== true) await change(ctx, (book) => ({ ...book, on: true }));
    const book = bookOf(ctx);
    const [positions, microUsdPerSol, stateId] = await Promise.all([
      Promise.all(book.holdings.map(position)),
      deps.solPrice(),
      issue(ctx, { mints: book.holdings.map(({ mint }) => mint) }),
    ]);
    const hasWallet = turn.user.activeWalletId !== null;
    await turn.screen.show(
      paperHomeView(turn.words, { book, positions, microUsdPerSol, stateId, hasWallet }),
    );
  }

  async function position(holding: PaperBook['holdings'][number]): Promise<PaperPosition> {
    const { mint, units } = holding;
    const [token, quote] = await Promise.all([
      // A token that is gone, or a node that is away, must not keep anybody from the book or from leaving it.
      deps.trade.lookUpToken(mint).catch(() => null),
      // No market now is no reason to hide the position.
      deps.trade.paperQuote({ side: 'sell', mint, units }).catch(() => null),
    ]);
    const symbol = token === null ? shortAddress(mint) : displaySymbol(token);
    return { holding, symbol, uiScale: token?.uiScale ?? null, worth: quote?.fill.lamports ?? null };
  }

  async function card(ctx: BotContext, mint: Address): Promise<void> {
    const { turn } = ctx;
    const [token, profile, epoch] = await Promise.all([
      deps.trade.lookUpToken(mint),
      deps.tokens.profile(mint).catch(() => null),
      deps.chain.epoch(),
    ]);
    await turn.screen.show(
      paperTokenView(turn.words, {
        book: bookOf(ctx),
        token,
        profile,
        safety: profile?.safety ?? tokenSafety(token, { epoch, wellKnown: [] }),
        settings: turn.user.settings,
        stateId: await deps.states.issue({
          userId: turn.user.id,
          feature: `${PAPER} alerts`,
          payload: { mint },
        }),
      }),
    );
  }

  /** A name, a ticker, an address or a link. */
  async function said(ctx: BotContext, text: string): Promise<void> {
    const { turn } = ctx;
    try {
      const hits = holdsAddress(text) ? [] : await deps.tokens.search({ text, limit: 2 });
      if (hits.length > 1) {
        await turn.go('search', 'find', { text });
        return;
      }
      await card(ctx, hits[0]?.mint ?? (await pastedMint(deps, text)));
    } catch (error) {
      if (!hasCode(error, 'TOKEN_NOT_FOUND')) throw error;
      const home = keyboard([nav(turn.words.text('btn.paper_home'), PAPER, 'open')]);
      await turn.screen.show({ text: turn.words.html('paper.unknown'), keyboard: home });
    }
  }

  async function offer(ctx: BotContext, order: PaperOrder): Promise<void> {
    const quote = await deps.trade.paperQuote(order);
    // An order that the book cannot pay is refused before the question.
    fold(bookOf(ctx), quote);
    const stateId = await issue(ctx, { ...order }, CONFIRM_TTL_MS);
    await ctx.turn.screen.show(paperConfirmView(ctx.turn.words, quote, stateId));
  }

  async function buy(ctx: BotContext, state: TapState | null): Promise<void> {
    const lamports = ctx.turn.user.settings.buyPresets[state?.index ?? -1];
    if (lamports === undefined) throw new AppError('BUTTON_STALE', {});
    await offer(ctx, { side: 'buy', mint: address(textField(state, 'mint')), lamports });
  }

  async function sell(ctx: BotContext, state: TapState | null): Promise<void> {
    const share = ctx.turn.user.settings.sellPresetsBps[state?.index ?? -1];
    const mint = address(textField(state, 'mint'));
    const held = holdingOf(bookOf(ctx), mint)?.units ?? 0n;
    if (share === undefined || held === 0n) throw new AppError('BUTTON_STALE', {});
    const units = bpsFloor(held, share);
    await offer(ctx, { side: 'sell', mint, units: units > 0n ? units : held });
  }

  /** At the quote of this moment, once: the button is used up first. */
  async function settle(ctx: BotContext, state: TapState | null): Promise<void> {
    const { turn } = ctx;
    if (state?.buttonId == null || !(await deps.states.use({ id: state.buttonId, userId: turn.user.id }))) {
      throw new AppError('BUTTON_STALE', {});
    }
    const quote = await deps.trade.paperQuote(orderOf(state));
    const before = holdingOf(bookOf(ctx), quote.token.mint);
    const stateId = await issue(ctx, { mint: quote.token.mint });
    const isSettled = await change(ctx, (book) => fold(book, quote));
    await turn.screen.show(
      isSettled
        ? paperDoneView(turn.words, quote, before, stateId)
        : {
            text: html`${turn.words.html('paper.full', { max: MAX_PAPER_HOLDINGS })}`,
            keyboard: keyboard([nav(turn.words.text('btn.paper_home'), PAPER, 'open')]),
          },
    );
  }

  async function leave(ctx: BotContext): Promise<void> {
    const { turn } = ctx;
    await change(ctx, (book) => ({ ...book, on: false }));
    await turn.toast(turn.words.text('toast.saved'));
    await (turn.user.activeWalletId === null ? turn.go('start', 'open') : turn.go('home', 'open'));
  }

  const taps: Feature['taps'] = {
    open: { act: 'reads', run: open },
    said: { act: 'reads', run: (ctx, state) => said(ctx, textField(state, 'text')) },
    token: { act: 'reads', run: (ctx, state) => card(ctx, address(textField(state, 'mint'))) },
    pick: {
      act: 'reads',
      run: async (ctx, state) => {
        const mint = textList(state, 'mints')[state?.index ?? -1];
        if (mint === undefined) throw new AppError('BUTTON_STALE', {});
        await card(ctx, address(mint));
      },
    },
    buy: { act: 'display', back: 'token', run: buy },
    sell: { act: 'display', back: 'token', run: sell },
    settle: {
      act: 'display',
      back: 'token',
      run: settle,
      stale: ({ turn }) => turn.toast(turn.words.text('toast.confirm_stale')),
    },
    leave: { act: 'display', toasts: true, run: leave },
    reset: {
      act: 'reads',
      run: ({ turn }) =>
        turn.screen.show({
          text: turn.words.html('paper.reset_sure', { sol: solText(turn.words, PAPER_LAMPORTS) }),
          keyboard: keyboard([
            nav(
              turn.words.text('btn.paper_reset', { sol: solText(turn.words, PAPER_LAMPORTS) }),
              PAPER,
              'reset_yes',
            ),
            nav(turn.words.text('btn.back'), PAPER, 'open'),
          ]),
        }),
    },
    reset_yes: {
      act: 'display',
      run: async (ctx) => {
        await change(ctx, newPaperBook);
        await open(ctx);
      },
    },
  };
  return {
    name: PAPER,
    commands: [],
    taps: Object.fromEntries(Object.entries(taps).map(([name, tap]) => [name, { ...tap, unlocked: true }])),
    forms: [],
  };
}

const fold = (book: PaperBook, { side, fill }: Awaited<ReturnType<FeatureDeps['trade']['paperQuote']>>) =>
  side === 'buy' ? paperBuy(book, fill) : paperSell(book, fill);

/** A confirm button's payload is ours. */
function orderOf(state: TapState): PaperOrder {
  textField(state, 'side');
  return state.payload as PaperOrder;
}
