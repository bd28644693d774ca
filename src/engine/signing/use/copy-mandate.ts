import { AppError } from '../../../core/errors/app-error.ts';
import { windowStart } from '../../../core/time/age.ts';
import { isStill } from '../../../core/time/due.ts';
import { COPY_LIMITS, type Copy } from '../../../modules/copying/rules/copy.ts';
import { MOST_SALE_SLIPPAGE_BPS } from '../../../modules/copying/rules/copy-sale.ts';
import { type CopyTrade, copyOfKey, legOf } from '../../../modules/copying/rules/copy-trade.ts';
import { tradeOf } from '../../intents/kinds/rules.ts';
import type { ConfirmedIntent } from '../../intents/rules/confirmation.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';

/**
 * The purchases of copies that this process signed, by their keys: a deleted row gives no sum back. A new mandate, which has
 * another end, begins anew.
 */
export type CopyMemory = Map<
  string,
  { readonly copyId: string; readonly until: number; readonly lamports: bigint; readonly at: number }
>;

export type MandateDeps = Pick<SignerDeps, 'db' | 'clock' | 'certifier'> & { readonly copied: CopyMemory };

/** Throws ROW_FORGED unless the row's certificate is this signer's over all that was agreed. */
export function assertCopyCertified({ certifier }: Pick<SignerDeps, 'certifier'>, copy: Copy): void {
  if (copy.certificate === null || copy.certificate !== certifier.copy(copy))
    throw new AppError('ROW_FORGED', { table: 'copies', row: copy.id });
}

/**
 * The rule `copy-mandate`: an intent that names a copy lies within its mandate; one that names none passes. A purchase is of the same
 * person and wallet, and within the mandate's time. No lock has come since the PIN was typed. It is no larger than the cap of one purchase.
 * With all others it stays below the caps of a day and in all. The sum is that of the rows or of this process's signatures, the larger one.
 * A sale gives no more than twice the units that the purchases were quoted, less earlier sales. Its least is 75 % of its quote. Throws
 * ROW_FORGED, POLICY_DENIED.
 */
export async function assertCopyMandate(
  deps: MandateDeps,
  request: Pick<ConfirmedIntent, 'idemKey' | 'userId' | 'walletId' | 'params'>,
): Promise<Copy | null> {
  const named = copyOfKey(request.idemKey);
  if (named === null) return null;
  const trade = tradeOf(request.params);
  if (trade === null || legOf(trade) !== named.leg) denySignature('copy-mandate');
  const copy = await deps.db.copies.find(named.copyId);
  if (copy === null) denySignature('copy-mandate');
  assertCopyCertified(deps, copy);
  if (copy.userId !== request.userId || copy.walletId !== request.walletId) denySignature('copy-mandate');
  if (trade.side === 'sell') await assertSale(deps, copy, { ...trade, ...named });
  else await assertPurchase(deps, copy, { lamports: trade.amountIn, idemKey: request.idemKey, ...named });
  return copy;
}

type Key = Pick<CopyTrade, 'copyId' | 'signature' | 'leg'>;
const isSame = (one: Key, other: Key): boolean =>
  one.copyId === other.copyId && one.signature === other.signature && one.leg === other.leg;

async function assertPurchase(
  { db, clock, copied }: MandateDeps,
  copy: Copy,
  asked: Key & { readonly lamports: bigint; readonly idemKey: string },
): Promise<void> {
  const { rules, until, lockEpoch } = copy;
  const { lamports, idemKey } = asked;
  const guard = await db.guards.find(copy.userId);
  if (!isStill(until, clock) || guard.lockEpoch !== lockEpoch) denySignature('copy-mandate');
  if (lamports > rules.tradeLamports) denySignature('copy-mandate');
  const dayAgo = windowStart(COPY_LIMITS.dayMs, clock);
  const rows = (await db.copies.trades(copy.id, null)).filter(
    (row) => (row.status === 'BUYING' || row.status === 'BOUGHT') && !isSame(row, asked),
  );
  const own = [...copied].flatMap(([key, one]) =>
    one.copyId === copy.id && one.until === until && key !== idemKey ? [one] : [],
  );
  const sum = (all: readonly bigint[]): bigint => all.reduce((total, one) => total + one, 0n);
  const most = (one: bigint, other: bigint): bigint => (one > other ? one : other);
  const inAll = most(sum(rows.map(({ amount }) => amount)), sum(own.map((one) => one.lamports)));
  const today = most(
    sum(rows.flatMap(({ seenAt, amount }) => (seenAt > dayAgo ? [amount] : []))),
    sum(own.flatMap(({ at, lamports: one }) => (at > dayAgo ? [one] : []))),
  );
  if (today + lamports > rules.dayLamports || inAll + lamports > rules.totalLamports)
    denySignature('copy-mandate');
}

/** A price that fell by half between quote and landing brings twice the units. */
const MOST_ARRIVED = 2n;
const WHOLE = 10_000n;

async function assertSale(
  { db }: MandateDeps,
  copy: Copy,
  asked: Key & NonNullable<ReturnType<typeof tradeOf>>,
): Promise<void> {
  const { quotedOut, minOut } = asked.terms;
  if (minOut * WHOLE < quotedOut * (WHOLE - BigInt(MOST_SALE_SLIPPAGE_BPS))) denySignature('copy-mandate');
  let left = 0n;
  for (const row of await db.copies.trades(copy.id, asked.mint)) {
    if (isSame(row, asked)) continue;
    if (row.side === 'sell')
      left -= row.status === 'SOLD' ? row.moved : row.status === 'SELLING' ? row.amount : 0n;
    else left += await quotedBy(db, row);
  }
  if (asked.amountIn <= 0n || asked.amountIn > left) denySignature('copy-mandate');
}

/** By the terms that were sealed with the purchase; the row's own numbers are others' to write. */
async function quotedBy(db: MandateDeps['db'], { intentId }: CopyTrade): Promise<bigint> {
  const intent = intentId === null ? null : await db.intents.find(intentId);
  const trade = intent === null ? null : tradeOf(intent.params);
  if (intent === null || trade?.side !== 'buy' || copyOfKey(intent.idemKey) === null) return 0n;
  return intent.status === 'SUCCEEDED' || intent.status === 'ACTIVE'
    ? trade.terms.quotedOut * MOST_ARRIVED
    : 0n;
}

/** The same before a signature, which is remembered. */
export async function assertMaySignCopied(
  deps: MandateDeps,
  intent: Pick<Intent, 'idemKey' | 'userId' | 'walletId' | 'params'>,
): Promise<void> {
  const { idemKey, userId, params } = intent;
  if (userId === null) return;
  const copy = await assertCopyMandate(deps, { ...intent, userId });
  const trade = tradeOf(params);
  if (copy === null || trade?.side !== 'buy') return;
  const { id: copyId, until } = copy;
  deps.copied.set(idemKey, { copyId, until, lamports: trade.amountIn, at: deps.clock.now() });
}
