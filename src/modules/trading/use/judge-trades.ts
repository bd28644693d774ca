import { hasAged } from '../../../core/time/age.ts';
import { tipOf, tradeOf } from '../../../engine/intents/kinds/rules.ts';
import type { IntentStore } from '../../../engine/intents/store/intent-store-port.ts';
import type { VerdictStore } from '../store/verdict-store-port.ts';
import { judgeLanded, type SandwichDeps } from './find-sandwich.ts';

export type JudgeTradesDeps = SandwichDeps & {
  readonly verdicts: Pick<VerdictStore, 'due' | 'insert'>;
  readonly db: { readonly intents: Pick<IntentStore, 'find'> };
};

/** The sender of bytes that no tip went with. */
export const NODES = 'nodes';

/** The tape may be that far behind before a verdict that is not known stays so. */
const TAPE_BEHIND_MS = 10 * 60_000;
/** Trades of a longer outage are not judged: their figures count nothing rather than something false. */
const OLDEST_MS = 2 * 3_600_000;
const SETTLED_MS = 75_000;
const AT_ONCE = 200;

/**
 * Each trade of a person that landed more than a minute ago has its verdict, once. One that is not known is tried again for ten minutes. At
 * most 200 trades a call, oldest first. Throws DATABASE_UNREACHABLE.
 */
export async function judgeTrades(deps: JudgeTradesDeps): Promise<void> {
  const { verdicts, db, clock } = deps;
  const now = clock.now();
  for (const id of await verdicts.due(now - OLDEST_MS, now - SETTLED_MS, AT_ONCE)) {
    const intent = await db.intents.find(id);
    const receipt = intent?.outcome?.receipt ?? null;
    const trade = intent === null ? null : tradeOf(intent.params);
    if (intent === null || receipt === null || trade === null) continue;
    const verdict = await judgeLanded(deps, { mint: trade.mint, ...receipt });
    if (verdict.certainty === 'not-known' && !hasAged(intent.updatedAt, TAPE_BEHIND_MS, clock)) continue;
    await verdicts.insert(id, tipOf(intent.params)?.sender ?? NODES, verdict, now);
  }
}
