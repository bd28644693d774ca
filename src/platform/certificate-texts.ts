import { canonicalText } from '../core/canonical-text.ts';
import { guardFacts } from '../modules/guard/rules/certified-guard.ts';
import type {
  AddressFacts,
  CopyFacts,
  GuardFacts,
  KeyFacts,
  OrderFacts,
  PeriodFacts,
  PersonFacts,
  ReceivingFacts,
  WalletFacts,
} from './ports/certificates.ts';

/** The text that a person's certificate covers. Another table's text never equals it. */
export const personText = ({ id, telegramId, inviterId }: PersonFacts): string =>
  `tradepost/person/1${canonicalText([id, telegramId, inviterId])}`;

/** The text that a wallet's certificate covers. */
export const walletText = ({ id, userId, address, origin }: WalletFacts): string =>
  `tradepost/wallet/1${canonicalText([id, userId, address, origin])}`;

/** The text behind the moment from which a wallet receives. */
export const receivingText = ({ walletId, userId, act, at }: ReceivingFacts): string =>
  `tradepost/receiving/1${canonicalText([walletId, userId, act, at])}`;

/** What an order's certificate is over: its facts by their names, and nothing else that the caller's value has. */
export const orderText = (order: OrderFacts): string => {
  const { id, userId, walletId, mint, side, type, amount, unit, trigger, holdMs, partial, terms, expiresAt } =
    order;
  const facts = {
    id,
    userId,
    walletId,
    mint,
    side,
    type,
    amount,
    unit,
    trigger,
    holdMs,
    partial,
    terms,
    expiresAt,
  };
  return `tradepost/order/1${canonicalText(facts)}`;
};

/** The text that a copy's mandate covers: person, wallet, leader, rules, lock epoch and end. */
export const copyText = ({ id, userId, walletId, leader, rules, lockEpoch, until }: CopyFacts): string =>
  `tradepost/copy/1${canonicalText({ id, userId, walletId, leader, rules, lockEpoch, until })}`;

/** The text that a personal key's certificate covers: person, wallet, public key, host, terms, lock epoch and end. */
export const personalKeyText = (key: KeyFacts): string => {
  const { id, userId, walletId, publicKey, host, terms, lockEpoch, until } = key;
  return `tradepost/personal-key/1${canonicalText({ id, userId, walletId, publicKey, host, terms, lockEpoch, until })}`;
};

/** What a guard's certificate is over, its version among it. */
export const guardText = (guard: GuardFacts): string =>
  `tradepost/guard/1${canonicalText(guardFacts(guard))}`;

/** What the certificate of an address of the book is over; its name is the person's to change. */
export const addressText = ({ id, userId, walletId, address, addedAt }: AddressFacts): string =>
  `tradepost/address/1${canonicalText({ id, userId, walletId, address, addedAt })}`;

/** The text behind a period's budget and dates. */
export const periodText = ({
  budgetLamports,
  opensAt,
  closesAt,
  at,
  uncountedLamports,
  isCancelled,
}: PeriodFacts): string =>
  `tradepost/period/1${canonicalText({ budgetLamports, opensAt, closesAt, at, uncountedLamports, isCancelled })}`;
