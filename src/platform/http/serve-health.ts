import type { FastifyInstance } from 'fastify';
import { createPartsCheck, type PartChecks } from '../../modules/operations/use/ask-parts.ts';

export const HEALTH_PATH = '/health';

const fact = (description: string) => ({ type: ['number', 'null'], description });

const healthShape = (status: 'ok' | 'down', part: string) => ({
  type: 'object',
  title: status === 'ok' ? 'Well' : 'Down',
  properties: {
    status: { type: 'string', const: status },
    network: {
      type: 'object',
      description: 'what this process measured of the network; null: not measured yet',
      properties: {
        slotMs: fact('milliseconds of a slot'),
        blockhashLivesMs: fact('how long a blockhash counts'),
        slotAgeMs: fact('since the height behind these two was heard'),
        rentLamportsPerByte: fact('what an account holds for each of its bytes'),
        rentAgeMs: fact('since that was read'),
      },
      required: ['slotMs', 'blockhashLivesMs', 'slotAgeMs', 'rentLamportsPerByte', 'rentAgeMs'],
      additionalProperties: false,
    },
  },
  required: ['status', 'network'],
  additionalProperties: { type: 'string', description: part },
});

const EXAMPLE = {
  status: 'ok',
  database: 'ok',
  queue: 'ok',
  chain: 'ok',
  network: {
    slotMs: 400,
    blockhashLivesMs: 60_000,
    slotAgeMs: 900,
    rentLamportsPerByte: 6_960,
    rentAgeMs: 4_000,
  },
} as const;

const healthAnswer = (description: string, schema: object, example: object) => ({
  description,
  content: { 'application/json': { schema, example } },
});

/** The operation of `GET /health`, which every host serves, as the OpenAPI document shows it. */
export const HEALTH_OPERATION = {
  operationId: 'showHealth',
  summary: 'Whether this process answers, for load balancers',
  description:
    'Asks for no key, and is not counted. Each part that this process depends on has a field of its own, by its name.',
  responses: {
    '200': healthAnswer('Every part answers.', healthShape('ok', 'ok'), EXAMPLE),
    '503': healthAnswer(
      'A part does not answer.',
      healthShape('down', 'of each part: ok, down, or a code that says more to the operator'),
      { ...EXAMPLE, status: 'down', queue: 'down' },
    ),
  },
} as const;

/**
 * `GET /health`: 200 while every part answers, 503 with the names of those that do not, within `patienceMs`. Says nothing else about the
 * inside. `network`: this process's measurements of the network, which anybody can make, with their age.
 */
export function serveHealth(
  app: FastifyInstance,
  checks: PartChecks,
  steadyMs: () => number,
  { patienceMs, network }: { readonly patienceMs?: number; readonly network?: () => object } = {},
): void {
  const askParts = createPartsCheck(checks, steadyMs, patienceMs);
  app.get(HEALTH_PATH, async (_request, reply) => {
    const { isWell, parts } = await askParts();
    return reply
      .code(isWell ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: isWell ? 'ok' : 'down',
        ...parts,
        ...(network === undefined ? {} : { network: network() }),
      });
  });
}
