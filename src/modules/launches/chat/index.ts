import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { address } from '../../../core/address/address.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import { typedQuestion } from '../../../platform/telegram/dialog/typed-question.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { optionalField, textField, textList } from '../../../platform/telegram/ui/payload.ts';
import { type LaunchList, LISTS } from '../rules/launch-alert.ts';
import { readFilter } from '../rules/launch-filter.ts';
import { chooseFilter, chosenLaunches, toggleStage } from '../use/choose-launches.ts';
import { launchPage, openLaunch } from '../use/launch-figures.ts';
import { FILTER_QUESTION } from './flow.ts';
import {
  alertsView,
  buyersView,
  COHORTS,
  type CohortName,
  filterView,
  LAUNCH_ROWS,
  LAUNCHES,
  launchListView,
  noBuyersView,
  PRESETS,
  toggledPreset,
} from './view.ts';

/** Launches by their stage: lists, a filter, messages and early buyers. Nothing is bought. Works before there is a wallet. */
export function launchesFeature(deps: FeatureDeps): Feature {
  const reads = { ...deps, ...deps.launchReads };

  async function show({ turn }: BotContext, list: LaunchList, page: number): Promise<void> {
    const { filter } = await chosenLaunches(deps, turn.user.id);
    const from = page * LAUNCH_ROWS;
    const shown = await launchPage(reads, { list, filter: readFilter(filter), from, size: LAUNCH_ROWS });
    const payload = { list, page: String(page), mints: shown.rows.map(({ launch }) => launch.mint) };
    const stateId = await deps.states.issue({ userId: turn.user.id, feature: LAUNCHES, payload });
    const now = deps.clock.now();
    await turn.screen.show(launchListView(turn.words, { list, page, shown, filter, now, stateId }));
  }
  const again =
    (by: number) =>
    (ctx: BotContext, state: TapState | null): Promise<void> => {
      const list = LISTS.find((one) => one === optionalField(state, 'list')) ?? 'new';
      return show(ctx, list, Math.max(0, Number(optionalField(state, 'page') ?? '0') + by));
    };
  const choices = choicesOf(deps);

  async function buyers({ turn }: BotContext, state: TapState | null, chosen: CohortName | null) {
    const mint = address(textField(state, 'mint'));
    const found = await openLaunch(reads, mint);
    if (found === null) return turn.screen.show(noBuyersView(turn.words));
    const stateId = await deps.states.issue({ userId: turn.user.id, feature: LAUNCHES, payload: { mint } });
    const transactionUrl = (signature: string): string =>
      deps.options.explorerUrl.replace('{signature}', signature);
    return turn.screen.show(buyersView(turn.words, { ...found, chosen, transactionUrl, stateId }));
  }

  const taps: Feature['taps'] = {
    open: { act: 'reads', run: (ctx) => show(ctx, 'new', 0) },
    list: { act: 'reads', run: (ctx, state) => show(ctx, indexed(LISTS, state), 0) },
    here: { act: 'reads', run: again(0) },
    previous: { act: 'reads', run: again(-1) },
    next: { act: 'reads', run: again(1) },
    pick: { act: 'reads', run: (ctx, state) => openCard(ctx, indexed(textList(state, 'mints'), state)) },
    card: { act: 'reads', run: (ctx, state) => openCard(ctx, textField(state, 'mint')) },
    who: { act: 'reads', run: (ctx, state) => buyers(ctx, state, null) },
    trades: { act: 'reads', run: (ctx, state) => buyers(ctx, state, indexed(COHORTS, state)) },
    ...choices.taps,
  };
  return {
    name: LAUNCHES,
    commands: [],
    hidden: [{ name: 'new', act: 'reads', run: (ctx) => show(ctx, 'new', 0) }],
    taps: Object.fromEntries(Object.entries(taps).map(([name, tap]) => [name, { ...tap, unlocked: true }])),
    forms: choices.forms,
  };
}

/** The filter, and the stages that are messages. */
function choicesOf(deps: FeatureDeps): Pick<Feature, 'taps' | 'forms'> {
  const filters = async ({ turn }: BotContext): Promise<void> =>
    void (await turn.screen.show(filterView(turn.words, await chosenLaunches(deps, turn.user.id))));
  const alerts = async ({ turn }: BotContext): Promise<void> =>
    void (await turn.screen.show(alertsView(turn.words, await chosenLaunches(deps, turn.user.id))));
  const typing = typedQuestion(
    FILTER_QUESTION,
    async (ctx, text) => chooseFilter(deps, { userId: ctx.turn.user.id, text }),
    filters,
  );
  const taps: Feature['taps'] = {
    filter: { act: 'reads', run: filters },
    type: { act: 'display', run: (ctx) => enterForm(ctx, typing, {}) },
    preset: { act: 'display', run: (ctx, state) => preset(deps, ctx, state).then(() => filters(ctx)) },
    clear: {
      act: 'display',
      run: async (ctx) => {
        await chooseFilter(deps, { userId: ctx.turn.user.id, text: '' });
        await filters(ctx);
      },
    },
    alerts: { act: 'reads', run: alerts },
    stage: {
      act: 'display',
      run: async (ctx, state) => {
        await toggleStage(deps, { userId: ctx.turn.user.id, stage: indexed(LISTS, state) });
        await alerts(ctx);
      },
    },
  };
  return { taps, forms: [typing] };
}

async function preset(deps: FeatureDeps, { turn }: BotContext, state: TapState | null): Promise<void> {
  const { filter } = await chosenLaunches(deps, turn.user.id);
  const text = toggledPreset(filter, indexed(PRESETS, state));
  await chooseFilter(deps, { userId: turn.user.id, text });
}

/** On paper where the person trades on paper. */
const openCard = ({ turn }: BotContext, mint: string): Promise<void> =>
  turn.user.settings.paper?.on === true
    ? turn.go('paper', 'token', { mint })
    : turn.go('trade', 'paste', { text: mint });

/** Throws BUTTON_STALE. */
function indexed<T>(of: readonly T[], state: TapState | null): T {
  const found = of[state?.index ?? -1];
  if (found === undefined) throw new AppError('BUTTON_STALE', {});
  return found;
}
