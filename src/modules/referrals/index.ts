import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { Relay } from '../../engine/transactions/use/relay-outbox.ts';
import type { Guard } from '../guard/index.ts';
import { referralFeature } from './chat/index.ts';
import { payoutCollect } from './jobs.ts';
import { chooseCode } from './use/choose-code.ts';
import { collectPayouts } from './use/collect-payouts.ts';

export type { ReferralAction } from './rules/required-for.ts';

/** Codes of inviters, and their rewards, which are paid out. */
export function createReferrals(
  world: World,
  { relay, guard }: { readonly relay: Relay; readonly guard: Guard },
) {
  const { db, chain, clock, ids, treasury, payoutMinLamports: minimumLamports, guardRules } = world;
  const paying = {
    db,
    chain,
    clock,
    ids,
    treasury,
    minimumLamports,
    capLamports: guardRules.payoutsLamports,
    relay,
  };
  return {
    chooseCode: bind(chooseCode, guard.deps),
    collectPayouts: () => collectPayouts(paying),
  };
}

/** The parts that it plugs in. */
export const referralsModule = {
  name: 'referrals',
  features: [referralFeature],
  jobs: { 'payout.collect': payoutCollect },
} satisfies Module;
