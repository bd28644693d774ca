import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import { leftAt } from '../../../core/time/age.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { lockedView } from '../../../platform/telegram/ui/locked.ts';
import { textField, textList } from '../../../platform/telegram/ui/payload.ts';
import { durationText } from '../../../platform/telegram/ui/time.ts';
import { rulesAt } from '../rules/rules.ts';
import { seasonAt } from '../rules/seasons.ts';
import { periodAt } from '../rules/utc.ts';
import { claimMission } from '../use/claim-mission.ts';
import { listMissions } from '../use/list-missions.ts';
import { listShop } from '../use/list-shop.ts';
import { minePoints } from '../use/mine-points.ts';
import { pointsOverview } from '../use/points-overview.ts';
import { redeem } from '../use/redeem.ts';
import { createEditPace } from './edit-pace.ts';
import { boardNameForm } from './flow.ts';
import { confirmItemView, redeemedView, shopView } from './shop-view.ts';
import { boardView, HISTORY_PAGE, historyView, missionsView, POINTS, pointsView, rulesView } from './view.ts';

const BOARD_ROWS = 10;
/** A confirm button lives this long; the price on it is checked again all the same. */
const CONFIRM_TTL_MS = 15 * 60_000;

/** /points: mining, missions, shop, board, history, rules. */
export function pointsFeature(deps: FeatureDeps): Feature {
  const { db, clock } = deps;
  const mayEdit = createEditPace();
  const who = ({ user }: BotContext['turn']) => ({ telegramId: user.telegramId, userId: user.id });

  async function open({ turn }: BotContext): Promise<void> {
    await turn.screen.show(pointsView(turn.words, await pointsOverview(deps, who(turn))));
  }

  /** Every tap is answered by a toast with the new numbers; the message follows at the pace that Telegram allows. */
  async function mine(ctx: BotContext): Promise<void> {
    const { turn } = ctx;
    const { result, miner } = await minePoints(deps, who(turn));
    const now = clock.now();
    const { mining } = rulesAt(now);
    switch (result.kind) {
      case 'mined':
        await turn.toast(
          turn.words.text('toast.mined', {
            points: result.points,
            energy: miner.energy,
            max: mining.energyMax,
            today: miner.minedToday,
            cap: mining.dailyCap,
          }),
        );
        break;
      case 'too-fast':
        await turn.toast(turn.words.text('toast.mine_fast'));
        return;
      case 'no-energy':
        await turn.toast(
          turn.words.text('toast.mine_empty', {
            time: durationText(leftAt(result.moreAt, now), turn.words.language),
          }),
        );
        break;
      case 'day-full':
        await turn.toast(turn.words.text('toast.mine_full', { cap: mining.dailyCap }));
        break;
    }
    if (mayEdit(ctx.chatId ?? 0, now)) await open(ctx);
  }

  async function missions({ turn }: BotContext): Promise<void> {
    const states = await listMissions(deps, who(turn));
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: POINTS,
      payload: { missions: states.map(({ mission }) => mission.id) },
    });
    await turn.screen.show(missionsView(turn.words, states, stateId));
  }

  async function claim(ctx: BotContext, state: TapState | null): Promise<void> {
    const { turn } = ctx;
    const id = textList(state, 'missions')[state?.index ?? -1];
    if (id === undefined) throw new AppError('BUTTON_STALE', {});
    const { mission, claimed } = await claimMission(deps, who(turn), id);
    await turn.toast(
      claimed
        ? turn.words.text('toast.claimed', { points: mission.points })
        : turn.words.text('toast.claimed_before'),
    );
    await missions(ctx);
  }

  async function shop({ turn }: BotContext): Promise<void> {
    const [offers, points] = await Promise.all([listShop(deps, turn.user.id), balance(turn)]);
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: POINTS,
      payload: { items: offers.map(({ item }) => item.id) },
    });
    await turn.screen.show(shopView(turn.words, { points, offers, stateId }));
  }

  const balance = ({ user }: BotContext['turn']) => db.ledger.balance({ kind: 'points', owner: user.id });

  async function ask({ turn }: BotContext, state: TapState | null): Promise<void> {
    const id = textList(state, 'items')[state?.index ?? -1];
    const [offers, points] = await Promise.all([listShop(deps, turn.user.id), balance(turn)]);
    const offer = offers.find(({ item }) => item.id === id);
    if (offer === undefined) throw new AppError('OFFER_CHANGED', {});
    const { item } = offer;
    if (points < item.points) throw new AppError('POINTS_SHORT', { needed: item.points, available: points });
    const stateId = await deps.states.issue({
      userId: turn.user.id,
      feature: POINTS,
      // The key is minted before the button is: a double tap and a redelivered one are the same redemption.
      payload: { item: item.id, points: item.points.toString(), idemKey: deps.ids.token() },
      ttlMs: CONFIRM_TTL_MS,
    });
    await turn.screen.show(confirmItemView(turn.words, { points, offer, stateId }));
  }

  async function carryOut({ turn }: BotContext, state: TapState | null): Promise<void> {
    if (state?.buttonId == null) throw new AppError('BUTTON_STALE', {});
    const { redemption } = await redeem(deps, {
      userId: turn.user.id,
      itemId: textField(state, 'item'),
      points: BigInt(textField(state, 'points')),
      idemKey: textField(state, 'idemKey'),
      buttonId: state.buttonId,
    });
    await turn.screen.show(redeemedView(turn.words, redemption));
  }

  async function history({ turn }: BotContext, state: TapState | null): Promise<void> {
    const index = state?.index ?? 0;
    const rows = await db.points.history(turn.user.id, {
      offset: index * HISTORY_PAGE,
      limit: HISTORY_PAGE + 1,
    });
    const page = rows.slice(0, HISTORY_PAGE);
    // A callback holds two digits: a hundred pages are enough to look back at.
    const more = rows.length > HISTORY_PAGE && index < 99;
    await turn.screen.show(historyView(turn.words, page, { index, more }));
  }

  async function board({ turn }: BotContext): Promise<void> {
    const userId = turn.user.id;
    const [rows, name] = await Promise.all([
      db.points.board(periodAt('weekly', clock.now()), BOARD_ROWS, userId),
      db.points.boardName(userId),
    ]);
    await turn.screen.show(boardView(turn.words, { rows, userId, name }));
  }

  const nameForm = boardNameForm(async (ctx, { name }) => {
    await db.points.setBoardName(ctx.turn.user.id, name);
    await board(ctx);
  });

  async function leave(ctx: BotContext): Promise<void> {
    await db.points.setBoardName(ctx.turn.user.id, null);
    await ctx.turn.toast(ctx.turn.words.text('toast.board_left'));
    await board(ctx);
  }

  async function rules({ turn }: BotContext): Promise<void> {
    const now = clock.now();
    await turn.screen.show(rulesView(turn.words, rulesAt(now), seasonAt(now)));
  }

  return {
    name: POINTS,
    commands: [],
    taps: {
      open: { act: 'reads', run: open },
      mine: { act: 'points', toasts: true, run: mine },
      missions: { act: 'reads', run: missions },
      claim: { act: 'points', toasts: true, run: claim },
      shop: { act: 'reads', run: shop },
      get: { act: 'points', run: ask },
      redeem: {
        act: 'points',
        run: carryOut,
        stale: ({ turn }) => turn.toast(turn.words.text('toast.redeemed_before')),
        toasts: true,
      },
      history: { act: 'reads', run: history },
      board: { act: 'reads', run: board },
      join: { act: 'display', run: (ctx) => enterForm(ctx, nameForm, {}) },
      leave: { act: 'display', toasts: true, run: leave },
      rules: { act: 'reads', run: rules },
    },
    forms: [nameForm],
    // Not among the published eleven; the button on the home screen is the door.
    hidden: [
      {
        name: 'points',
        act: 'reads',
        run: (ctx) =>
          ctx.turn.user.activeWalletId === null ? ctx.turn.screen.fresh(lockedView(ctx.turn)) : open(ctx),
      },
    ],
  };
}
