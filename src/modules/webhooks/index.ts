import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import type { Relay } from '../../engine/transactions/use/relay-outbox.ts';
import { registerWebhook } from './api/register.ts';
import {
  listDeliveries,
  listWebhooks,
  removeWebhook,
  replayWebhook,
  rotateWebhook,
  testWebhook,
} from './api/webhooks.ts';
import { createWebhookWatch } from './use/deliver-webhooks.ts';
import { createWebhookDesk } from './use/manage-webhooks.ts';

function withoutSecret(): never {
  throw new Error('a webhook needs the secret of the keys');
}

/** Events that addresses of callers hear of; its watch delivers them while it runs. */
export function createWebhooks(world: World, { relay }: { readonly relay: Relay }) {
  const { keys, webhookSender: sender } = world;
  const { secrets } = keys;
  const watch = createWebhookWatch({ ...world, secrets, sender, nudge: () => relay.nudge() });
  const ownHosts = (): readonly string[] => {
    const site = keys.siteUrl();
    return site === null ? [] : [new URL(site).hostname];
  };
  return {
    watch,
    /** Manages the addresses, on the host of the API. Without a secret no host serves its routes. */
    desk: (allowsLoopback: boolean) =>
      createWebhookDesk({
        ...world,
        secrets: secrets ?? { hash: withoutSecret },
        sender,
        rule: () => ({ allowsLoopback, ownHosts: ownHosts() }),
        wake: () => watch.wake(),
      }),
  };
}

/** The parts that it plugs in. */
export const webhooksModule = {
  name: 'webhooks',
  routes: [
    registerWebhook,
    listWebhooks,
    removeWebhook,
    rotateWebhook,
    testWebhook,
    listDeliveries,
    replayWebhook,
  ],
} satisfies Module;
