import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { Relay } from '../../engine/transactions/use/relay-outbox.ts';
import { keysRotate } from './api/rotate.ts';
import { usage } from './api/usage.ts';
import { keyReviewFeature } from './chat/review.ts';
import type { KeyRequest } from './rules/key-request.ts';
import { proposedGrant } from './use/grant-of.ts';
import { createKeyDesk, type KeyDeskDeps } from './use/key-desk.ts';
import {
  askBack,
  grantRequest,
  refuseRequest,
  reviewedRequest,
  waitingRequests,
} from './use/review-request.ts';
import { sendMail } from './use/send-mail.ts';

/** Keys of the API, by request and mail. All verbs of the review but the first two throw NOT_OPERATOR. */
export function createKeys(world: World, { relay }: { readonly relay: Relay }) {
  const { db, clock, ids, keys, guardRules } = world;
  const { operators, maxRate } = keys;
  const nudge = (): void => relay.nudge();
  const review = { db, clock, ids, operators, nudge };
  return {
    review: {
      isOperator: (telegramId: bigint) => operators.has(telegramId),
      proposed: (request: KeyRequest) => proposedGrant(request, maxRate),
      waiting: bind(waitingRequests, review),
      find: bind(reviewedRequest, review),
      grant: bind(grantRequest, review),
      refuse: bind(refuseRequest, review),
      ask: bind(askBack, review),
    },
    /** Requests, claims and accounts, on the open host; null where no mail can be sent, or no key be checked. */
    desk: ({ usage, log }: Pick<KeyDeskDeps, 'usage' | 'log'>) =>
      keys.secrets === null || keys.mailer === null
        ? null
        : createKeyDesk({ ...keys, secrets: keys.secrets, guardRules, nudge, db, usage, clock, ids, log }),
    sendMail: bind(sendMail, { ...world, ...keys, nudge }),
  };
}

/** The parts that it plugs in. */
export const keysModule = {
  name: 'keys',
  features: [keyReviewFeature],
  routes: [usage, keysRotate],
} satisfies Module;
