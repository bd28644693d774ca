import { describe, expect, it } from 'vitest';
import { bps } from '../../src/core/amounts/bps.ts';
import { ACT_NAMES, type ACTS, type Act, ruleOf } from '../../src/modules/guard/rules/acts.ts';
import { PRODUCTION_RULES } from '../../src/modules/guard/rules/guard-rules.ts';
import { letReceive } from '../../src/modules/guard/use/let-receive.ts';
import { askNoticeMail } from '../../src/modules/guard/use/notice-mail.ts';
import { givePermit } from '../../src/modules/guard/use/permit.ts';
import { renameWallet } from '../../src/modules/guard/use/rename-wallet.ts';
import { beginPinChange, hashPin, setPin } from '../../src/modules/guard/use/set-pin.ts';
import { switchWallet } from '../../src/modules/guard/use/switch-wallet.ts';
import { pauseOrder } from '../../src/modules/orders/use/change-order.ts';
import { editOrder } from '../../src/modules/orders/use/edit-order.ts';
import { resumeOrder } from '../../src/modules/orders/use/resume-order.ts';
import { chooseCode } from '../../src/modules/referrals/use/choose-code.ts';
import { openReferralAccount } from '../../src/modules/referrals/use/open-referral-account.ts';
import { changeSettings } from '../../src/modules/settings/use/change-settings.ts';
import { importWallet } from '../../src/modules/wallets/use/wallet-backups.ts';
import { confirmWithdrawal } from '../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { createLinkTokens } from '../../src/platform/api-keys/link-tokens.ts';
import { keyRig } from '../api/key-rig.ts';
import { keyRow, requestRow } from '../conformance/key-stores.ts';
import { addressOf } from '../engine/intents/build.ts';
import { buyOf, put } from '../support/order-acts.ts';
import { orderPlace, SOL } from '../support/order-place.ts';
import { PASSED } from '../support/passed.ts';
import { outcome } from './edges-rig.ts';
import { diceOf } from './thief/dice.ts';
import { DAY, HOUR, OWNERS_PIN, stolenAccount } from './thief/world.ts';

/** The acts whose row has a rate. */
type Rated = { [A in Act]: (typeof ACTS)[A]['rate'] extends null ? never : A }[Act];

/** The way to an act's effect, to be gone again and again. Between two turns `rest` makes room, but not as long as the span. */
type Door = {
  readonly once: (turn: number) => Promise<unknown>;
  readonly rest?: () => unknown;
};

/** An account whose PIN is ripe and known, and the real use cases on production's limits. */
async function account() {
  const world = await stolenAccount({ name: '', hold: 'pin', owner: 'asleep', isOfToday: false }, diceOf(1));
  const { deps, userId } = world;
  const bring = async () => {
    const permit = await givePermit(deps, { userId, pin: OWNERS_PIN, act: 'wallet-import' });
    return importWallet(deps, { userId, material: 'a key', passphrase: null, permit });
  };
  return { ...world, bring, pin: OWNERS_PIN };
}

async function withdrawing(): Promise<Door> {
  const { deps, userId, walletId, pin } = await account();
  const params = {
    kind: 'withdraw-sol',
    destination: addressOf(7),
    lamports: 1n,
    everything: false,
    tier: 'normal',
  } as const;
  return { once: (turn) => confirmWithdrawal(deps, { userId, walletId, idemKey: `w-${turn}`, pin, params }) };
}

/** One that lapses makes room for the next. */
async function exporting(): Promise<Door> {
  const { vault, clock, userId, walletId, pin } = await account();
  return { once: () => vault.askExport({ userId, walletId, pin }), rest: () => clock.advance(2 * DAY + 1) };
}

async function importing(): Promise<Door> {
  const { bring } = await account();
  return { once: bring };
}

async function switching(isImported: boolean): Promise<Door> {
  const world = await account();
  const { deps, userId, pin } = world;
  const walletId = isImported ? (await world.bring()).id : world.walletId;
  return { once: () => switchWallet(deps, { userId, walletId, pin: isImported ? pin : null }) };
}

/** Stop between two turns takes the first back, so that there is something to ask for. */
async function receiving(act: 'wallet-confirm' | 'payout-wallet'): Promise<Door> {
  const world = await account();
  const { deps, db, clock, userId, pin } = world;
  const walletId = act === 'wallet-confirm' ? (await world.bring()).id : world.walletId;
  return {
    once: () => letReceive(deps, { userId, walletId, act, pin }),
    rest: () => db.wallets.stopReceiving(PASSED, userId, clock.now()),
  };
}

async function renaming(): Promise<Door> {
  const { deps, userId, walletId } = await account();
  return { once: (turn) => renameWallet(deps, { userId, walletId, name: `Savings ${turn}` }) };
}

async function changingPin(): Promise<Door> {
  const { deps, userId } = await account();
  const pins = [OWNERS_PIN, '402917'];
  return {
    once: async (turn) => {
      const [pin = '', again = ''] = turn % 2 === 0 ? pins : pins.toReversed();
      const replaces = await beginPinChange(deps, { userId, pin });
      const hash = await hashPin(deps, { userId, pin: again });
      await setPin(deps, { userId, hash, again, replaces });
    },
  };
}

