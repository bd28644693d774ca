import type { Route } from '../route.ts';
import { dexQuote } from './dex-quote/index.ts';
import { dexSwap } from './dex-swap/index.ts';
import { token } from './token/index.ts';

/** Every endpoint. One folder and one line here per route; the OpenAPI document is made from this list. */
export const ROUTES: readonly Route[] = [dexSwap, dexQuote, token];
