import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { routesOf } from '../../src/compose/routes.ts';
import type { Route } from '../../src/platform/http/route.ts';

const HEAD = '| Endpoint | Scope of a key | Host | What it gives |\n|---|---|---|---|\n';
const HOSTS = { both: 'open, keyed', pro: 'keyed', charts: 'open, charts' } as const;

const accessOf = ({ scope, host, signed }: Route): string => {
  if (signed !== undefined) return `signed: \`${signed}\``;
  return host === 'charts' ? '' : `\`${scope}\``;
};

const rowOf = (route: Route): string =>
  `| \`${route.method} ${route.path}\` | ${accessOf(route)} | ${HOSTS[route.host ?? 'both']} | ${route.summary} |`;

it('docs/api.md has a row for each endpoint, in the order of the registry', () => {
  const page = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const [, rest = ''] = page.split(HEAD);
  const [rows = ''] = rest.split('\n\n');
  // The open host lacks only what the keyed one has for itself.
  const routes = [...new Set([...routesOf('open'), ...routesOf('pro')])];
  expect(rows.trimEnd().split('\n')).toEqual(routes.map(rowOf));
});
