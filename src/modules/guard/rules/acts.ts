import type { Rate } from '../../../core/errors/details.ts';
import type { Switch } from '../../../engine/switches/rules.ts';
import { EXPORT_SWITCHES } from './key-export.ts';

export type { Rate } from '../../../core/errors/details.ts';

/** The acts of a person that move, divert, expose or hide money, and the acts of others on their account. */
export const ACT_NAMES = [
  'withdraw',
  'withdrawal-stop',
  'export-ask',
  'export-take',
  'export-stop',
  'buy',
  'buy-doubted',
  'sell',
  'sell-fallen',
  'sell-steep',
  'close-accounts',
  'token-create',
  'launch',
  'order-place',
  'order-edit',
  'order-resume',
  'order-fire',
  'order-stop',
  'authority-revoke',
  'wallet-make',
  'wallet-import',
  'wallet-confirm',
  'wallet-restore',
  'wallet-switch',
  'wallet-switch-imported',
  'wallet-rename',
  'wallet-delete',
  'wallet-delete-holding',
  'payout-wallet',
  'address-add',
  'address-remove',
  'pin-set',
  'pin-undo',
  'pin-change',
  'factor-add',
  'factor-codes',
  'factor-end',
  'factor-end-by-operator',
  'cap-lower',
  'cap-raise',
  'unlock',
  'lock',
  'panic',
  'freeze-end',
  'freeze-end-unripe',
  'freeze-end-by-operator',
  'notice-mail-ask',
  'notice-mail',
  'settings',
  'slippage-high',
  'language',
  'auto-buy-on',
  'copy-on',
  'copy-stop',
  'personal-key-add',
  'personal-key-end',
  'referral-code',
  'points',
  'game',
  'display',
  'api-key-ask',
  'api-key-claim',
  'api-key-rotate',
  'api-key-revoke',
  'payout',
  'service',
  'operator',
  'operator-on-person',
] as const;

export type Act = (typeof ACT_NAMES)[number];

/** The declaration of a button, a form, a route, a job or a command: the acts that it asks for or carries out, or that it only reads. */
export type Declared = Act | readonly [Act, ...Act[]] | 'reads';

/**
 * `none`: without a PIN. `where-set`: the PIN of those who have one. `always`: a PIN of any age. `ripe`: a PIN that is old
 * enough, so it has to be set first. `judged`: the judge of trades says whether one is needed.
 */
export type PinNeed = 'none' | 'where-set' | 'always' | 'ripe' | 'judged';

/** Acts that count together within a span; the numbers are in `GuardRules.rates`. */
export const RATES = [
  'withdraw',
  'export',
  'order',
  'import',
  'switch',
  'payout-wallet',
  'rename',
  'pin-change',
  'settings',
  'referral-code',
  'api-keys',
  'key-ask',
  'notice-mail',
  'mail-code',
] as const satisfies readonly Rate[];
/** The wait before an act has its effect; the spans are in `GuardRules`. */
export type Wait =
  | 'none'
  | 'address'
  | 'export'
  | 'wallet'
  | 'factor'
  | 'cap'
  | 'freeze'
  | 'freeze-unripe'
  | 'mail'
  | 'ripens';

export type ActRule = {
  /** `person`: in the chat. `account`: by the mail of an account of the API. `service`: by itself. */
  readonly by: 'person' | 'account' | 'operator' | 'service';
  readonly pin: PinNeed;
  /** The caps that its money counts for. `fees`: its network fees alone. */
  readonly caps: 'none' | 'spending' | 'doubted' | 'fees' | 'withdrawals' | 'whole-wallet';
  readonly rate: Rate | null;
  readonly wait: Wait;
  /** Any of them that is paused stops it. */
  readonly switches: readonly Switch[];
  /** `told`: the person gets a notice. `stop`: a notice with a button that stops it, which is under Security, too. */
  readonly notice: 'none' | 'receipt' | 'told' | 'stop' | 'mail';
  readonly frozen: 'refused' | 'allowed';
};

