import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { enterForm } from '../../../platform/telegram/dialog/enter-form.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { textField } from '../../../platform/telegram/ui/payload.ts';
import { dayOf } from '../../points/rules/utc.ts';
import { GAMES, type GameName, tableAt, tableOf } from '../rules/tables.ts';
import { stakeForm } from './flow.ts';
import {
  COIN_STAKES,
  coinView,
  comingView,
  fairView,
  GAMES_FEATURE,
  gamesView,
  resultView,
  wheelView,
} from './view.ts';

/** Coin guess and daily wheel. Behind a switch; while it is off no bet is taken. */
export function gamesFeature(deps: FeatureDeps): Feature {
  const { db, clock, options } = deps;
  const tableNow = (game: GameName) => tableAt(game, clock.now());
  const balance = ({ user }: BotContext['turn']) => db.ledger.balance({ kind: 'points', owner: user.id });

  type Run = (ctx: BotContext, state: TapState | null) => Promise<unknown>;
  const whenOpen =
    (run: Run): Run =>
    (ctx, state) =>
      options.games ? run(ctx, state) : ctx.turn.screen.show(comingView(ctx.turn.words));

  async function open({ turn }: BotContext): Promise<void> {
    await turn.screen.show(gamesView(turn.words, await balance(turn), GAMES.map(tableNow)));
  }

  async function coin({ turn }: BotContext, stake: bigint): Promise<void> {
    await turn.screen.show(coinView(turn.words, { ...(await standing(deps, turn, 'coin', stake)), stake }));
  }

  async function wheel({ turn }: BotContext): Promise<void> {
    await turn.screen.show(
      wheelView(turn.words, await standing(deps, turn, 'wheel', tableNow('wheel').stake.min)),
    );
  }

  const form = stakeForm(() => tableNow('coin'), coin);

  const bet: Run = (ctx, state) => play(deps, ctx, state);

  return {
    name: GAMES_FEATURE,
    commands: [],
    taps: {
      open: { act: 'reads', run: whenOpen(open) },
      coin: { act: 'reads', run: whenOpen((ctx) => coin(ctx, COIN_STAKES[0])) },
      stake: {
        act: 'reads',
        run: whenOpen((ctx, state) => coin(ctx, COIN_STAKES[state?.index ?? 0] ?? COIN_STAKES[0])),
      },
      other: { act: 'game', run: whenOpen((ctx) => enterForm(ctx, form, {})) },
      again: { act: 'reads', run: whenOpen((ctx, state) => coin(ctx, BigInt(textField(state, 'stake')))) },
      // Not answered beforehand: the answer to a forged tap is a toast.
      flip: { act: 'game', toasts: true, run: whenOpen(bet) },
      wheel: { act: 'reads', run: whenOpen(wheel) },
      spin: { act: 'game', toasts: true, run: whenOpen(bet) },
      fair: { act: 'reads', run: ({ turn }) => turn.screen.show(fairView(turn.words)) },
    },
    forms: [form],
  };
}

async function standing(
  { db, clock, games, states }: FeatureDeps,
  { user }: BotContext['turn'],
  game: GameName,
  stake: bigint,
) {
  const now = clock.now();
  const [points, round, today] = await Promise.all([
    db.ledger.balance({ kind: 'points', owner: user.id }),
    games.openRound(user.id, game),
    db.games.staked(user.id, game, dayOf(now)),
  ]);
  const table = tableOf(round.table) ?? tableAt(game, now);
  // The row behind the buttons: which round they bet on, and the stake.
  const payload = { round: round.id, stake: stake.toString() };
  const stateId = await states.issue({ userId: user.id, feature: GAMES_FEATURE, payload });
  return { points, round, today, table, stateId };
}

/** The same round, even if it is tapped twice, late or on another device: its first bet counts and is shown. */
async function play(deps: FeatureDeps, { turn }: BotContext, state: TapState | null): Promise<void> {
  if (state?.index == null) throw new AppError('BUTTON_STALE', {});
  const stake = BigInt(textField(state, 'stake'));
  const round = await deps.games.playRound({
    userId: turn.user.id,
    roundId: textField(state, 'round'),
    choice: state.index,
    points: stake,
  });
  const table = tableOf(round.table);
  if (table === null) throw new AppError('BUTTON_STALE', {});
  await turn.screen.show(
    resultView(turn.words, {
      round,
      table,
      points: await deps.db.ledger.balance({ kind: 'points', owner: turn.user.id }),
      url: deps.roundUrl(round.id),
      stateId: round.game === 'coin' ? state.buttonId : null,
    }),
  );
}
