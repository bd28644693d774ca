import type { Route } from '../platform/http/route.ts';
import type { Host } from './api-deps.ts';
import { MODULES } from './modules.ts';

/** Every endpoint, in the order of the API's documents. */
const ROUTES: readonly Route[] = MODULES.flatMap(({ routes = [] }) => routes);

/** The endpoints of one host; its OpenAPI document is made from this list. */
export function routesOf(kind: Host['kind']): readonly Route[] {
  switch (kind) {
    case 'open':
      return ROUTES.filter(({ host }) => host !== 'pro');
    case 'pro':
      return ROUTES.filter(({ host }) => host !== 'charts');
    case 'charts':
      return ROUTES.filter(({ host }) => host === 'charts');
  }
}