const PERSON = {
  by: 'person',
  pin: 'none',
  caps: 'none',
  rate: null,
  wait: 'none',
  switches: [],
  notice: 'none',
  frozen: 'refused',
} as const satisfies ActRule;
const TRADE = {
  ...PERSON,
  pin: 'judged',
  caps: 'spending',
  switches: ['trading'],
  notice: 'receipt',
} as const satisfies ActRule;
const ORDER = {
  ...PERSON,
  pin: 'judged',
  rate: 'order',
  switches: ['orders'],
  notice: 'told',
} as const satisfies ActRule;
const STOP = { ...PERSON, notice: 'told', frozen: 'allowed' } as const satisfies ActRule;
/** Makes a wallet one that receives. */
const RECEIVES = {
  ...PERSON,
  pin: 'ripe',
  rate: 'payout-wallet',
  wait: 'wallet',
  switches: ['payouts'],
  notice: 'stop',
} as const satisfies ActRule;
const FACTOR = { ...PERSON, pin: 'ripe', notice: 'stop' } as const satisfies ActRule;
const ACCOUNT = {
  ...PERSON,
  by: 'account',
  rate: 'api-keys',
  switches: ['api'],
  notice: 'mail',
  frozen: 'allowed',
} as const satisfies ActRule;
const OTHERS = { ...PERSON, frozen: 'allowed' } as const satisfies ActRule;

