import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { Orders } from '../orders/index.ts';
import type { Pricing } from '../trading/index.ts';
import { copyFeature } from './chat/index.ts';
import type { CopyDeps } from './use/copy-deps.ts';
import { beginPaper, decidePapers, endPaper, viewPaper } from './use/paper-copies.ts';
import { copyOf, switchOff, switchOn } from './use/switch-copy.ts';
import { viewCopy } from './use/view-copy.ts';
import { createCopyWatch } from './use/watch-copies.ts';

/** Copies of followed wallets, and the watch that makes them while it runs. */
export function createCopying(
  world: World,
  { orders, pricing }: { readonly orders: Orders; readonly pricing: Pricing },
) {
  const { chain, clock, fees, vault } = world;
  const copies: CopyDeps = {
    ...orders.deps,
    vault,
    chain,
    isOn: world.copyTrading,
    log: world.log.child({ module: 'copying' }),
    quote: pricing.quote,
    dice: Math.random,
    landed: (signature) => chain.landed(signature),
    copiesChanged: () => watch.wake(),
  };
  const viewing = { ...world, ...copies, tradeFeeBps: () => fees(clock.now()).tradeBps };
  const watch = createCopyWatch(copies, bind(decidePapers, viewing));
  return {
    find: bind(copyOf, copies),
    view: bind(viewCopy, viewing),
    viewPaper: bind(viewPaper, viewing),
    beginPaper: bind(beginPaper, copies),
    endPaper: bind(endPaper, copies),
    switchOn: bind(switchOn, copies),
    switchOff: bind(switchOff, copies),
    watch,
  };
}

/** The parts that it plugs in. */
export const copyingModule = {
  name: 'copying',
  features: [copyFeature],
} satisfies Module;
