import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import { SETTLEMENTS } from '../../engine/intents/kinds/index.ts';
import type { Relay } from '../../engine/transactions/use/relay-outbox.ts';
import type { ReferralAction } from '../referrals/index.ts';
import type { Pricing } from '../trading/index.ts';
import { actsFeature } from './chat/acts.ts';
import { addressBookFeature } from './chat/address-book.ts';
import { cancelFeature } from './chat/cancel.ts';
import { noticeMailFeature } from './chat/notice-mail.ts';
import { panicFeature } from './chat/panic.ts';
import { secondFactorFeature } from './chat/second-factor.ts';
import { securityFeature } from './chat/security.ts';
import { addAddress, blockAddress, listAddresses, removeAddress } from './use/address-book.ts';
import { changeCap } from './use/change-cap.ts';
import { deleteWallet } from './use/delete-wallet.ts';
import { createDoubtToken } from './use/doubt-token.ts';
import { freezeAccount, unfreezeAccount } from './use/freeze-account.ts';
import { guardOverview } from './use/guard-overview.ts';
import { assertProgramMaySpend, createSpendingIntent, whyPin } from './use/guard-spending.ts';
import { letReceive } from './use/let-receive.ts';
import { mailNotice } from './use/mail-notice.ts';
import { askNoticeMail, confirmNoticeMail, removeNoticeMail } from './use/notice-mail.ts';
import { assertMayAct } from './use/pass-gate.ts';
import { givePermit } from './use/permit.ts';
import { renameWallet } from './use/rename-wallet.ts';
import {
  beginRecoveryCodes,
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
} from './use/second-factor.ts';
import { beginPinChange, hashPin, setPin } from './use/set-pin.ts';
import { stopActs } from './use/stop-acts.ts';
import { createStopDesk } from './use/stop-by-mail.ts';
import { stopChanges } from './use/stop-changes.ts';
import { switchActOf, switchWallet } from './use/switch-wallet.ts';
import { lockTrades, unlockTrades } from './use/unlock-trades.ts';
import { createUsualPrice } from './use/usual-price.ts';

/** The one gate for all spending, for every noun whose confirmations make an intent. */
export function createSpending(
  world: World,
  { relay, pricing: { exitCheck } }: { readonly relay: Relay; readonly pricing: Pricing },
) {
  const { db, clock, ids, vault, guardRules, hubs, wellKnown, seededMints } = world;
  const knownMints = new Set([...hubs, ...wellKnown.map(({ mint }) => mint), ...seededMints]);
  const deps = {
    db,
    clock,
    ids,
    relay,
    vault,
    guardRules,
    doubtToken: createDoubtToken({ ...world, exitCheck, knownMints }),
    usualPrice: createUsualPrice(world),
  };
  const createIntent = bind(createSpendingIntent, deps);
  return {
    deps,
    createIntent,
    assertProgramMaySpend: bind(assertProgramMaySpend, deps),
    whyPin: bind(whyPin, deps),
    /** The dependencies of a confirmation; `action` decides whether it needs a referral account. */
    confirmingFor: (action: ReferralAction) => ({
      db,
      needsReferralAccount: world.referralRequiredFor.has(action),
      createIntent,
    }),
  };
}

export type Spending = ReturnType<typeof createSpending>;

/** PIN, second factor, waits, caps and the address book. */
export function createGuard(world: World, { relay }: { readonly relay: Relay }) {
  const { db, chain, keys, vault } = world;
  const deps = { ...world, settlements: SETTLEMENTS, relay };
  const mailing = {
    ...deps,
    tokens: keys.tokens,
    hasMail: () => keys.mailer !== null && keys.siteUrl() !== null,
    nudge: () => relay.nudge(),
  };
  const onChain = { ...deps, chain };
  return {
    /** For the nouns whose verbs pass the same gate. */
    deps,
    mailNotice: bind(mailNotice, mailing),
    /** The page behind the link of a notice's mail. */
    stopByMail: createStopDesk({ ...mailing, acts: stopActs({ ...mailing, vault }) }),
    switchActOf,
    givePermit: bind(givePermit, deps),
    verbs: {
      overview: bind(guardOverview, deps),
      givePermit: bind(givePermit, deps),
      /** For the screen before: throws the refusal that the act would meet now. */
      mayAct: (asked: Parameters<typeof assertMayAct>[2]) => assertMayAct(db, deps, asked),
      stopChanges: bind(stopChanges, deps),
      /** Whether this service can send mails at all. */
      hasMail: mailing.hasMail,
      askNoticeMail: bind(askNoticeMail, mailing),
      confirmNoticeMail: bind(confirmNoticeMail, mailing),
      removeNoticeMail: bind(removeNoticeMail, mailing),
      renameWallet: bind(renameWallet, onChain),
      letReceive: bind(letReceive, deps),
      switchWallet: bind(switchWallet, deps),
      hashPin: bind(hashPin, deps),
      beginPinChange: bind(beginPinChange, deps),
      setPin: bind(setPin, deps),
      beginSecondFactor: bind(beginSecondFactor, deps),
      beginRecoveryCodes: bind(beginRecoveryCodes, deps),
      confirmSecondFactor: bind(confirmSecondFactor, deps),
      endSecondFactor: bind(endSecondFactor, deps),
      changeCap: bind(changeCap, deps),
      unlockTrades: bind(unlockTrades, deps),
      lockTrades: bind(lockTrades, deps),
      /** Here because a wallet with money in it takes the PIN. */
      deleteWallet: bind(deleteWallet, onChain),
      freeze: bind(freezeAccount, deps),
      unfreeze: bind(unfreezeAccount, deps),
      listAddresses: bind(listAddresses, deps),
      addAddress: bind(addAddress, deps),
      removeAddress: bind(removeAddress, deps),
      blockAddress: bind(blockAddress, deps),
    },
  };
}

export type Guard = ReturnType<typeof createGuard>;

/** The parts that it plugs in. */
export const guardModule = {
  name: 'guard',
  features: [
    cancelFeature,
    securityFeature,
    secondFactorFeature,
    actsFeature,
    noticeMailFeature,
    addressBookFeature,
    panicFeature,
  ],
} satisfies Module;
