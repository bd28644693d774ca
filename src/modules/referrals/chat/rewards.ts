import { InputFile } from 'grammy';
import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { rewardsCsv } from '../use/audit-lines.ts';
import { AUDIT_PAGE, ledgerView, uncountedView } from './audit-view.ts';

/** The lines behind a person's rewards, by page and as a file. */
export function rewardTaps({ db: { referrals } }: FeatureDeps): Feature['taps'] {
  async function ledger({ turn }: BotContext, state: TapState | null): Promise<void> {
    const { id } = turn.user;
    const { rows, page } = await pageOf(state, (span) => referrals.rewardLines(id, span));
    await turn.screen.show(ledgerView(turn.words, rows, page));
  }

  async function uncounted({ turn }: BotContext, state: TapState | null): Promise<void> {
    const { id } = turn.user;
    const { rows, page } = await pageOf(state, (span) => referrals.uncounted(id, span));
    await turn.screen.show(uncountedView(turn.words, rows, page));
  }

  async function csv(ctx: BotContext): Promise<void> {
    const { turn, chatId } = ctx;
    if (chatId === undefined) return;
    const file = Buffer.from(await rewardsCsv(referrals, turn.user.id));
    await ctx.api.sendDocument(chatId, new InputFile(file, 'referral-ledger.csv'), {
      caption: turn.words.html('ledger.csv').markup,
      parse_mode: 'HTML',
    });
  }

  return {
    ledger: { act: 'reads', run: ledger },
    uncounted: { act: 'reads', run: uncounted },
    csv: { act: 'reads', run: csv },
  };
}

/** One page and whether there is another; a callback holds two digits, the CSV has the rest. */
async function pageOf<T>(
  state: TapState | null,
  load: (page: { readonly offset: number; readonly limit: number }) => Promise<readonly T[]>,
) {
  const index = state?.index ?? 0;
  const rows = await load({ offset: index * AUDIT_PAGE, limit: AUDIT_PAGE + 1 });
  return { rows: rows.slice(0, AUDIT_PAGE), page: { index, more: rows.length > AUDIT_PAGE && index < 99 } };
}
