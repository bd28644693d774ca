import { WSOL_MINT } from '@tradepost/solana';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import { type TypedQuestion, typedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';
import type { Feature, Tap, TapState } from '../../../platform/telegram/feature.ts';
import { PAGE_ROWS, pageOf } from '../../../platform/telegram/ui/pages.ts';
import { optionalField, textField, textList } from '../../../platform/telegram/ui/payload.ts';
import { readLeastSol } from '../../../platform/telegram/ui/read-amount.ts';
import { followForm, LABEL_QUESTION, LEAST_QUESTION } from './flow.ts';
import { signalScreen } from './signal.ts';
import { FOLLOW, followListView, followView, unfollowView } from './view.ts';

type Show = (ctx: BotContext, followId: string) => Promise<void>;
type Page = (ctx: BotContext, page: number) => Promise<void>;

const idOf = (tap: TapState | null): string => textField(tap, 'followId');

/** Wallets that a person follows: their trades are messages, and nothing is traded. Works before there is a wallet of one's own. */
export function followFeature(deps: FeatureDeps): Feature {
  const list: Page = async ({ turn }, page) => {
    const all = await deps.db.follows.listByUser(turn.user.id);
    const shown = pageOf(all, page);
    const payload = { ids: shown.rows.map(({ id }) => id), page: String(shown.page) };
    const stateId = await deps.states.issue({ userId: turn.user.id, feature: FOLLOW, payload });
    const signal = await deps.db.signals.find(turn.user.id);
    await turn.screen.show(followListView(turn.words, { follows: all, signal, page: shown.page, stateId }));
  };
  const one: Show = async ({ turn }, followId) => {
    const follow = await deps.follows.own({ userId: turn.user.id, followId });
    const lately = await deps.db.follows.trades(follow.leader, follow.createdAt, PAGE_ROWS);
    const trades = await Promise.all(
      lately.map(async (trade) => ({
        trade,
        takenBack: trade.takenBack,
        token: await deps.chain.token(trade.mint).catch(() => null),
      })),
    );
    const payload = { followId, mints: lately.map(({ mint }) => mint) };
    // The way to its copy reads it, too.
    const feature = [FOLLOW, 'copy'];
    const stateId = await deps.states.issue({ userId: turn.user.id, feature, payload });
    const money = { sol: WSOL_MINT };
    await turn.screen.show(followView(turn.words, { follow, trades, money, stateId }));
  };
  const { adding, label, least } = followForms(deps, one);
  const signal = signalScreen(deps);
  const taps: Feature['taps'] = {
    ...listTaps(list, one),
    ...oneTaps(deps, { list, one }),
    ...signal.taps,
    new: { act: 'display', run: (ctx) => enterForm(ctx, adding, {}) },
    rename: { act: 'display', run: (ctx, tap) => enterForm(ctx, label, { followId: idOf(tap) }) },
    least: { act: 'display', run: (ctx, tap) => enterForm(ctx, least, { followId: idOf(tap) }) },
  };
  return {
    name: FOLLOW,
    commands: [],
    taps: Object.fromEntries(Object.entries(taps).map(([name, tap]) => [name, { ...tap, unlocked: true }])),
    forms: [adding, label, least, signal.form],
    hidden: [{ name: 'following', act: 'reads', run: (ctx) => list(ctx, 0) }],
  };
}

function listTaps(list: Page, one: Show): Feature['taps'] {
  const turned =
    (by: number): Tap['run'] =>
    (ctx, tap) =>
      list(ctx, Math.max(0, Number(optionalField(tap, 'page') ?? '0') + by));
  return {
    open: { act: 'reads', run: (ctx) => list(ctx, 0) },
    previous: { act: 'reads', run: turned(-1) },
    here: { act: 'reads', run: turned(0) },
    next: { act: 'reads', run: turned(1) },
    pick: {
      act: 'reads',
      run: async (ctx, tap) => {
        const followId = textList(tap, 'ids')[tap?.index ?? -1];
        if (followId === undefined) throw new AppError('BUTTON_STALE', {});
        await one(ctx, followId);
      },
    },
  };
}

function oneTaps(
  { follows }: Pick<FeatureDeps, 'follows'>,
  { list, one }: { readonly list: Page; readonly one: Show },
): Feature['taps'] {
  return {
    here_one: { act: 'reads', run: (ctx, tap) => one(ctx, idOf(tap)) },
    token: {
      act: 'reads',
      run: async (ctx, tap) => {
        const mint = textList(tap, 'mints')[tap?.index ?? -1];
        if (mint === undefined) throw new AppError('BUTTON_STALE', {});
        await ctx.turn.go('trade', 'paste', { text: mint });
      },
    },
    notices: {
      act: 'display',
      run: async (ctx, tap) => {
        const asked = { userId: ctx.turn.user.id, followId: idOf(tap) };
        const { notices } = await follows.own(asked);
        await follows.change({ ...asked, change: { notices: !notices } });
        await one(ctx, asked.followId);
      },
    },
    remove: {
      act: 'reads',
      run: async ({ turn }, tap) => {
        const follow = await follows.own({ userId: turn.user.id, followId: idOf(tap) });
        await turn.screen.show(unfollowView(turn.words, follow, tap?.buttonId ?? ''));
      },
    },
    remove_yes: {
      act: 'display',
      toasts: true,
      run: async (ctx, tap) => {
        await follows.unfollow({ userId: ctx.turn.user.id, followId: idOf(tap) });
        await ctx.turn.toast(ctx.turn.words.text('toast.unfollowed'));
        await list(ctx, 0);
      },
    },
  };
}

/** Typed answers: a wallet with its name, another name, and the least sum. */
function followForms({ follows }: Pick<FeatureDeps, 'follows'>, one: Show) {
  const changing = (
    question: TypedQuestion,
    changeOf: (text: string) => Parameters<typeof follows.change>[0]['change'],
  ) =>
    typedQuestion(
      question,
      async (ctx, text, { followId = '' }) => {
        await follows.change({ userId: ctx.turn.user.id, followId, change: changeOf(text) });
      },
      (ctx, _text, { followId = '' }) => one(ctx, followId),
    );
  return {
    adding: followForm(
      (text) => follows.leaderOf(text),
      async (ctx, { address, label }) => {
        const { id } = await follows.follow({ userId: ctx.turn.user.id, text: address, label });
        await one(ctx, id);
      },
    ),
    label: changing(LABEL_QUESTION, (text) => ({ label: text })),
    least: changing(LEAST_QUESTION, (text) => ({ minLamports: readLeastSol(text) })),
  };
}