/** One row for each act: its doer, its proof, its rate, its wait and its notice. */
export const ACTS = {
  withdraw: {
    ...PERSON,
    pin: 'always',
    caps: 'withdrawals',
    rate: 'withdraw',
    wait: 'address',
    switches: ['withdrawals'],
    notice: 'stop',
  },
  'withdrawal-stop': STOP,
  'export-ask': {
    ...PERSON,
    pin: 'ripe',
    caps: 'whole-wallet',
    rate: 'export',
    wait: 'export',
    switches: EXPORT_SWITCHES,
    notice: 'stop',
  },
  'export-take': { ...PERSON, pin: 'ripe', caps: 'whole-wallet', switches: EXPORT_SWITCHES, notice: 'told' },
  'export-stop': STOP,
  buy: TRADE,
  'buy-doubted': { ...TRADE, pin: 'ripe', caps: 'doubted' },
  sell: { ...TRADE, pin: 'none', caps: 'fees' },
  'sell-fallen': { ...TRADE, pin: 'where-set', caps: 'fees' },
  'sell-steep': { ...TRADE, pin: 'ripe', caps: 'fees' },
  'close-accounts': { ...TRADE, pin: 'none', caps: 'fees' },
  'token-create': { ...TRADE, switches: ['trading', 'creation'] },
  launch: { ...TRADE, switches: ['trading', 'launches'] },
  'order-place': ORDER,
  'order-edit': ORDER,
  'order-resume': ORDER,
  'order-fire': { ...TRADE, by: 'service', switches: ['orders', 'trading'] },
  'order-stop': STOP,
  'authority-revoke': {
    ...PERSON,
    pin: 'where-set',
    caps: 'fees',
    switches: ['trading', 'creation'],
    notice: 'receipt',
  },
  'wallet-make': { ...PERSON, notice: 'told', frozen: 'allowed' },
  'wallet-import': { ...PERSON, pin: 'where-set', rate: 'import', notice: 'stop' },
  'wallet-confirm': RECEIVES,
  'wallet-restore': { ...PERSON, notice: 'told', frozen: 'allowed' },
  'wallet-switch': { ...PERSON, rate: 'switch', frozen: 'allowed' },
  'wallet-switch-imported': { ...PERSON, pin: 'where-set', rate: 'switch' },
  'wallet-rename': { ...PERSON, rate: 'rename', notice: 'told' },
  'wallet-delete': { ...PERSON, notice: 'told' },
  'wallet-delete-holding': { ...PERSON, pin: 'where-set', notice: 'told' },
  'payout-wallet': RECEIVES,
  'address-add': { ...PERSON, pin: 'where-set', wait: 'address', notice: 'told' },
  'address-remove': { ...STOP },
  'pin-set': { ...PERSON, wait: 'ripens', notice: 'stop' },
  'pin-undo': STOP,
  'pin-change': { ...PERSON, pin: 'always', rate: 'pin-change', wait: 'ripens', notice: 'stop' },
  'factor-add': FACTOR,
  'factor-codes': FACTOR,
  'factor-end': { ...FACTOR, wait: 'factor' },
  'factor-end-by-operator': { ...FACTOR, by: 'operator', pin: 'none', wait: 'factor', frozen: 'allowed' },
  'cap-lower': STOP,
  'cap-raise': { ...PERSON, pin: 'ripe', wait: 'cap', notice: 'stop' },
  unlock: { ...PERSON, pin: 'ripe', switches: ['trading'], notice: 'told' },
  lock: STOP,
  panic: STOP,
  'freeze-end': { ...PERSON, pin: 'where-set', wait: 'freeze', notice: 'stop', frozen: 'allowed' },
  'freeze-end-unripe': { ...PERSON, wait: 'freeze-unripe', notice: 'stop', frozen: 'allowed' },
  /** At once: the operator has spoken to the person, who can freeze again. */
  'freeze-end-by-operator': { ...OTHERS, by: 'operator', notice: 'stop' },
  /** Sends a code to the new address: nothing waits before that code was typed. */
  'notice-mail-ask': { ...PERSON, pin: 'ripe', rate: 'notice-mail' },
  'notice-mail': { ...PERSON, pin: 'ripe', wait: 'mail', notice: 'stop' },
  settings: { ...PERSON, rate: 'settings', frozen: 'allowed' },
  'slippage-high': { ...PERSON, pin: 'where-set', notice: 'told' },
  language: { ...PERSON, rate: 'settings', frozen: 'allowed' },
  'auto-buy-on': { ...PERSON, pin: 'where-set', notice: 'told' },
  'copy-on': { ...PERSON, pin: 'ripe', switches: ['trading'], notice: 'told' },
  'copy-stop': STOP,
  'personal-key-add': { ...PERSON, pin: 'ripe', switches: ['trading'], notice: 'told' },
  'personal-key-end': STOP,
  'referral-code': { ...PERSON, rate: 'referral-code' },
  points: PERSON,
  game: { ...PERSON, switches: ['games'] },
  /** Things that only the person sees: alerts, hidden positions, pretend money, drafts. */
  display: { ...PERSON, frozen: 'allowed' },
  /** Anybody can ask for any address: its rate is apart from the one of the mail's reader, and counts only requests that sent a mail. */
  'api-key-ask': { ...ACCOUNT, rate: 'key-ask' },
  'api-key-claim': ACCOUNT,
  'api-key-rotate': ACCOUNT,
  /** Neither counted nor paused: keys that leaked are many, and each of them has to end now. */
  'api-key-revoke': { ...ACCOUNT, rate: null, switches: [] },
  payout: { ...OTHERS, by: 'service', switches: ['payouts'], notice: 'told' },
  /** Work that keeps the service going and changes nothing of a person's. */
  service: { ...OTHERS, by: 'service' },
  operator: { ...OTHERS, by: 'operator' },
  'operator-on-person': { ...OTHERS, by: 'operator', notice: 'told' },
} as const satisfies Record<Act, ActRule>;

/** A button that buys or sells: the judge of trades says which of them it is. */
export const BUYS = ['buy', 'buy-doubted'] as const;
export const SALES = ['sell', 'sell-fallen', 'sell-steep'] as const;
export const TRADES = [...BUYS, ...SALES] as const;

/** Acts that change the guard itself: the gate notifies the person. Other acts have their own notices. */
export const GUARD_ACTS = [
  'pin-set',
  'pin-change',
  'factor-add',
  'factor-codes',
  'factor-end',
  'factor-end-by-operator',
  'cap-raise',
  'freeze-end',
  'freeze-end-unripe',
  'freeze-end-by-operator',
  'notice-mail',
] as const satisfies readonly Act[];
export type GuardAct = (typeof GUARD_ACTS)[number];

export function isGuardAct(act: string): act is GuardAct {
  return GUARD_ACTS.some((known) => known === act);
}

/** The row of an act. */
export function ruleOf(act: Act): ActRule {
  return ACTS[act];
}
