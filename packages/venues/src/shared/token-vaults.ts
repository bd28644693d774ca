import type { Exchange } from './exchange.ts';
import { checkedView, type Layout } from './pool-checks.ts';
import { isRefusal } from './refusal.ts';

/** Vaults that the pool's account names at fixed places, in the order of its mints. */
export function tokenVaults(layout: Layout, places: readonly [number, number]): Exchange['vaults'] {
  return (_id, account) => {
    const view = checkedView(account, layout, 'not-a-pool');
    if (isRefusal(view)) return view;
    return { kind: 'tokens', vaults: [view.address(places[0]), view.address(places[1])] };
  };
}
