import type { StatusHistory } from '../../../src/modules/operations/use/status-history.ts';

const DAY = 86_400_000;

/** A service of 70 days, with a short and a long fault, a day without data, and two incidents, one of which goes on. */
export function ninetyDays(now: number): StatusHistory {
  const dayOf = (ago: number): string => new Date(now - ago * DAY).toISOString().slice(0, 10);
  const minutesOf = (ago: number): number => (ago === 0 ? Math.floor((now % DAY) / 60_000) : 1_440);
  const days = Array.from({ length: 70 }, (_, index) => 69 - index).flatMap((ago) =>
    ago === 31
      ? []
      : (['chain', 'database', 'queue'] as const).map((part) => ({
          part,
          day: dayOf(ago),
          measured: ago === 69 || ago === 30 ? 512 : minutesOf(ago),
          down: part === 'queue' ? 0 : ago === 12 ? 7 : part === 'chain' && ago === 44 ? 190 : 0,
        })),
  );
  return {
    days,
    incidents: [
      {
        id: '01JEXAMPLE0000000000000002',
        title: 'Trades take longer than usual',
        parts: ['trading', 'chain'],
        openedAt: now - 3_600_000,
        closedAt: null,
        notes: [
          { at: now - 1_200_000, text: 'Trades go over our other node. Nothing that was sent is lost.' },
          { at: now - 3_300_000, text: 'One of our nodes answers late. We look for the reason.' },
        ],
      },
      {
        id: '01JEXAMPLE0000000000000001',
        title: 'Database restarted',
        parts: ['database'],
        openedAt: now - 12 * DAY,
        closedAt: now - 12 * DAY + 420_000,
        notes: [{ at: now - 12 * DAY + 420_000, text: 'It answers again. Every trade that waited went on.' }],
      },
    ],
  };
}
