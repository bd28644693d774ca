import { z } from 'zod';
import type { Words } from '../../../compose/texts/words.ts';
import { parseUnits } from '../../../core/amounts/decimal.ts';
import { AppError } from '../../../core/errors/app-error.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import { units } from '../../../platform/telegram/dialog/fields.ts';
import { defineForm } from '../../../platform/telegram/dialog/run-form.ts';
import { amountText } from '../../../platform/telegram/ui/amounts.ts';
import { type GameTable, mayStake } from '../rules/tables.ts';

const STAKE = z.object({ stake: units });

/** Asks for a stake that no button has. */
export function stakeForm(table: () => GameTable, taken: (ctx: BotContext, stake: bigint) => Promise<void>) {
  return defineForm({
    id: 'game_stake',
    version: 2,
    act: 'game',
    draft: STAKE.partial(),
    whole: STAKE,
    steps: [
      {
        key: 'stake',
        ask: ({ turn }) => {
          const { min, max, step } = stakeTexts(turn.words, table());
          return {
            text: turn.words.html('coin.ask_stake', { min, max, step }),
            placeholder: turn.words.text('ask.stake', { min, max }),
          };
        },
        read: (_ctx, typed) => {
          const stake = parseUnits(typed, 0);
          if (!mayStake(table(), stake)) throw new AppError('STAKE_INVALID', { ...table().stake });
          return { kind: 'taken', draft: { stake } };
        },
      },
    ],
    finish: (ctx, { stake }) => taken(ctx, stake),
  });
}

function stakeTexts(words: Words, { stake }: GameTable) {
  const { min, max, step } = stake;
  return { min: amountText(words, min, 0), max: amountText(words, max, 0), step: amountText(words, step, 0) };
}
