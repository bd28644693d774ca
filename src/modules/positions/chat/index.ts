import type { Address } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address } from '../../../core/address/address.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { keyboard, link, nav } from '../../../platform/telegram/ui/keyboard.ts';
import { lockedView } from '../../../platform/telegram/ui/locked.ts';
import { pageOf } from '../../../platform/telegram/ui/pages.ts';
import { textField, textList } from '../../../platform/telegram/ui/payload.ts';
import { tokenPayload } from '../../referrals/rules/start-payload.ts';
import { picoUsdShown } from '../../trading/rules/price.ts';
import type { Wallet } from '../../wallets/rules/wallet.ts';
import { activeWallet } from '../../wallets/use/active-wallet.ts';
import { DAY_MS, dayStart } from '../rules/day.ts';
import type { PositionList, ShownPosition } from '../use/list-positions.ts';
import { loadHolding } from '../use/load-holding.ts';
import { cleanUpTaps } from './clean-up.ts';
import { eventsText, guardsOf, guardText, marksOf } from './guards.ts';
import { pnlPicture, portfolioPicture } from './pictures.ts';
import { hiddenListView, POSITIONS, positionListView, positionView } from './view.ts';

const PORTFOLIO_DAYS = 30;

type ListPlace = { readonly page: number; readonly hidden: boolean };

