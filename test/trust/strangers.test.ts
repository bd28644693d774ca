import { addressFromBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../../src/core/errors/app-error.ts';
import type { ErrorCode } from '../../src/core/errors/codes.ts';
import { cancelIntent } from '../../src/engine/transactions/use/cancel-intent.ts';
import { placeAlert, rearmAlert, removeAlert } from '../../src/modules/alerts/use/place-alert.ts';
import { enterConvert } from '../../src/modules/convert/use/enter-convert.ts';
import { COPY_DEFAULTS } from '../../src/modules/copying/rules/copy.ts';
import { beginPaper, endPaper } from '../../src/modules/copying/use/paper-copies.ts';
import { copyOf, switchOff, switchOn } from '../../src/modules/copying/use/switch-copy.ts';
import { viewCopy } from '../../src/modules/copying/use/view-copy.ts';
import { changeFollow, ownFollow, unfollow } from '../../src/modules/follows/use/follow-wallet.ts';
import { playRound } from '../../src/modules/games/use/play-round.ts';
import {
  addAddress,
  blockAddress,
  listAddresses,
  removeAddress,
} from '../../src/modules/guard/use/address-book.ts';
import { deleteWallet } from '../../src/modules/guard/use/delete-wallet.ts';
import { createSpendingIntent } from '../../src/modules/guard/use/guard-spending.ts';
import { letReceive } from '../../src/modules/guard/use/let-receive.ts';
import { renameWallet } from '../../src/modules/guard/use/rename-wallet.ts';
import { switchWallet } from '../../src/modules/guard/use/switch-wallet.ts';
import { confirmCreateToken, confirmRevokeAuthority } from '../../src/modules/mint/use/confirm-mint.ts';
import { finishToken } from '../../src/modules/mint/use/finish-token.ts';
import { quoteRevokeAuthority } from '../../src/modules/mint/use/quote-revoke-authority.ts';
import { buyWithLegs } from '../../src/modules/orders/use/buy-with-legs.ts';
import { cancelOrder, pauseOrder } from '../../src/modules/orders/use/change-order.ts';
import { editOrder, viewEdit } from '../../src/modules/orders/use/edit-order.ts';
import { entryPrice } from '../../src/modules/orders/use/entry-price.ts';
import { placeOrders, viewDraft } from '../../src/modules/orders/use/place-orders.ts';
import { resumeOrder } from '../../src/modules/orders/use/resume-order.ts';
import { standingExits } from '../../src/modules/orders/use/standing-exits.ts';
import { endOrder } from '../../src/modules/personal-keys/use/end-order.ts';
import { addKey, assertKeyFits, endKey } from '../../src/modules/personal-keys/use/manage-keys.ts';
import { redeem } from '../../src/modules/points/use/redeem.ts';
import { confirmCleanUp, quoteCleanUp } from '../../src/modules/positions/use/clean-up.ts';
import { findPosition } from '../../src/modules/positions/use/find-position.ts';
import { loadHolding } from '../../src/modules/positions/use/load-holding.ts';
import { NO_EXITS } from '../../src/modules/settings/rules/exit-set.ts';
import { confirmTrade } from '../../src/modules/trading/use/confirm-trade.ts';
import { assertMayAskKey } from '../../src/modules/wallets/use/key-exports.ts';
import { ownWallet } from '../../src/modules/wallets/use/own-wallet.ts';
import { restoreWallet } from '../../src/modules/wallets/use/restore-wallet.ts';
import { confirmWithdrawal } from '../../src/modules/withdrawals/use/confirm-withdrawal.ts';
import { mayWithdraw } from '../../src/modules/withdrawals/use/may-withdraw.ts';
import { prepareWithdrawal } from '../../src/modules/withdrawals/use/prepare-withdrawal.ts';
import { newAddress, newId } from '../conformance/store-rows.ts';
import { botKey } from '../modules/personal-keys/bot-key.ts';
import { TOKEN } from '../modules/trading/build-pool.ts';
import { rowsOf } from '../support/fakes/database.ts';
import { TEST_PIN } from '../support/fakes/pins.ts';
import { SALE } from '../support/order-place.ts';
import { type StrangersWorld, sampleParams, strangersWorld, type Things } from './strangers-world.ts';
import { useCaseIds } from './use-case-ids.ts';

/** Ids are text here: what a stranger would put in the place of their own. */
type Input = Readonly<Record<string, string>>;
/** `nothing`: no error, and an answer that says nothing. */
type Refused = ErrorCode | 'nothing';
type Case = {
  /** What a person gives of their own. */
  readonly own: (things: Things) => Input;
  readonly ask: (world: StrangersWorld, input: Input & { readonly userId: string }) => Promise<unknown>;
  /** By the name of the id: the error that a stranger gets for another person's, and what that is, where `own` has no such thing. */
  readonly foreign: Readonly<
    Record<string, readonly [refused: Refused, theirs?: (things: Things) => string]>
  >;
  /** The stranger's own rows may change, and what wakes the sender of their notices: a freeze, for one. */
  readonly changesOwn?: true;
};

const ofWallet = ({ walletId }: Things): Input => ({ walletId });
const fresh = ({ walletId, buttonId }: Things): Input => ({ walletId, buttonId, idemKey: newId() });
const CONFIRMED: Case['foreign'] = {
  walletId: ['WALLET_NOT_FOUND'],
  idemKey: ['INTENT_NOT_FOUND', ({ idemKey }) => idemKey],
  buttonId: ['BUTTON_STALE'],
};
const WALLET: Pick<Case, 'own' | 'foreign'> = { own: ofWallet, foreign: { walletId: ['WALLET_NOT_FOUND'] } };
const ORDER: Pick<Case, 'own' | 'foreign'> = {
  own: ({ orderId }) => ({ orderId }),
  foreign: { orderId: ['ORDER_NOT_FOUND'] },
};
const ALERT: Pick<Case, 'own' | 'foreign'> = {
  own: ({ alertId }) => ({ alertId }),
  foreign: { alertId: ['ALERT_NOT_FOUND'] },
};
const FOLLOW: Pick<Case, 'own' | 'foreign'> = {
  own: ({ followId }) => ({ followId }),
  foreign: { followId: ['FOLLOW_NOT_FOUND'] },
};
const any = (value: unknown): never => value as never;

const KEY_TERMS = {
  rights: ['trade'],
  orderLamports: 10_000_000n,
  dayLamports: 10_000_000n,
  tokens: null,
  ips: null,
};

const CASES: Readonly<Record<string, Case>> = {
  'modules/alerts/use/place-alert.ts#placeAlert': {
    own: () => ({ placeKey: newId() }),
    foreign: { placeKey: ['ALERT_NOT_FOUND', ({ alertKey }) => alertKey] },
    ask: ({ deps }, input) =>
      placeAlert(
        any({ ...deps, alertsChanged: () => undefined }),
        any({
          ...input,
          mint: TOKEN,
          unit: 'SOL',
          price: { got: 1n, given: 1n },
          direction: 'above',
          request: '+1%',
          repeats: false,
          armed: true,
        }),
      ),
  },
  'modules/alerts/use/place-alert.ts#removeAlert': {
    ...ALERT,
    ask: ({ db }, input) => removeAlert({ db, alertsChanged: () => undefined }, any(input)),
  },
  'modules/alerts/use/place-alert.ts#rearmAlert': {
    ...ALERT,
    ask: ({ db, clock }, input) => rearmAlert({ db, clock, alertsChanged: () => undefined }, any(input)),
  },
  'modules/follows/use/follow-wallet.ts#ownFollow': {
    ...FOLLOW,
    ask: ({ db }, input) => ownFollow({ db }, any(input)),
  },
  'modules/follows/use/follow-wallet.ts#changeFollow': {
    ...FOLLOW,
    ask: ({ db }, input) => changeFollow({ db }, any({ ...input, change: { notices: false } })),
  },
  'modules/follows/use/follow-wallet.ts#unfollow': {
    ...FOLLOW,
    ask: ({ db }, input) => unfollow({ db, followsChanged: () => undefined }, any(input)),
  },
  'modules/personal-keys/use/manage-keys.ts#endKey': {
    own: ({ personalKeyId }) => ({ keyId: personalKeyId }),
    foreign: { keyId: ['PERSONAL_KEY_NOT_FOUND'] },
    ask: ({ deps }, input) => endKey(any(deps), any(input)),
  },
  'modules/personal-keys/use/end-order.ts#endOrder': {
    ...ORDER,
    own: ({ orderId, walletId }) => ({ orderId, walletId }),
    ask: ({ deps }, { orderId = '', userId, walletId }) =>
      endOrder(
        any({ ...deps, nudge: () => undefined }),
        any({ id: newId(), userId, walletId, terms: { ...KEY_TERMS, tokens: null } }),
        orderId,
      ),
  },
  'modules/personal-keys/use/manage-keys.ts#addKey': {
    ...WALLET,
    ask: ({ deps }, input) =>
      addKey(
        any({ ...deps, host: 'desk.example', nudge: () => undefined }),
        any({ ...input, publicKey: botKey().publicKey, terms: KEY_TERMS, days: 7, pin: TEST_PIN }),
      ),
  },
  'modules/personal-keys/use/manage-keys.ts#assertKeyFits': {
    own: () => ({}),
    foreign: {},
    ask: ({ deps }, input) =>
      assertKeyFits(
        any({ ...deps, host: 'desk.example' }),
        any({ ...input, publicKey: botKey().publicKey, terms: KEY_TERMS }),
      ),
  },
  'modules/copying/use/switch-copy.ts#copyOf': {
    ...FOLLOW,
    ask: ({ db }, input) => copyOf({ db }, any(input)),
  },
  'modules/copying/use/switch-copy.ts#switchOn': {
    own: ({ followId, walletId }) => ({ followId, walletId }),
    foreign: { followId: ['FOLLOW_NOT_FOUND'], walletId: ['WALLET_NOT_FOUND'] },
    ask: ({ deps }, input) =>
      switchOn(
        any({ ...deps, isOn: true, autoSpendCapLamports: 10n ** 12n, copiesChanged: () => undefined }),
        any({ ...input, pin: null, version: null, rules: { ...COPY_DEFAULTS, exits: NO_EXITS } }),
      ),
  },
  'modules/copying/use/switch-copy.ts#switchOff': {
    ...FOLLOW,
    ask: ({ db, clock }, input) =>
      switchOff({ db, clock, copiesChanged: () => undefined }, any({ ...input, what: 'end' })),
  },
  'modules/copying/use/paper-copies.ts#beginPaper': {
    own: ({ followId, walletId }) => ({ followId, walletId }),
    foreign: { followId: ['FOLLOW_NOT_FOUND'], walletId: ['WALLET_NOT_FOUND'] },
    ask: ({ deps }, input) =>
      beginPaper(
        any({ ...deps, autoSpendCapLamports: 10n ** 12n, copiesChanged: () => undefined }),
        any({ ...input, rules: { ...COPY_DEFAULTS, exits: NO_EXITS } }),
      ),
  },
  'modules/copying/use/paper-copies.ts#endPaper': {
    ...FOLLOW,
    ask: ({ deps }, input) => endPaper(any(deps), any(input)),
  },
  'modules/copying/use/view-copy.ts#viewCopy': {
    ...FOLLOW,
    ask: ({ deps }, input) => viewCopy(any(deps), any(input)),
  },
  'modules/withdrawals/use/may-withdraw.ts#mayWithdraw': {
    ...WALLET,
    ask: ({ deps }, input) => mayWithdraw(any(deps), any({ ...input, params: sampleParams('withdraw-sol') })),
  },
  'modules/wallets/use/key-exports.ts#assertMayAskKey': {
    ...WALLET,
    ask: ({ deps }, input) => assertMayAskKey(deps, any(input)),
  },
  'the vault: askExport': {
    ...WALLET,
    // The right PIN was typed.
    changesOwn: true,
    ask: ({ deps }, input) => deps.vault.askExport(any({ ...input, pin: TEST_PIN })),
  },
  'the vault: takeExport': {
    own: ({ exportId }) => ({ exportId }),
    foreign: { exportId: ['EXPORT_WAITS'] },
    changesOwn: true,
    ask: ({ deps }, input) =>
      deps.vault.takeExport(any({ ...input, pin: TEST_PIN, passphrase: 'a long passphrase 1' })),
  },
  'modules/convert/use/enter-convert.ts#enterConvert': {
    own: ({ buttonId }) => ({ buttonId, idemKey: newId() }),
    foreign: {
      buttonId: ['BUTTON_STALE'],
      idemKey: ['BUTTON_STALE', ({ convertKey }) => convertKey],
    },
    ask: ({ deps, period }, input) => enterConvert(deps, any({ ...input, period, points: 1_000n })),
  },
  'modules/games/use/play-round.ts#playRound': {
    own: ({ roundId }) => ({ roundId }),
    foreign: { roundId: ['BUTTON_STALE'] },
    ask: ({ deps }, input) => playRound(any(deps), any({ ...input, choice: 0, points: 50n })),
  },
  'modules/guard/use/address-book.ts#listAddresses': {
    ...WALLET,
    ask: ({ deps }, input) => listAddresses(deps, any(input)),
  },
  'modules/guard/use/address-book.ts#addAddress': {
    ...WALLET,
    changesOwn: true,
    ask: ({ deps }, input) =>
      addAddress(deps, any({ ...input, address: newAddress(), name: 'Mine', pin: TEST_PIN })),
  },
  'modules/guard/use/address-book.ts#removeAddress': {
    own: ({ entryId }) => ({ id: entryId }),
    foreign: { id: ['nothing'] },
    ask: ({ deps }, input) => removeAddress(deps, any(input)),
  },
  // It freezes its caller, for any id.
  'modules/guard/use/address-book.ts#blockAddress': {
    own: ofWallet,
    foreign: { walletId: ['nothing'] },
    changesOwn: true,
    ask: async ({ db, deps, owner }, input) => {
      const [entry] = await db.addressBook.list(owner.walletId);
      await blockAddress(deps, any({ ...input, address: entry?.address }));
      return null;
    },
  },
  'modules/guard/use/delete-wallet.ts#deleteWallet': {
    ...WALLET,
    ask: ({ deps }, input) => deleteWallet(any(deps), any({ ...input, typedName: 'Main', pin: TEST_PIN })),
  },
  'modules/guard/use/guard-spending.ts#createSpendingIntent': {
    own: fresh,
    foreign: CONFIRMED,
    ask: ({ deps }, input) =>
      createSpendingIntent(deps, any({ ...input, params: sampleParams('revoke-authority') })),
  },
  'modules/mint/use/confirm-mint.ts#confirmCreateToken': {
    own: fresh,
    foreign: CONFIRMED,
    ask: ({ creating }, input) =>
      confirmCreateToken(any(creating), any({ ...input, params: sampleParams('revoke-authority') })),
  },
  'modules/mint/use/confirm-mint.ts#confirmRevokeAuthority': {
    own: fresh,
    foreign: CONFIRMED,
    ask: ({ creating }, input) =>
      confirmRevokeAuthority(any(creating), any({ ...input, params: sampleParams('revoke-authority') })),
  },
  'modules/mint/use/finish-token.ts#finishToken': {
    own: ({ unfinishedId }) => ({ intentId: unfinishedId }),
    foreign: { intentId: ['BUTTON_STALE'] },
    ask: ({ creating }, input) =>
      finishToken(any(creating), any({ ...input, progress: { chatId: 1n, messageId: 1 } })),
  },
  'modules/mint/use/quote-revoke-authority.ts#quoteRevokeAuthority': {
    own: ({ mint }) => ({ mint }),
    foreign: { mint: ['TOKEN_NOT_FOUND'] },
    ask: ({ deps }, input) =>
      quoteRevokeAuthority(any(deps), any({ ...input, authority: 'mint', tier: 'normal' })),
  },
  'modules/orders/use/buy-with-legs.ts#buyWithLegs': {
    own: fresh,
    foreign: CONFIRMED,
    ask: ({ deps, confirming, trade, clock }, input) =>
      buyWithLegs(
        any({
          ...deps,
          confirming,
          createSpendingIntent: (request: never) => createSpendingIntent(deps, request),
        }),
        any({
          ...input,
          trade,
          legs: {
            drafts: [{ ...SALE, amount: { kind: 'rest' } }],
            expiresAt: clock.now() + 3_600_000,
            slippageBps: 100,
            accepted: [],
          },
        }),
      ),
  },
  'modules/orders/use/change-order.ts#cancelOrder': {
    ...ORDER,
    ask: ({ deps }, input) => cancelOrder(any(deps), any(input)),
  },
  'modules/orders/use/change-order.ts#pauseOrder': {
    ...ORDER,
    ask: ({ deps }, input) => pauseOrder(any(deps), any(input)),
  },
  'modules/orders/use/resume-order.ts#resumeOrder': {
    ...ORDER,
    ask: ({ deps }, input) => resumeOrder(any(deps), any(input)),
  },
  'modules/orders/use/edit-order.ts#viewEdit': {
    ...ORDER,
    ask: ({ deps }, input) => viewEdit(deps, any({ ...input, version: 1, change: { hold: 'safe' } })),
  },
  'modules/orders/use/edit-order.ts#editOrder': {
    ...ORDER,
    ask: ({ deps }, input) => editOrder(deps, any({ ...input, version: 1, change: { hold: 'safe' } })),
  },
  'modules/orders/use/entry-price.ts#entryPrice': {
    own: ofWallet,
    foreign: { walletId: ['nothing'] },
    ask: ({ db }, input) => entryPrice({ db }, any({ ...input, mint: TOKEN })),
  },
  'modules/orders/use/place-orders.ts#viewDraft': {
    own: ({ walletId }) => ({ walletId, placeKey: newId() }),
    foreign: { walletId: ['WALLET_NOT_FOUND'] },
    ask: ({ deps, place }, input) => viewDraft(deps, { ...place.draft(SALE), ...input }),
  },
  'modules/orders/use/place-orders.ts#placeOrders': {
    own: ({ walletId, buttonId }) => ({ walletId, buttonId, placeKey: newId() }),
    foreign: {
      walletId: ['WALLET_NOT_FOUND'],
      placeKey: ['ORDER_NOT_FOUND', ({ placeKey }) => placeKey],
      buttonId: ['BUTTON_STALE'],
    },
    ask: ({ deps, place }, input) => placeOrders(deps, { ...place.draft(SALE), ...input }),
  },
  'modules/orders/use/standing-exits.ts#standingExits': {
    own: ofWallet,
    foreign: { walletId: ['nothing'] },
    ask: async ({ db }, input) => {
      const { stop, take } = await standingExits(db, any({ ...input, mint: TOKEN }));
      return stop ?? take;
    },
  },
  'modules/points/use/redeem.ts#redeem': {
    own: ({ buttonId }) => ({ buttonId, idemKey: newId() }),
    foreign: { buttonId: ['BUTTON_STALE'], idemKey: ['BUTTON_STALE', ({ redeemKey }) => redeemKey] },
    ask: ({ deps }, input) => redeem(deps, any({ ...input, itemId: 'none', points: 1n })),
  },
  'modules/positions/use/clean-up.ts#quoteCleanUp': {
    ...WALLET,
    ask: ({ deps }, input) => quoteCleanUp(any(deps), any({ ...input, tier: 'normal' })),
  },
  'modules/positions/use/clean-up.ts#confirmCleanUp': {
    own: fresh,
    foreign: CONFIRMED,
    ask: ({ creating }, input) =>
      confirmCleanUp(any(creating), any({ ...input, params: sampleParams('close-accounts') })),
  },
  'modules/positions/use/find-position.ts#findPosition': {
    ...WALLET,
    ask: ({ db }, input) => findPosition(db, any({ ...input, mint: TOKEN })),
  },
  'modules/positions/use/load-holding.ts#loadHolding': {
    own: ofWallet,
    foreign: { walletId: ['nothing'] },
    ask: ({ db }, input) => loadHolding(db, any({ ...input, mint: TOKEN })),
  },
  'modules/trading/use/confirm-trade.ts#confirmTrade': {
    own: fresh,
    foreign: CONFIRMED,
    ask: ({ confirming, trade }, input) => confirmTrade(confirming, any({ ...input, trade })),
  },
  'engine/transactions/use/cancel-intent.ts#cancelIntent': {
    own: ({ intentId }) => ({ intentId }),
    foreign: { intentId: ['INTENT_NOT_FOUND'] },
    ask: ({ deps }, input) => cancelIntent(any(deps), any(input)),
  },
  'modules/wallets/use/own-wallet.ts#ownWallet': {
    ...WALLET,
    ask: ({ db }, input) => ownWallet(db.wallets, any(input)),
  },
  'modules/guard/use/rename-wallet.ts#renameWallet': {
    ...WALLET,
    ask: ({ deps }, input) => renameWallet(any(deps), any({ ...input, name: 'Other' })),
  },
  'modules/guard/use/let-receive.ts#letReceive': {
    ...WALLET,
    ask: ({ deps }, input) => letReceive(deps, any({ ...input, act: 'payout-wallet', pin: TEST_PIN })),
  },
  'modules/wallets/use/restore-wallet.ts#restoreWallet': {
    ...WALLET,
    ask: ({ deps }, input) => restoreWallet(any(deps), any(input)),
  },
  'modules/guard/use/switch-wallet.ts#switchWallet': {
    ...WALLET,
    ask: ({ deps }, input) => switchWallet(deps, any(input)),
  },
  'modules/withdrawals/use/confirm-withdrawal.ts#confirmWithdrawal': {
    own: fresh,
    foreign: CONFIRMED,
    ask: ({ deps }, input) =>
      confirmWithdrawal(
        any(deps),
        any({
          ...input,
          pin: TEST_PIN,
          params: {
            kind: 'withdraw-sol',
            destination: addressFromBytes(new Uint8Array(32).fill(9)),
            lamports: 1_000_000n,
            everything: false,
            tier: 'normal',
          },
        }),
      ),
  },
  'modules/withdrawals/use/prepare-withdrawal.ts#prepareWithdrawal': {
    ...WALLET,
    ask: ({ deps }, input) =>
      prepareWithdrawal(
        any(deps),
        any({
          ...input,
          destination: newAddress(),
          tier: 'normal',
          asset: { kind: 'sol' },
          amount: { kind: 'max' },
        }),
      ),
  },
};

/** Ids that are no person's, with the reason; and use cases that are given rows which their caller has read as the person's own. */
const OPEN: Readonly<Record<string, string>> = {
  'modules/guard/use/guard-spending.ts#whyPin':
    "reads the asker's own guard; the wallet's address only prices a sale",
  'modules/mint/use/quote-revoke-authority.ts#liveAuthorities': 'a token that was read',
  'modules/orders/use/trail-high.ts#trailHigh': 'a group that was read',
  'modules/orders/use/place-orders.ts#viewDraft parentIntentId': 'no answer depends on it',
  'modules/orders/use/place-orders.ts#viewDraft placeKey': 'no answer depends on it',
  'modules/positions/use/reconcile-wallet.ts#reconcileWallet': 'a wallet that was read',
  'modules/positions/use/sale-profit.ts#saleResult': 'an intent that was read',
  'modules/personal-keys/use/end-order.ts#endOrder id': 'the key that signed, as its certified row has it',
  'modules/personal-keys/use/end-order.ts#endOrder walletId': 'of the key that signed',
  'modules/personal-keys/use/place-by-key.ts#placeByKey id':
    'the key that signed, as its certified row has it',
  'modules/personal-keys/use/place-by-key.ts#placeByKey walletId': 'of the key that signed',
  'modules/personal-keys/use/trade-by-key.ts#tradeByKey id':
    'the key that signed, as its certified row has it',
  'modules/personal-keys/use/trade-by-key.ts#tradeByKey walletId': 'of the key that signed',
  'modules/guard/use/guard-spending.ts#assertProgramMaySpend':
    "reads the asker's own guard; the wallet's address only prices a sale",
  'modules/points/use/claim-mission.ts#claimMission':
    "missions are everybody's; the Telegram id is the turn's",
  'modules/points/use/list-missions.ts#listMissions': "the Telegram id is the turn's",
  'modules/points/use/mine-points.ts#minePoints': "the Telegram id is the turn's",
  'modules/points/use/points-overview.ts#pointsOverview': "the Telegram id is the turn's",
  'modules/points/use/redeem.ts#redeem itemId': "the shop is everybody's",
};

type Told = { readonly code: string } | { readonly answer: unknown };

async function told(work: () => Promise<unknown>): Promise<Told> {
  try {
    return { answer: await work() };
  } catch (error) {
    if (isAppError(error)) return { code: error.code };
    return { code: String(error) };
  }
}

const rows = Object.entries(CASES).flatMap(([name, one]) =>
  Object.entries(one.foreign).map(([id, [refused, theirs]]) => ({ name, id, one, refused, theirs })),
);

describe("another person's id", () => {
  it.each(rows)('$name: $id is refused with $refused, and nothing has changed', async (row) => {
    const { one, id, refused, theirs = (things: Things) => one.own(things)[id] ?? '' } = row;
    const world = await strangersWorld();
    const { db, owner, stranger } = world;
    const input = { ...one.own(stranger), userId: stranger.userId, [id]: theirs(owner) };
    const mine = (line: string): boolean =>
      one.changesOwn === true && (line.includes(stranger.userId) || line.startsWith('outbox '));
    const before = rowsOf(db).filter((line) => !mine(line));
    const answer = await told(() => one.ask(world, input));
    expect(answer).toEqual(refused === 'nothing' ? { answer: null } : { code: refused });
    expect(rowsOf(db).filter((line) => !mine(line))).toEqual(before);
  });

  it.each(Object.entries(CASES))("%s does not refuse so what is the person's own", async (_, one) => {
    const world = await strangersWorld();
    const { owner } = world;
    const answer = await told(() => one.ask(world, { ...one.own(owner), userId: owner.userId }));
    const refusals = Object.values(one.foreign).map(([refused]) => refused as string);
    expect(refusals).not.toContain('code' in answer ? answer.code : '');
  });
});

describe('the registry of foreign ids', () => {
  it('has a row for each id that a use case takes beside a person', () => {
    const known = (name: string, id: string): boolean =>
      CASES[name]?.foreign[id] !== undefined ||
      Object.hasOwn(OPEN, name) ||
      Object.hasOwn(OPEN, `${name} ${id}`);
    const missing = [...useCaseIds()].flatMap(([name, ids]) =>
      ids.filter((id) => !known(name, id)).map((id) => `${name} ${id}`),
    );
    expect(missing).toEqual([]);
  });

  it('sees a new use case, through the types of its input', () => {
    const sources = new Map([
      ['src/compose/services.ts', "import { open } from '../modules/x/use/open.ts';"],
      [
        'src/modules/x/use/open.ts',
        `type Of = { readonly userId: string } & Pick<Row, 'boxId' | 'name'>;
         type Row = { readonly boxId: string; readonly name: string; readonly id: string };
         export async function open(deps: { readonly id: string }, input: Of): Promise<void> {}`,
      ],
    ]);
    expect([...useCaseIds(sources)]).toEqual([['modules/x/use/open.ts#open', ['boxId']]]);
  });
});
