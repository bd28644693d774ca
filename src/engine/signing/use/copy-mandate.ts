import { AppError } from '../../../core/errors/app-error.ts';
import { windowStart } from '../../../core/time/age.ts';
import { isStill } from '../../../core/time/due.ts';
import { COPY_LIMITS, type Copy } from '../../../modules/copying/rules/copy.ts';
import { MOST_SALE_SLIPPAGE_BPS } from '../../../modules/copying/rules/copy-sale.ts';
import { type CopyTrade, copyOfKey, legOf } from '../../../modules/copying/rules/copy-trade.ts';
import { tradeOf } from '../../intents/kinds/rules.ts';
import type { ConfirmedIntent } from '../../intents/rules/confirmation.ts';
import type { Intent } from '../../intents/rules/intent.ts';
import type { CopiedUse } from './copied-uses.ts';
import { denySignature } from './deny-signature.ts';
import type { SignerDeps } from './deps.ts';
import type { Signing } from './signing-journal.ts';

export type MandateDeps = Pick<SignerDeps, 'db' | 'clock' | 'certifier'> & {
  readonly signing: Pick<SignerDeps['signing'], 'assertCopied'>;
};

/** Throws ROW_FORGED unless the row's certificate is this signer's over all that was agreed. */
export function assertCopyCertified({ certifier }: Pick<SignerDeps, 'certifier'>, copy: Copy): void {
  if (copy.certificate === null || copy.certificate !== certifier.copy(copy))
    throw new AppError('ROW_FORGED', { table: 'copies', row: copy.id });
}

/**
 * The rule `copy-mandate`: an intent that names a copy lies within its mandate; one that names none passes. A purchase is of the same
 * person and wallet, and within the mandate's time. No lock has come since the PIN was typed. It is no larger than the cap of one purchase.
 * With all others it stays below the caps of a day and in all. So does the sum of the rows, and that of the signer's journal.
 * A sale gives no more than twice the units that the purchases were quoted, less earlier sales. Its least is 75 % of its quote. Throws
 * ROW_FORGED, POLICY_DENIED.
 */
export async function assertCopyMandate(
  deps: MandateDeps,
  request: Pick<ConfirmedIntent, 'id' | 'idemKey' | 'userId' | 'walletId' | 'params'>,
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
  else await assertPurchase(deps, copy, { lamports: trade.amountIn, id: request.id, ...named });
  return copy;
}

type Key = Pick<CopyTrade, 'copyId' | 'signature' | 'leg'>;
const isSame = (one: Key, other: Key): boolean =>
  one.copyId === other.copyId && one.signature === other.signature && one.leg === other.leg;

async function assertPurchase(
  { db, clock, signing }: MandateDeps,
  copy: Copy,
  asked: Key & { readonly lamports: bigint; readonly id: string },
): Promise<void> {
  const { rules, until, lockEpoch } = copy;
  const { lamports, id } = asked;
  const guard = await db.guards.find(copy.userId);
  if (!isStill(until, clock) || guard.lockEpoch !== lockEpoch) denySignature('copy-mandate');
  if (lamports > rules.tradeLamports) denySignature('copy-mandate');
  const dayAgo = windowStart(COPY_LIMITS.dayMs, clock);
  const rows = (await db.copies.trades(copy.id, null)).filter(
    (row) => (row.status === 'BUYING' || row.status === 'BOUGHT') && !isSame(row, asked),
  );
  const sum = (all: readonly bigint[]): bigint => all.reduce((total, one) => total + one, 0n);
  const inAll = sum(rows.map(({ amount }) => amount));
  const today = sum(rows.flatMap(({ seenAt, amount }) => (seenAt > dayAgo ? [amount] : [])));
  if (today + lamports > rules.dayLamports || inAll + lamports > rules.totalLamports)
    denySignature('copy-mandate');
  await signing.assertCopied(id, useOf(copy, lamports));
}

function useOf({ id: copyId, until, rules }: Copy, lamports: bigint): CopiedUse {
  const { dayLamports, totalLamports } = rules;
  return { copyId, until, lamports, dayLamports, totalLamports };
}

/** A price that fell by half between quote and landing brings twice the units. */
const MOST_ARRIVED = 2n;
const WHOLE = 10_000n;
/** Units of a purchase under review arrived where a receipt showed them: its leader's sale waits for no person. */
const MAY_HAVE_LANDED: ReadonlySet<Intent['status']> = new Set(['SUCCEEDED', 'ACTIVE', 'NEEDS_REVIEW']);

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
  return MAY_HAVE_LANDED.has(intent.status) ? trade.terms.quotedOut * MOST_ARRIVED : 0n;
}

/** The same before a signature. Returns the part of a purchase in its mandate, which the journal counts; nothing for any other intent. */
export async function copiedOf(
  deps: MandateDeps,
  intent: Pick<Intent, 'id' | 'idemKey' | 'userId' | 'walletId' | 'params'>,
): Promise<Pick<Signing, 'copied'>> {
  const { userId, params } = intent;
  if (userId === null) return {};
  const copy = await assertCopyMandate(deps, { ...intent, userId });
  const trade = tradeOf(params);
  if (copy === null || trade?.side !== 'buy') return {};
  return { copied: useOf(copy, trade.amountIn) };
}
