import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import { createNews } from '../../engine/watch/use/news.ts';
import { followFeature } from './chat/index.ts';
import {
  changeFollow,
  type FollowDeps,
  followWallet,
  leaderOf,
  ownFollow,
  unfollow,
} from './use/follow-wallet.ts';
import { checkSignal, endSignal, ownSignal, setSignal } from './use/set-signal.ts';

/** Wallets that people follow. */
export function createFollows(world: World) {
  const { db, chain, clock, ids } = world;
  const news = createNews();
  const following: FollowDeps = { db, chain, clock, ids, followsChanged: news.changed };
  return {
    leaderOf: bind(leaderOf, following),
    follow: bind(followWallet, following),
    own: bind(ownFollow, following),
    change: bind(changeFollow, following),
    unfollow: bind(unfollow, following),
    ownSignal: bind(ownSignal, following),
    checkSignal: bind(checkSignal, following),
    setSignal: bind(setSignal, following),
    endSignal: bind(endSignal, following),
    /** Followed wallets were changed in this process. */
    onChange: news.onChange,
  };
}

/** The parts that it plugs in. */
export const followsModule = {
  name: 'follows',
  features: [followFeature],
} satisfies Module;
