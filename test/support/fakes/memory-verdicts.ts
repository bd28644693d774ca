import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import type { OwnLanding } from '../../../src/modules/trading/rules/landings.ts';
import type { Verdict } from '../../../src/modules/trading/rules/sandwich.ts';
import type { VerdictCount, VerdictStore } from '../../../src/modules/trading/store/verdict-store-port.ts';

/** Verdicts in memory, over the intents and the landings that are given. */
export function memoryVerdicts(
  intents: () => readonly Intent[] = () => [],
  landings: () => readonly OwnLanding[] = () => [],
  landingSlots: () => readonly number[] = () => [],
): VerdictStore {
  const rows = new Map<string, { readonly sender: string; readonly verdict: Verdict; readonly at: number }>();
  return {
    due: async (from, until, limit) =>
      intents()
        .filter(
          ({ id, params, status, updatedAt }) =>
            (params.kind === 'buy' || params.kind === 'sell') &&
            status === 'SUCCEEDED' &&
            updatedAt >= from &&
            updatedAt < until &&
            !rows.has(id),
        )
        .map(({ id }) => id)
        .toSorted()
        .slice(0, limit),
    insert: async (intentId, sender, verdict, at) => {
      if (!rows.has(intentId)) rows.set(intentId, { sender, verdict, at });
    },
    landings: async () => landings(),
    landingSlots: async (_since, limit) => landingSlots().slice(0, limit),
    counts: async (from) => {
      const counts = new Map<string, VerdictCount>();
      for (const { sender, verdict, at } of rows.values()) {
        if (at < from) continue;
        const id = `${sender}\0${verdict.certainty}`;
        const trades = (counts.get(id)?.trades ?? 0) + 1;
        counts.set(id, { sender, certainty: verdict.certainty, trades });
      }
      return [...counts.values()];
    },
  };
}
