import type { Host } from '../api-deps.ts';
import type { Route } from '../route.ts';
import { dexQuote } from './dex-quote/index.ts';
import { dexSwap } from './dex-swap/index.ts';
import { keysRotate } from './keys-rotate/index.ts';
import { token } from './token/index.ts';
import { usage } from './usage/index.ts';

/** Every endpoint. One folder and one line here per route. */
const ROUTES: readonly Route[] = [dexSwap, dexQuote, token, usage, keysRotate];

/** The endpoints of one host; its OpenAPI document is made from this list. */
export function routesOf(host: Host['kind']): readonly Route[] {
  return ROUTES.filter((route) => route.host === undefined || route.host === host);
}
