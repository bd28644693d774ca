import type { Act } from '../../../src/modules/guard/rules/acts.ts';
import type { Thief } from './acts.ts';

/** What the thief does of an act, or why there is nothing to play. */
type Play = readonly [keyof Thief, ...(keyof Thief)[]] | string;

/** Its purchases are within the caps of orders, which the thief uses up in other ways, and it takes the PIN itself. */
export const COPIES = 'buys within the caps of orders';
/** What needs no PIN in the chat needs none here, within the same sums; to add a key takes the PIN itself. */
export const KEYED = 'trades as a tap without a PIN does, within the same sums';
export const NO_PERSON = 'not done by who holds the account';
const AS_PURCHASE = 'the same gate and the same sums as a purchase';
const MOVES_NOTHING = 'moves, diverts and exposes nothing';

/** Every act, so that a new one cannot be left out of the play: it needs a way here, or a reason. */
export const PLAYS = {
  withdraw: ['withdraw', 'withdrawSome'],
  'withdrawal-stop': ['cancelWaiting'],
  'export-ask': ['askExport'],
  'export-take': ['take'],
  'export-stop': ['stopExport'],
  buy: ['buy', 'buySome', 'buyAndCancel'],
  'buy-doubted': ['buyDoubted'],
  sell: ['sell', 'sellDust'],
  'sell-fallen': 'no price of the last hour is known here: what it leaves stays in the wallet',
  'sell-steep': ['sell'],
  'close-accounts': 'its fees count as those of a sale, which is played',
  'token-create': AS_PURCHASE,
  launch: AS_PURCHASE,
  'order-place': ['order'],
  'order-edit': 'an order in place of another: as a placing',
  'order-resume': 'as a placing, and what it needs the PIN for needs it typed',
  'order-fire': ['fire'],
  'order-stop': 'ends something',
  'authority-revoke': AS_PURCHASE,
  'wallet-make': ['makeWallet'],
  'wallet-import': ['import'],
  'wallet-confirm': ['letReceive'],
  'wallet-restore': ['restoreWallet'],
  'wallet-switch': ['switch'],
  'wallet-switch-imported': ['switchToImported'],
  'wallet-rename': ['rename'],
  'wallet-delete': ['deleteWallet'],
  'wallet-delete-holding': ['deleteWallet'],
  'payout-wallet': ['letReceive'],
  'address-add': ['addAddress'],
  'address-remove': ['removeAddress'],
  'pin-set': ['newPin'],
  'pin-undo': ['stopChanges'],
  'pin-change': ['newPin'],
  'factor-add': ['addFactor'],
  'factor-codes': ['newCodes'],
  'factor-end': ['endFactor'],
  'factor-end-by-operator': NO_PERSON,
  'cap-lower': ['lower'],
  'cap-raise': ['raise', 'raiseSpending'],
  unlock: ['unlock'],
  lock: ['lock'],
  panic: ['panic'],
  'freeze-end': ['unfreeze'],
  'freeze-end-unripe': ['unfreeze'],
  'freeze-end-by-operator': NO_PERSON,
  'notice-mail-ask': ['noticeMail'],
  'notice-mail': ['noticeMail', 'noNoticeMail'],
  settings: ['settings'],
  'slippage-high': ['highSlippage'],
  language: ['language'],
  'auto-buy-on': ['autoBuy'],
  'copy-on': COPIES,
  'copy-stop': MOVES_NOTHING,
  'personal-key-add': KEYED,
  'personal-key-end': MOVES_NOTHING,
  'referral-code': ['ownCode'],
  points: MOVES_NOTHING,
  game: MOVES_NOTHING,
  display: MOVES_NOTHING,
  'api-key-ask': NO_PERSON,
  'api-key-claim': NO_PERSON,
  'api-key-rotate': NO_PERSON,
  'api-key-revoke': NO_PERSON,
  payout: NO_PERSON,
  service: NO_PERSON,
  operator: NO_PERSON,
  'operator-on-person': NO_PERSON,
} as const satisfies Record<Act, Play>;
