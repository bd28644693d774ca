import { z } from 'zod';
import { route } from '../../../platform/http/route.ts';
import { HISTORY_DAYS } from '../rules/retention.ts';

const time = z.string().describe('ISO 8601, UTC');

const response = z.object({
  status: z.enum(['ok', 'down']).describe('down where a part does not answer'),
  at: time,
  parts: z
    .array(z.object({ name: z.string(), state: z.enum(['ok', 'down']) }))
    .describe('what this process asks, now'),
  paused: z
    .array(
      z.object({
        what: z.string(),
        reason: z.string(),
        since: time,
        until: time.nullable().describe('null: until it is resumed'),
      }),
    )
    .describe('by the operator'),
  days: z
    .array(
      z.object({
        part: z.string(),
        day: z.string().describe('`2026-01-31`, UTC'),
        measuredMinutes: z.int().describe('1 to 1,440'),
        downMinutes: z.int().describe('of those, the ones in which it did not answer'),
      }),
    )
    .nullable()
    .describe(
      `the last ${HISTORY_DAYS} days, oldest first; a part and day that is missing was not measured. null: they cannot be read just now`,
    ),
  incidents: z
    .array(
      z.object({
        id: z.string(),
        title: z.string(),
        parts: z.array(z.string()),
        openedAt: time,
        closedAt: time.nullable().describe('null: it goes on'),
        notes: z.array(z.object({ at: time, text: z.string() })).describe('newest first'),
      }),
    )
    .nullable()
    .describe('as the operator tells them, newest first; null: they cannot be read just now'),
});

const timeOf = (at: number): string => new Date(at).toISOString();
const timeOrNull = (at: number | null): string | null => (at === null ? null : timeOf(at));

/** The facts of `/status`, for programs that watch the service. */
export const statusFacts = route({
  act: 'reads',
  method: 'GET',
  scope: 'none',
  path: '/status.json',
  operationId: 'showStatus',
  summary: 'Which parts answer, their 90 days, and incidents',
  description:
    'Which parts answer now, what the operator has paused, how many minutes each part was measured and down on each day, and the incidents. It asks for no key, and goes on while the API is paused. The status of the answer is 200 also where a part is down: `GET /health` is for load balancers.',
  allowance: { ratePerSecond: 2, burst: 20 },
  input: { in: 'query', name: 'StatusRequest', schema: z.strictObject({}) },
  inputExample: {},
  output: {
    name: 'StatusResponse',
    schema: response,
    example: {
      status: 'ok',
      at: '2026-01-31T12:00:00.000Z',
      parts: [
        { name: 'database', state: 'ok' },
        { name: 'chain', state: 'ok' },
      ],
      paused: [],
      days: [{ part: 'database', day: '2026-01-31', measuredMinutes: 720, downMinutes: 3 }],
      incidents: [
        {
          id: '01KG9Z8Y7X6W5V4T3S2R1Q0P9N',
          title: 'The database did not answer',
          parts: ['database'],
          openedAt: '2026-01-31T08:00:00.000Z',
          closedAt: '2026-01-31T08:20:00.000Z',
          notes: [{ at: '2026-01-31T08:20:00.000Z', text: 'It answers again. Nothing was lost.' }],
        },
      ],
    },
  },
  codes: {},
  across: () => [],
  fieldsOf: () => ({}),
  handle: async ({ parts, site, clock }): Promise<z.infer<typeof response>> => {
    const [answer, pauses, history] = await Promise.all([parts(), site.pauses(), site.history()]);
    return {
      status: answer.isWell ? 'ok' : 'down',
      at: timeOf(clock.now()),
      // Why a part does not answer is for the operator.
      parts: Object.entries(answer.parts).map(([name, state]) => ({
        name,
        state: state === 'ok' ? 'ok' : 'down',
      })),
      paused: pauses.map(({ since, until, ...pause }) => ({
        ...pause,
        since: timeOf(since),
        until: timeOrNull(until),
      })),
      days:
        history?.days.map(({ part, day, measured, down }) => ({
          part,
          day,
          measuredMinutes: measured,
          downMinutes: down,
        })) ?? null,
      incidents:
        history?.incidents.map(({ openedAt, closedAt, parts: affected, notes, ...incident }) => ({
          ...incident,
          parts: [...affected],
          openedAt: timeOf(openedAt),
          closedAt: timeOrNull(closedAt),
          notes: notes.map(({ at, text }) => ({ at: timeOf(at), text })),
        })) ?? null,
    };
  },
});
