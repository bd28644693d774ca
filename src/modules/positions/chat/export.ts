import { InputFile } from 'grammy';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature } from '../../../platform/telegram/feature.ts';
import { keyboard, nav } from '../../../platform/telegram/ui/keyboard.ts';
import type { ExportFormat } from '../use/export-trades.ts';

const EXPORT = 'export';

/** Everything that happened in a person's wallets, as files. */
export function exportFeature(deps: FeatureDeps): Feature {
  async function open({ turn }: BotContext): Promise<void> {
    const { words } = turn;
    await turn.screen.show({
      text: words.html('export.title'),
      keyboard: keyboard(
        [
          nav(words.text('btn.export_trades'), EXPORT, 'trades'),
          nav(words.text('btn.export_koinly'), EXPORT, 'koinly'),
        ],
        [nav(words.text('btn.back'), 'setting', 'open')],
      ),
    });
  }

  const send = (format: ExportFormat) => async (ctx: BotContext) => {
    const { turn, chatId } = ctx;
    if (chatId === undefined) return;
    // A function, so that a repeated request reads the rows anew; the file is never whole in memory.
    const file = new InputFile(() => deps.positions.export(turn.user.id, format), `${format}.csv`);
    await ctx.api.sendDocument(chatId, file, {
      caption: turn.words.html(`export.${format}`).markup,
      parse_mode: 'HTML',
    });
  };

  return {
    name: EXPORT,
    commands: [],
    taps: {
      open: { act: 'reads', run: open },
      trades: { act: 'reads', run: send('trades') },
      koinly: { act: 'reads', run: send('koinly') },
    },
    forms: [],
  };
}