/** /positions: the tokens of a wallet, the proceeds of a sale, and the cost. */
export function positionsFeature(deps: FeatureDeps): Feature {
  const { db, positions } = deps;

  async function load({ turn }: BotContext, wallet?: Wallet): Promise<PositionList> {
    return positions.list({
      userId: turn.user.id,
      wallet: wallet ?? (await activeWallet(db.wallets, turn.user)),
      tier: turn.user.settings.tier,
    });
  }

  /** The page's rows and its place. The page's buttons start from this place. */
  const issueList = (ctx: BotContext, list: PositionList, rows: readonly ShownPosition[], at: ListPlace) => {
    const turned = pageOf(rows, at.page);
    return deps.states.issue({
      userId: ctx.turn.user.id,
      feature: POSITIONS,
      payload: {
        walletId: list.wallet.id,
        mints: turned.rows.map(({ position }) => position.mint),
        page: String(turned.page),
        hidden: at.hidden ? '1' : '0',
      },
    });
  };

  async function open(ctx: BotContext, page = 0): Promise<void> {
    const wallet = await activeWallet(db.wallets, ctx.turn.user);
    const [list, empty, guards] = await Promise.all([
      load(ctx, wallet),
      // Without the chain's answer there is no such button; the rest is shown all the same.
      deps.emptyAccounts.find(wallet.address).catch(() => null),
      guardsOf(deps, ctx.turn.user.id, wallet.id),
    ]);
    const stateId = await issueList(ctx, list, list.shown, { page, hidden: false });
    await ctx.turn.screen.show(
      positionListView(ctx.turn.words, list, { page, guards: marksOf(guards), stateId, empty }),
    );
  }

  const cleaning = cleanUpTaps(deps);

  async function hiddenOnes(ctx: BotContext, page = 0): Promise<void> {
    const list = await load(ctx);
    const stateId = await issueList(ctx, list, list.hidden, { page, hidden: true });
    await ctx.turn.screen.show(hiddenListView(ctx.turn.words, list, { page, stateId }));
  }

  const turnedBy =
    (by: number) =>
    async (ctx: BotContext, state: TapState | null): Promise<void> => {
      const page = Number(textField(state, 'page')) + by;
      await (textField(state, 'hidden') === '1' ? hiddenOnes(ctx, page) : open(ctx, page));
    };

  async function picked(ctx: BotContext, state: TapState | null): Promise<void> {
    const mint = textList(state, 'mints')[state?.index ?? -1];
    if (mint === undefined) throw new AppError('BUTTON_STALE', {});
    await showOne(ctx, textField(state, 'walletId'), address(mint));
  }

  const find = ({ turn }: BotContext, walletId: string, mint: Address) =>
    positions.find({ userId: turn.user.id, walletId, mint, tier: turn.user.settings.tier });

  async function showOne(ctx: BotContext, walletId: string, mint: Address): Promise<void> {
    const { turn } = ctx;
    const [{ one, microUsdPerSol }, lastBuy, guards, holding] = await Promise.all([
      find(ctx, walletId, mint),
      lastPurchase(turn.user.id, walletId, mint),
      guardsOf(deps, turn.user.id, walletId),
      loadHolding(deps.db, { userId: turn.user.id, walletId, mint }),
    ]);
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: `${POSITIONS} trade orders chart`,
      payload: {
        walletId,
        mint,
        ...(lastBuy === null ? {} : { side: 'buy', amountIn: lastBuy }),
      },
    });
    const own = guards.get(mint) ?? [];
    const guard = guardText(turn.words, own, { token: one.token, microUsdPerSol });
    const events = eventsText(turn.words, own);
    const nowPicoUsd = await priceNow(one.token).catch(() => null);
    const now = deps.clock.now();
    const facts = { one, microUsdPerSol, nowPicoUsd, lastBuy, guard, events, holding, now, stateId };
    await turn.screen.show(positionView(turn.words, facts));
  }

  /** As the card prints it: a person compares the two. */
  async function priceNow(token: ShownPosition['token']): Promise<bigint | null> {
    if (token === null) return null;
    await deps.tokens.lookNow(token, { unfollowed: false });
    const price = (await deps.tokens.prices([token.mint])).get(token.mint) ?? null;
    return price === null ? null : picoUsdShown(price.usd);
  }

  async function lastPurchase(userId: string, walletId: string, mint: Address): Promise<bigint | null> {
    // One that is confirmed counts in the position already, and its intent is under way until it is final.
    const counted = ['SUCCEEDED', 'ACTIVE'];
    const recent = await db.intents.listByUser(userId, { limit: 50, kinds: ['buy'] });
    for (const { params, walletId: from, status } of recent) {
      const trade = tradeOf(params);
      if (trade?.mint === mint && from === walletId && counted.includes(status)) return trade.amountIn;
    }
    return null;
  }

  /** A link into this chat that opens the token and brings the sharer's invitees along. */
  async function tokenLink({ me, turn }: BotContext, mint: Address): Promise<string> {
    const account = await db.referrals.account(turn.user.id);
    return `https://t.me/${me.username}?start=${tokenPayload(mint, account?.code ?? null)}`;
  }

  const shareOf = (_ctx: BotContext, url: string): string =>
    `https://t.me/share/url?url=${encodeURIComponent(url)}`;

  const again = (ctx: BotContext, state: TapState | null): Promise<void> =>
    showOne(ctx, textField(state, 'walletId'), address(textField(state, 'mint')));

  const setHidden = (hidden: boolean) => async (ctx: BotContext, state: TapState | null) => {
    const walletId = textField(state, 'walletId');
    const mint = address(textField(state, 'mint'));
    // Also says whose wallet it is.
    await find(ctx, walletId, mint);
    await db.positions.setHidden(walletId, mint, hidden);
    await open(ctx);
  };

  async function card(ctx: BotContext, state: TapState | null): Promise<void> {
    const { turn, me } = ctx;
    const mint = address(textField(state, 'mint'));
    const { one } = await find(ctx, textField(state, 'walletId'), mint);
    const url = await tokenLink(ctx, mint);
    const facts = { link: url, bot: `@${me.username}`, at: deps.clock.now() };
    await turn.screen.photo({
      caption: turn.words.html('card.caption'),
      keyboard: keyboard(
        [link(turn.words.text('btn.share'), shareOf(ctx, url))],
        [
          nav(turn.words.text('btn.back'), POSITIONS, 'open'),
          nav(turn.words.text('btn.home'), 'home', 'open'),
        ],
      ),
      fileId: null,
      bytes: () => deps.charts.pnl(pnlPicture(turn.words, one, facts)),
    });
  }

  async function portfolio(ctx: BotContext): Promise<void> {
    const { turn } = ctx;
    const list = await load(ctx);
    const days = await db.positions.days([list.wallet.id], dayStart(list.at) - PORTFOLIO_DAYS * DAY_MS);
    await turn.screen.photo({
      caption: turn.words.html('portfolio.caption'),
      keyboard: keyboard([
        nav(turn.words.text('btn.back'), POSITIONS, 'open'),
        nav(turn.words.text('btn.home'), 'home', 'open'),
      ]),
      fileId: null,
      bytes: () => deps.charts.portfolio(portfolioPicture(turn.words, list, days)),
    });
  }

  return {
    name: POSITIONS,
    commands: [],
    taps: {
      open: { act: 'reads', run: (ctx) => open(ctx) },
      hidden: { act: 'reads', run: (ctx) => hiddenOnes(ctx) },
      previous: { act: 'reads', run: turnedBy(-1) },
      here: { act: 'reads', run: turnedBy(0) },
      next: { act: 'reads', run: turnedBy(1) },
      pick: { act: 'reads', run: picked },
      show: { act: 'reads', run: again },
      hide: { act: 'display', run: setHidden(true) },
      reveal: { act: 'display', run: setHidden(false) },
      card: { act: 'reads', run: card },
      portfolio: { act: 'reads', run: portfolio },
      ...cleaning,
    },
    forms: [],
    // Not among the published eleven; the button on the home screen is the door.
    hidden: [
      {
        name: 'positions',
        act: 'reads',
        run: (ctx) =>
          ctx.turn.user.activeWalletId === null ? ctx.turn.screen.fresh(lockedView(ctx.turn)) : open(ctx),
      },
    ],
  };
}
