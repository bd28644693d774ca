import { z } from 'zod';
import { utcDate } from '../../../core/time/utc-date.ts';
import { route } from '../../../platform/http/route.ts';
import type { ApiUsage } from '../store/api-usage-store-port.ts';

const response = z.object({
  account: z.string().describe('limits and usage belong to the account, over all of its keys'),
  ratePerSecond: z.int().describe('requests per second that the account may keep up'),
  burst: z.int().describe('requests that it may make at once'),
  usage: z
    .array(
      z.object({
        day: z.string().describe('UTC'),
        key: z.string().describe('the public part of the key'),
        route: z.string(),
        requests: z.int().min(1),
      }),
    )
    .describe('the last 30 days, newest first; refused requests count once the key was accepted'),
});

/** The recent requests of an account. */
export const usage = route({
  act: 'reads',
  method: 'GET',
  scope: 'any',
  host: 'pro',
  path: '/usage',
  operationId: 'showUsage',
  summary: 'Requests of your account',
  description:
    'How many requests each key of your account made, by route and day, and what the account may do.',
  input: { in: 'query', name: 'UsageRequest', schema: z.strictObject({}) },
  inputExample: {},
  output: {
    name: 'UsageResponse',
    schema: response,
    example: {
      account: 'acme',
      ratePerSecond: 10,
      burst: 20,
      usage: [{ day: '2026-01-31', key: 'a1B2c3D4e5F6', route: 'POST /dex/swap', requests: 1234 }],
    },
  },
  codes: {},
  across: () => [],
  fieldsOf: () => ({}),
  handle: async (deps, _input, { key }): Promise<z.infer<typeof response>> => {
    if (key === undefined) throw new Error('usage was asked for without a key');
    const day = utcDate(deps.clock.now());
    // This request too: it is counted when it is answered, and that is now.
    const own = { account: key.account, keyId: key.id, route: 'GET /usage', day, status: 200, requests: 1 };
    const rows = withoutStatus([...(await deps.usage.list(key.account)), own]);
    return {
      account: key.account,
      ratePerSecond: key.ratePerSecond,
      burst: key.burst,
      usage: rows.map(({ day, keyId, route: path, requests }) => ({
        day,
        key: keyId,
        route: path,
        requests,
      })),
    };
  },
});

/** One row per day, key and route, as was published before rows had a status. */
function withoutStatus(rows: readonly ApiUsage[]): readonly ApiUsage[] {
  const sums = new Map<string, ApiUsage>();
  for (const row of rows) {
    const id = JSON.stringify([row.day, row.keyId, row.route]);
    sums.set(id, { ...row, requests: row.requests + (sums.get(id)?.requests ?? 0) });
  }
  const order = ({ keyId, route: path }: ApiUsage): string => `${keyId} ${path}`;
  return [...sums.values()].toSorted((a, b) =>
    a.day === b.day ? (order(a) < order(b) ? -1 : 1) : a.day < b.day ? 1 : -1,
  );
}
