import type { Address, Instruction } from '@tradepost/solana';
import { AppError } from '../../../core/errors/app-error.ts';
import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import { decodeUnresolved, UndecodableMessageError } from '../../../engine/signing/rules/decode-message.ts';
import { messageOf } from '../../../engine/signing/rules/wire-transaction.ts';
import type { ChainHistory, HistoryEntry } from '../../../platform/ports/chain-history.ts';
import type { Clock, Mark } from '../../../platform/ports/clock.ts';
import { givenUpIn } from '../rules/given-up.ts';
import type { PassportAuthority, Proof } from '../rules/passport.ts';

export type Revocations = Readonly<Partial<Record<PassportAuthority, Proof>>>;
export type FindRevocations = (mint: Address, wanted: readonly PassportAuthority[]) => Promise<Revocations>;

/** One page of a node. A mint with a full page is traded a lot, and its first transactions may be thousands of pages away. */
const PAGE = 1_000;
/** Creators give up in the creating transaction or soon after; each one more is a read that a stranger's visit costs. */
const MOST_READ = 12;
const AGAIN_AFTER_MS = 60_000;
const MOST_KEPT = 1_000;
const MOST_AT_ONCE = 2;

/**
 * Searches a mint's own history for the finalized transactions that gave authorities up. For tokens that were made through the API, or
 * elsewhere, these are not written down. Best effort: an authority has no entry when its transaction is not among the mint's first few, or
 * another program's call gave it up. There is no entry either while the chain does not answer or other searches are under way. A proof that
 * was found is final and kept; a missing one is searched for again after a minute.
 */
export function createRevocationFinder(deps: {
  readonly history: Pick<ChainHistory, 'signatures' | 'wire'>;
  readonly clock: Clock;
}): FindRevocations {
  const kept = new Map<Address, { readonly found: Revocations; readonly at: Mark }>();
  const underWay = new Map<Address, Promise<Revocations>>();

  async function look(mint: Address, wanted: readonly PassportAuthority[]): Promise<Revocations> {
    const found = await search(deps.history, mint, wanted).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'CHAIN_UNREACHABLE') return null;
      throw error;
    });
    if (found === null) return kept.get(mint)?.found ?? {};
    kept.delete(mint);
    kept.set(mint, { found, at: markOf(deps.clock) });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    return found;
  }

  return async (mint, wanted) => {
    if (wanted.length === 0) return {};
    const known = kept.get(mint);
    const isFresh = known !== undefined && elapsedSince(known.at, deps.clock) < AGAIN_AFTER_MS;
    if (known !== undefined && (isFresh || wanted.every((one) => known.found[one] !== undefined))) {
      return known.found;
    }
    const same = underWay.get(mint);
    if (same !== undefined) return same;
    // Anybody can open any mint's page: a flood of them must not become a flood at the node.
    if (underWay.size >= MOST_AT_ONCE) return known?.found ?? {};
    const looking = look(mint, wanted).finally(() => underWay.delete(mint));
    underWay.set(mint, looking);
    return looking;
  };
}

async function search(
  history: Pick<ChainHistory, 'signatures' | 'wire'>,
  mint: Address,
  wanted: readonly PassportAuthority[],
): Promise<Revocations> {
  const page = await history.signatures(mint, { before: null, limit: PAGE });
  if (page.length === PAGE) return {};
  const found: Partial<Record<PassportAuthority, Proof>> = {};
  const proofs = page.toReversed().flatMap(proofsOf);
  for (const proof of proofs.slice(0, MOST_READ)) {
    if (wanted.every((one) => found[one] !== undefined)) break;
    const wire = await history.wire(proof.signature);
    if (wire === null) continue;
    for (const authority of givenUpIn(instructionsOf(wire), mint)) found[authority] ??= proof;
  }
  return found;
}

/** None for a transaction that failed, and none where the node does not know its time. */
const proofsOf = ({ signature, at, err }: HistoryEntry): readonly Proof[] =>
  err === null && at !== null ? [{ signature, at }] : [];

/** Nothing for bytes that we do not understand: strangers' transactions name the mint too. */
function instructionsOf(wire: Uint8Array): readonly Instruction[] {
  try {
    return decodeUnresolved(messageOf(wire)).instructions;
  } catch (error) {
    if (error instanceof UndecodableMessageError) return [];
    throw error;
  }
}
