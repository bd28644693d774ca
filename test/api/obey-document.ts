import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ORDINARY } from '../../scripts/contract/judge.ts';
import type { Host } from '../../src/compose/api-deps.ts';
import { routesOf } from '../../src/compose/routes.ts';
import { PICTURE_PATH } from '../../src/modules/mint/api/serve-picture-upload.ts';
import { buildOpenApi } from '../../src/platform/http/openapi/build-openapi.ts';
import { HEALTH_PATH } from '../../src/platform/http/serve-health.ts';

const response = z.object({
  headers: z.record(z.string(), z.unknown()).default({}),
  content: z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) })).default({}),
});
const documentShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), response) }))),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

type Documented = {
  readonly headers: ReadonlySet<string>;
  readonly isBody: ValidateFunction | null;
};

/** By `GET /path 200`, as the document of one host says it. */
function documentedOf(kind: Host['kind']): ReadonlyMap<string, Documented> {
  const { paths, components } = documentShape.parse(buildOpenApi(routesOf(kind), kind));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components });
  const absolute = (schema: unknown): object =>
    z
      .record(z.string(), z.unknown())
      .parse(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')));
  const found = new Map<string, Documented>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(operations)) {
      for (const [status, { headers, content }] of Object.entries(responses)) {
        const schema = content['application/json']?.schema;
        found.set(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')} ${status}`, {
          headers: new Set(Object.keys(headers)),
          isBody: schema === undefined ? null : ajv.compile(absolute(schema)),
        });
      }
    }
  }
  return found;
}

const documents = new Map<Host['kind'], ReadonlyMap<string, Documented>>();
/** `open POST /dex/swap 400 NO_ROUTE`: what the tests of this process saw. */
export const seen = new Set<string>();

/**
 * Holds every answer of a host against its own document: a status, a header, a code or a field that is not in it makes the request
 * fail with 599 and the reason, which no test expects.
 */
export function obeyDocument(app: FastifyInstance, kind: Host['kind']): FastifyInstance {
  const documented = documents.get(kind) ?? documentedOf(kind);
  documents.set(kind, documented);
  const paths = new Set([...routesOf(kind).map(({ path }) => path), PICTURE_PATH, HEALTH_PATH]);
  app.addHook('onSend', async (request, reply, payload) => {
    const { url } = request.routeOptions;
    if (url === undefined || !paths.has(url) || request.method === 'OPTIONS') return payload;
    const asked = `${request.method === 'HEAD' ? 'GET' : request.method} ${url}`;
    const headers = reply.getHeaders();
    const text = typeof payload === 'string' ? payload : Buffer.isBuffer(payload) ? payload.toString() : null;
    const isPlain = headers['content-encoding'] === undefined && request.method !== 'HEAD';
    const fault = faultOf(documented.get(`${asked} ${reply.statusCode}`), headers, isPlain ? text : null);
    const code = text === null || !isPlain ? null : (/^\{.*"error":\{"code":"(\w+)"/.exec(text)?.[1] ?? null);
    seen.add(`${kind} ${asked} ${reply.statusCode}${code === null ? '' : ` ${code}`}`);
    if (fault === null) return payload;
    reply.code(599);
    return `${kind} ${asked} ${reply.statusCode}: ${fault}`;
  });
  return app;
}

function faultOf(
  documented: Documented | undefined,
  headers: Readonly<Record<string, unknown>>,
  text: string | null,
): string | null {
  if (documented === undefined) return 'the status is not documented';
  const unknown = Object.keys(headers).filter(
    (name) => !ORDINARY.test(name) && !documented.headers.has(name),
  );
  if (unknown.length > 0) return `headers are not documented: ${unknown.join(', ')}`;
  const { isBody } = documented;
  if (isBody === null || text === null || text === '') return null;
  if (isBody(JSON.parse(text))) return null;
  return `the body is not as documented: ${JSON.stringify(isBody.errors?.slice(0, 3))} ${text.slice(0, 300)}`;
}
