import { isOrWillBeFenced } from './signer.ts';
import type { Engine, World } from './world.ts';

/** What is wrong with this world, or null. Knows blocks, books and words; nothing of how the engine works. */
export function violationOf(world: World, engine: Engine): string | null {
  const { row, captured, voided } = world;
  const chain = world.chain.filter(({ isSecret }) => isSecret !== true);
  const paid = chain.filter(({ fate }) => fate === 'ok').length;
  if (paid > 1) return 'two landed effects';
  // A database that went back may say anything, as long as it is fenced off.
  if (world.signer?.wentBack === true && isOrWillBeFenced(world, engine)) return null;
  const isPaid = chain.some(({ fate, isFinal }) => fate === 'ok' && isFinal);
  const mayBePaid = chain.some(({ fate, isExpired }) => fate === 'ok' || (fate === null && !isExpired));
  if (captured + voided > 1) return `books closed ${captured + voided} times`;
  if (voided > 0 && isPaid) return 'a debt that was paid is owed again';
  if (captured > 0 && !isPaid && !mayBePaid) return 'a lost debt: booked as paid, and never will be';
  const { status } = row.intent;
  switch (status) {
    case 'SUCCEEDED':
      return isPaid ? null : 'a false word: "succeeded" of what is not final';
    case 'FAILED':
      return paid === 0 && chain.some(({ fate, isFinal }) => fate === 'err' && isFinal)
        ? null
        : 'a false word: "failed" of what did not';
    case 'EXPIRED':
    case 'REJECTED':
    case 'CANCELLED':
      return mayBePaid ? `a false word: "${status.toLowerCase()}" of what may be paid` : null;
    case 'CREATED':
    case 'ACTIVE':
    case 'NEEDS_REVIEW':
      return null;
  }
}
