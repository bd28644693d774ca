import { type Address, addressBytes, isOnCurve } from '@tradepost/solana';
import { isStill, type Reading } from '../../../core/time/due.ts';
import type { Guard } from '../../guard/rules/guard.ts';

/** What a key's requests may do: look, buy and sell, end orders, place orders. No right withdraws or takes a key out. */
export const RIGHTS = ['read', 'trade', 'orders', 'place'] as const;
export type Right = (typeof RIGHTS)[number];

/** The agreed bounds of a key. Sums are lamports, network fees not counted. */
export type KeyTerms = {
  readonly rights: readonly Right[];
  /** The most of one purchase, and of all that were confirmed within 24 hours. Purchases of orders count when they are placed. */
  readonly orderLamports: bigint;
  readonly dayLamports: bigint;
  /** The tokens that it may trade; null = any. */
  readonly tokens: readonly Address[] | null;
  /** The addresses that its requests may come from; null = any. */
  readonly ips: readonly string[] | null;
};

/** A key of a person's own program: its private half signs requests there, and was never here. */
export type PersonalKey = {
  readonly id: string;
  readonly userId: string;
  readonly walletId: string;
  readonly publicKey: Address;
  /** The host that requests are signed for, with its port where that is not the scheme's own. */
  readonly host: string;
  readonly terms: KeyTerms;
  /** Of the guard when the PIN was typed: a lock raises that, and then the key does nothing more. */
  readonly lockEpoch: number;
  /** Epoch milliseconds: its end. */
  readonly until: number;
  /** The signer's word for all of this; null where it has none. */
  readonly certificate: string | null;
  readonly createdAt: number;
  /** When its person ended it; null while it may still be used. */
  readonly endedAt: number | null;
};

/** The facts of a key that the signer certifies. */
export type KeyFacts = Pick<
  PersonalKey,
  'id' | 'userId' | 'walletId' | 'publicKey' | 'host' | 'terms' | 'lockEpoch' | 'until'
>;

/** The facts of a key, and nothing of its state. */
export function keyFacts(key: KeyFacts): KeyFacts {
  const { id, userId, walletId, publicKey, host, terms, lockEpoch, until } = key;
  return { id, userId, walletId, publicKey, host, terms, lockEpoch, until };
}

export const KEY_LIMITS = {
  perPerson: 5,
  longestMs: 90 * 86_400_000,
  dayMs: 86_400_000,
  /** The least of a cap: a smaller one buys nothing. */
  leastLamports: 10_000_000n,
  tokens: 10,
  ips: 5,
} as const;

/** The days that a form offers. */
export const KEY_DAYS = [7, 30, 90] as const;

/** The fault of terms; null where a key can have them. */
export type KeyMisfit = 'rights' | 'order-cap' | 'day-cap' | 'tokens' | 'ips';

/** The first misfit. `mostDayLamports`: the spending cap of its person's chat. */
export function keyMisfit(
  { rights, orderLamports, dayLamports, tokens, ips }: KeyTerms,
  mostDayLamports: bigint,
): KeyMisfit | null {
  if (rights.length === 0 || new Set(rights).size !== rights.length) return 'rights';
  if (orderLamports < KEY_LIMITS.leastLamports || orderLamports > dayLamports) return 'order-cap';
  if (dayLamports > mostDayLamports) return 'day-cap';
  if (tokens !== null && !isList(tokens, KEY_LIMITS.tokens)) return 'tokens';
  const isKnown = ips === null || (isList(ips, KEY_LIMITS.ips) && ips.every((ip) => ipOf(ip) === ip));
  return isKnown ? null : 'ips';
}

function isList(items: readonly string[], most: number): boolean {
  return items.length > 0 && items.length <= most && new Set(items).size === items.length;
}

/** Whether the key may be used now: not ended, its time not over, and no lock since the PIN was typed. */
export function isOpenKey(
  { endedAt, until, lockEpoch }: Pick<PersonalKey, 'endedAt' | 'until' | 'lockEpoch'>,
  guard: Pick<Guard, 'lockEpoch'>,
  at: Reading,
): boolean {
  return endedAt === null && isStill(until, at) && guard.lockEpoch === lockEpoch;
}

/** Points of order 1, 2, 4 and 8: a signature by one of them says nothing, for anybody can make it. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
]);

/** Whether signatures of this key prove who signed: a point of the curve, and none of small order. */
export function canSign(publicKey: Address): boolean {
  return isOnCurve(publicKey) && !SMALL_ORDER.has(Buffer.from(addressBytes(publicKey)).toString('hex'));
}

const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;

/** The one writing of an IP address; null for any other text. An IPv4 address in the dress of IPv6 is the IPv4 address. */
export function ipOf(text: string): string | null {
  const given = text.trim().toLowerCase();
  const plain = MAPPED.exec(given)?.[1] ?? given;
  if (V4.test(plain)) return plain.split('.').map(Number).join('.');
  if (!/^[0-9a-f:]{2,39}$/.test(plain) || !plain.includes(':')) return null;
  return URL.canParse(`http://[${plain}]/`) ? new URL(`http://[${plain}]/`).hostname.slice(1, -1) : null;
}
