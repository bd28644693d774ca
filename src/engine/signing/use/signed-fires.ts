import { AppError } from '../../../core/errors/app-error.ts';
import type { Order } from '../../../modules/orders/rules/order.ts';
import { judgeSignedFires } from '../../../modules/orders/rules/sealed-fire.ts';
import type { JournalBook } from '../rules/book.ts';
import type { WritableEntry } from '../rules/line.ts';
import type { FireNote } from '../rules/order-notes.ts';
import type { LookAtChain } from './look-at-chain.ts';

/** A fire of an order as it is about to be signed or confirmed. */
export type SigningFire = {
  readonly order: Pick<Order, 'id' | 'amount' | 'expiresAt'>;
  readonly n: number;
  readonly units: bigint;
};

type Deps = {
  readonly book: JournalBook;
  readonly look: LookAtChain;
  readonly write: (entry: WritableEntry) => Promise<void>;
};

/**
 * Why the fire does not fit beside the other fires of its order that this signer signed; null where it does. One that stands in the way
 * is looked for on the chain: without effect, it is void for good. `waiting`: that is not decided yet. Rows have no say.
 */
export async function fitsSignedFires(
  deps: Deps,
  intentId: string,
  { order, n, units }: SigningFire,
): Promise<'fired' | 'units' | 'waiting' | null> {
  const others = (): readonly FireNote[] =>
    deps.book.orders.of(order.id).fires.filter((fire) => fire.intentId !== intentId);
  let misfit = judgeSignedFires(order, others(), { n, units });
  if (misfit === null) return null;
  let isOpen = false;
  for (const fire of others()) {
    const end = await endOf(deps, fire);
    if (end === 'void') await deps.write({ kind: 'fire-void', orderId: order.id, intentId: fire.intentId });
    isOpen ||= end === 'undecided';
  }
  misfit = judgeSignedFires(order, others(), { n, units });
  return misfit !== null && isOpen ? 'waiting' : misfit;
}

/** Throws ATTEMPT_UNDECIDED for a fire that must wait for another one, ROW_FORGED for one that rows allow and the journal does not. */
export async function assertFitsSigned(deps: Deps, intentId: string, fire: SigningFire): Promise<void> {
  const misfit = await fitsSignedFires(deps, intentId, fire);
  if (misfit === 'waiting') throw new AppError('ATTEMPT_UNDECIDED', { attempt: null });
  if (misfit !== null) throw new AppError('ROW_FORGED', { table: 'orders', row: fire.order.id });
}

/** A fire whose signatures are forgotten counts as one with effect; so does one whose line came right before a crash. */
async function endOf(deps: Deps, { intentId }: FireNote): Promise<'landed' | 'undecided' | 'void'> {
  const notes = deps.book.of(intentId);
  if (notes.length === 0) return 'landed';
  let isOpen = false;
  for (const note of notes) {
    if (note.end === 'landed') return 'landed';
    if (note.end !== null) continue;
    const { word, looks } = await deps.look(note);
    if (word === 'undecided') isOpen = true;
    else await deps.write({ kind: 'ended', signature: note.signature, how: word, looks });
    if (word === 'landed') return 'landed';
  }
  return isOpen ? 'undecided' : 'void';
}
