import { utcDate } from '../../../core/time/utc-date.ts';
import { createTtlCache } from '../../../core/ttl-cache.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import { type SourceFigures, sourceFigures } from '../rules/source-figures.ts';
import type { SourceCounts } from '../store/source-counts-port.ts';
import type { VerdictCount, VerdictStore } from '../store/verdict-store-port.ts';

/** How trades went in the last 30 days: whose prices were best, and around how many trades others traded. */
export type TradingFigures = {
  readonly sources: readonly SourceFigures[];
  readonly verdicts: readonly VerdictCount[];
};

const SHOWN_DAYS = 30;
const KEPT_MS = 60_000;

/** At most a minute old. The answer throws DATABASE_UNREACHABLE. */
export function createTradingFigures(deps: {
  readonly sourceCounts: Pick<SourceCounts, 'list'>;
  readonly verdicts: Pick<VerdictStore, 'counts'>;
  readonly clock: Clock;
}): () => Promise<TradingFigures> {
  const { sourceCounts, verdicts, clock } = deps;
  const kept = createTtlCache<'all', TradingFigures>({ ttlMs: KEPT_MS, capacity: 1, now: () => clock.now() });
  return () =>
    kept.get('all', async () => {
      const [counts, judged] = await Promise.all([
        sourceCounts.list(utcDate(clock.now(), SHOWN_DAYS - 1)),
        verdicts.counts(clock.now() - SHOWN_DAYS * 86_400_000),
      ]);
      return { sources: sourceFigures(counts), verdicts: judged };
    });
}
