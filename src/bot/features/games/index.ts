import { z } from 'zod';
import { parseUnits } from '../../../core/amounts/decimal.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { Round } from '../../../core/games/round.ts';
import { GAMES, type GameName, mayStake, tableAt, tableOf } from '../../../core/games/tables.ts';
import { dayOf } from '../../../core/points/utc.ts';
import type { BotContext } from '../../context.ts';
import type { FeatureDeps } from '../../deps.ts';
import { enterForm } from '../../dialog/enter-form.ts';
import { units } from '../../dialog/fields.ts';
import { defineForm } from '../../dialog/run-form.ts';
import type { Feature, TapState } from '../../feature.ts';
import { amountText } from '../../ui/amounts.ts';
import { textField } from '../../ui/payload.ts';
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

const STAKE = z.object({ stake: units });

/** Coin guess and daily wheel. Behind a switch; while it is off no bet is taken. */
export function gamesFeature(deps: FeatureDeps): Feature {
  const { db, clock, games, options } = deps;
  const tableNow = (game: GameName) => tableAt(game, clock.now());
  const balance = ({ user }: BotContext['turn']) => db.ledger.balance({ kind: 'points', owner: user.id });
  const todays = (userId: string, game: GameName) => db.games.staked(userId, game, dayOf(clock.now()));

  type Run = (ctx: BotContext, state: TapState | null) => Promise<unknown>;
  const whenOpen =
    (run: Run): Run =>
    (ctx, state) =>
      options.games ? run(ctx, state) : ctx.turn.screen.show(comingView(ctx.turn.words));

  async function open({ turn }: BotContext): Promise<void> {
    await turn.screen.show(gamesView(turn.words, await balance(turn), GAMES.map(tableNow)));
  }

  /** The row behind a game's buttons: which round they bet on, and the stake. */
  const issue = (userId: string, round: Round, stake: bigint) =>
    deps.states.issue({
      userId,
      feature: GAMES_FEATURE,
      payload: { round: round.id, stake: stake.toString() },
    });

  async function standing({ user }: BotContext['turn'], game: GameName, stake: bigint) {
    const [points, round, today] = await Promise.all([
      db.ledger.balance({ kind: 'points', owner: user.id }),
      games.openRound(user.id, game),
      todays(user.id, game),
    ]);
    const table = tableOf(round.table) ?? tableNow(game);
    return { points, round, today, table, stateId: await issue(user.id, round, stake) };
  }

  async function coin({ turn }: BotContext, stake: bigint): Promise<void> {
    await turn.screen.show(coinView(turn.words, { ...(await standing(turn, 'coin', stake)), stake }));
  }

  async function wheel({ turn }: BotContext): Promise<void> {
    await turn.screen.show(wheelView(turn.words, await standing(turn, 'wheel', tableNow('wheel').stake.min)));
  }

  const stakeForm = defineForm({
    id: 'game_stake',
    version: 2,
    draft: STAKE.partial(),
    whole: STAKE,
    steps: [
      {
        key: 'stake',
        ask: ({ turn }) => {
          const { min, max, step } = stakeTexts();
          return {
            text: turn.words.html('coin.ask_stake', { min, max, step }),
            placeholder: turn.words.text('ask.stake', { min, max }),
          };
        },
        read: (_ctx, typed) => {
          const table = tableNow('coin');
          const stake = parseUnits(typed, 0);
          if (!mayStake(table, stake)) throw new AppError('STAKE_INVALID', { ...table.stake });
          return { kind: 'taken', draft: { stake } };
        },
      },
    ],
    finish: (ctx, { stake }) => coin(ctx, stake),
  });

  function stakeTexts() {
    const { min, max, step } = tableNow('coin').stake;
    return { min: amountText(min, 0), max: amountText(max, 0), step: amountText(step, 0) };
  }

  /** The same round, whatever was tapped twice, late or on another device: its first bet stands and is shown. */
  async function play({ turn }: BotContext, state: TapState | null): Promise<void> {
    if (state?.index == null) throw new AppError('BUTTON_STALE', {});
    const stake = BigInt(textField(state, 'stake'));
    const round = await games.playRound({
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
        points: await balance(turn),
        url: deps.roundUrl(round.id),
        stateId: round.game === 'coin' ? state.buttonId : null,
      }),
    );
  }

  return {
    name: GAMES_FEATURE,
    commands: [],
    taps: {
      open: { run: whenOpen(open) },
      coin: { run: whenOpen((ctx) => coin(ctx, COIN_STAKES[0])) },
      stake: { run: whenOpen((ctx, state) => coin(ctx, COIN_STAKES[state?.index ?? 0] ?? COIN_STAKES[0])) },
      other: { run: whenOpen((ctx) => enterForm(ctx, stakeForm, {})) },
      again: { run: whenOpen((ctx, state) => coin(ctx, BigInt(textField(state, 'stake')))) },
      // Not answered beforehand: what a forged tap gets is a toast.
      flip: { toasts: true, run: whenOpen(play) },
      wheel: { run: whenOpen(wheel) },
      spin: { toasts: true, run: whenOpen(play) },
      fair: { run: ({ turn }) => turn.screen.show(fairView(turn.words)) },
    },
    forms: [stakeForm],
  };
}
