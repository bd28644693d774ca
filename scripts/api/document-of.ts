import type { Host } from '../../src/compose/api-deps.ts';
import { routesOf } from '../../src/compose/routes.ts';
import { buildOpenApi } from '../../src/platform/http/openapi/build-openapi.ts';

/** The OpenAPI document of a host, as it serves it at its public address. */
export function documentOf(host: Host['kind']): Readonly<Record<string, unknown>> {
  return { ...buildOpenApi(routesOf(host), host), servers: [{ url: 'https://api.example.org' }] };
}