async function setting(what: 'slippage' | 'language'): Promise<Door> {
  const { deps, userId } = await account();
  return {
    once: (turn) =>
      changeSettings(deps, {
        userId,
        change:
          what === 'language'
            ? { language: turn % 2 === 0 ? 'es' : 'en' }
            : { slippageBuyBps: bps(100 + (turn % 2)) },
      }),
  };
}

async function choosing(): Promise<Door> {
  const { deps, db, ids, clock, userId } = await account();
  await openReferralAccount({ referrals: db.referrals, ids, clock }, userId);
  return { once: (turn) => chooseCode(deps, { userId, text: `HARBOUR${turn}`, needsVoucher: false }) };
}

async function placing(): Promise<Door> {
  const place = await orderPlace();
  return { once: () => put(place, buyOf(SOL)) };
}

/** An order whose placing does not count any more. */
async function placed() {
  const place = await orderPlace();
  const { id: orderId } = await put(place, buyOf(SOL));
  place.clock.advance(HOUR + 1);
  return { place, deps: place.deps as typeof place.deps & Parameters<typeof pauseOrder>[0], orderId };
}

async function editing(): Promise<Door> {
  const { place, orderId } = await placed();
  const { userId, deps } = place;
  return {
    once: async () => {
      const { version } = await place.order(orderId);
      await editOrder(deps, { userId, orderId, version, change: {} });
    },
  };
}

async function resuming(): Promise<Door> {
  const { place, deps, orderId } = await placed();
  const { userId } = place;
  const rest = () => pauseOrder(deps, { userId, orderId });
  await rest();
  return { once: () => resumeOrder(deps, { userId, orderId }), rest };
}

/** Each request is refused by the operator at once, so that the address may ask again. */
async function asking(): Promise<Door> {
  const { db, desk } = await keyRig();
  const email = 'mara@example.org';
  const { project, use, perDay, peakPerSecond, scopes } = requestRow({ email });
  return {
    once: () => desk.request({ email, project, use, perDay, peakPerSecond, scopes }),
    rest: async () => {
      for (const { id } of await db.keyRequests.listByEmail(email, 10))
        await db.keyRequests.change(id, ['unconfirmed'], { status: 'refused' });
    },
  };
}

/** One address asks through as many links as it has. */
async function keys(what: 'claim' | 'rotate'): Promise<Door> {
  const { db, desk, shared, clock } = await keyRig();
  const email = 'mara@example.org';
  const link = async (purpose: 'claim' | 'rotate', subject: string): Promise<string> => {
    const token = shared.tokens.make();
    const hash = shared.tokens.hash(token);
    await db.links.insert({ hash, purpose, subject, expiresAt: clock.now() + DAY, usedAt: null });
    return token;
  };
  return {
    once: async (turn) => {
      if (what === 'claim') {
        const request = requestRow({ email, status: 'granted', granted: GRANT });
        await db.keyRequests.insert(request);
        return desk.claim(await link('claim', request.id));
      }
      const key = keyRow({ id: `key${turn}`, email, createdAt: clock.now() });
      await db.apiKeys.insert(PASSED, key);
      return desk.claim(await link('rotate', key.id));
    },
  };
}
const GRANT = {
  ratePerSecond: 1,
  burst: 1,
  dayQuota: null,
  maxReferrerFeeBps: 0,
  scopes: ['swap'],
  days: null,
} as const;

async function namingMail(): Promise<Door> {
  const { deps, userId, pin } = await account();
  const shared = { ...deps, tokens: createLinkTokens(), hasMail: () => true };
  return { once: (turn) => askNoticeMail(shared, { userId, pin, address: `mara${turn}@example.org` }) };
}

const DOORS = {
  withdraw: withdrawing,
  'export-ask': exporting,
  'order-place': placing,
  'order-edit': editing,
  'order-resume': resuming,
  'wallet-import': importing,
  'wallet-switch': () => switching(false),
  'wallet-switch-imported': () => switching(true),
  'wallet-confirm': () => receiving('wallet-confirm'),
  'payout-wallet': () => receiving('payout-wallet'),
  'wallet-rename': renaming,
  'pin-change': changingPin,
  'notice-mail-ask': namingMail,
  settings: () => setting('slippage'),
  language: () => setting('language'),
  'referral-code': choosing,
  'api-key-ask': asking,
  'api-key-claim': () => keys('claim'),
  'api-key-rotate': () => keys('rotate'),
} satisfies Record<Rated, () => Promise<Door>>;

describe('what has a rate is refused beyond it by its own use case, and not by the gate alone', () => {
  it('every such act has its door here', () => {
    const rated = ACT_NAMES.filter((act) => ruleOf(act).rate !== null);
    expect(rated.toSorted()).toEqual(Object.keys(DOORS).toSorted());
  });

  it.each(Object.entries(DOORS))('%s', async (act, open) => {
    const { rate } = ruleOf(ACT_NAMES.find((name) => name === act) ?? 'settings');
    const { count, spanMs } = PRODUCTION_RULES.rates[rate ?? 'settings'];
    const { once, rest } = await open();
    for (let turn = 0; turn < count; turn += 1) {
      expect(await outcome(() => once(turn)), `turn ${turn + 1} of ${count}`).toBe('done');
      await rest?.();
    }
    await expect(once(count)).rejects.toMatchObject({
      code: 'ACT_LIMIT',
      details: { rate, max: count, spanMs },
    });
  });
});
