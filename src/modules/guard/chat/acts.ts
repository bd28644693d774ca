import type { FeatureDeps } from '../../../compose/bot-deps.ts';
import type { BotContext } from '../../../platform/telegram/context.ts';
import type { Feature, TapState } from '../../../platform/telegram/feature.ts';
import { ACTS, ACTS_PAGE, actsView } from './acts-view.ts';

/** More than anybody pages through; the whole trail is the operator's. */
const LAST_PAGE = 99;

/** The acts on the person's own account, by them, by the service or by an operator. */
export function actsFeature(deps: FeatureDeps): Feature {
  async function open({ turn }: BotContext, state: TapState | null): Promise<void> {
    const index = state?.index ?? 0;
    const acts = await deps.db.auditLog.list(
      { subject: turn.user.id },
      { limit: ACTS_PAGE + 1, offset: index * ACTS_PAGE },
    );
    const page = { index, more: acts.length > ACTS_PAGE && index < LAST_PAGE };
    await turn.screen.show(actsView(turn.words, acts.slice(0, ACTS_PAGE), page));
  }
  return { name: ACTS, commands: [], taps: { open: { act: 'reads', unlocked: true, run: open } }, forms: [] };
}
