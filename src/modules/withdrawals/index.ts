import type { Address } from '@tradepost/solana';
import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import { cancelIntent } from '../../engine/transactions/use/cancel-intent.ts';
import type { Relay } from '../../engine/transactions/use/relay-outbox.ts';
import type { Guard } from '../guard/index.ts';
import { withdrawFeature } from './chat/index.ts';
import { confirmWithdrawal } from './use/confirm-withdrawal.ts';
import { mayWithdraw } from './use/may-withdraw.ts';
import { prepareWithdrawal } from './use/prepare-withdrawal.ts';
import { tokenValue } from './use/token-value.ts';
import { withdrawalRecipient } from './use/withdrawal-recipient.ts';

/** Withdrawals, by the gate of the guard. */
export function createWithdrawals(
  world: World,
  { relay, guard }: { readonly relay: Relay; readonly guard: Guard },
) {
  const { db, chain, programs } = world;
  const valued = bind(tokenValue, world);
  return {
    checkRecipient: (sender: Address, text: string) => withdrawalRecipient(chain, sender, text),
    prepareWithdrawal: bind(prepareWithdrawal, { db, chain, programs }),
    mayWithdraw: bind(mayWithdraw, { ...guard.deps, chain, tokenValue: valued }),
    confirmWithdrawal: bind(confirmWithdrawal, { ...world, relay, tokenValue: valued }),
    cancelIntent: bind(cancelIntent, guard.deps),
  };
}

/** The parts that it plugs in. */
export const withdrawalsModule = {
  name: 'withdrawals',
  features: [withdrawFeature],
} satisfies Module;
