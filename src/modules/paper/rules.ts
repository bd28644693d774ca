import { type Address, LAMPORTS_PER_SOL } from '@tradepost/solana';
import { AppError } from '../../core/errors/app-error.ts';

/** Pretend money: a person's holdings had they traded. Nothing in it is on the chain. */
export type PaperBook = {
  /** Whether tokens open on paper. Off, the book waits. */
  readonly on: boolean;
  readonly lamports: bigint;
  readonly holdings: readonly PaperHolding[];
};

export type PaperHolding = {
  readonly mint: Address;
  readonly decimals: number;
  readonly units: bigint;
  /** Lamports that these units cost, fees included: average cost. */
  readonly cost: bigint;
};

/** Everybody's first balance. */
export const PAPER_LAMPORTS = 10n * LAMPORTS_PER_SOL;
/** The book is kept with a person's settings: it stays small. */
export const MAX_PAPER_HOLDINGS = 20;

export const newPaperBook = (): PaperBook => ({ on: true, lamports: PAPER_LAMPORTS, holdings: [] });

/** The result of a trade on paper: both sides as quoted, every fee in. */
export type PaperFill = {
  readonly mint: Address;
  readonly decimals: number;
  readonly units: bigint;
  readonly lamports: bigint;
};

/** Null where the book has no room for one more token. Throws INSUFFICIENT_LAMPORTS. */
export function paperBuy(book: PaperBook, { mint, decimals, units, lamports }: PaperFill): PaperBook | null {
  if (lamports > book.lamports) {
    throw new AppError('INSUFFICIENT_LAMPORTS', {
      needed: lamports,
      available: book.lamports,
      amount: lamports,
      fees: 0n,
    });
  }
  const held = holdingOf(book, mint);
  const others = book.holdings.filter((one) => one.mint !== mint);
  if (held === null && others.length >= MAX_PAPER_HOLDINGS) return null;
  const now = { mint, decimals, units: (held?.units ?? 0n) + units, cost: (held?.cost ?? 0n) + lamports };
  return { ...book, lamports: book.lamports - lamports, holdings: [...others, now] };
}

/**
 * `lamports`: the proceeds of the sale, fees off. The cost of the units sold leaves with them, rounded down. Throws INSUFFICIENT_TOKENS.
 */
export function paperSell(book: PaperBook, { mint, decimals, units, lamports }: PaperFill): PaperBook {
  const held = holdingOf(book, mint);
  const available = held?.units ?? 0n;
  if (held === null || units > available) {
    throw new AppError('INSUFFICIENT_TOKENS', { needed: units, available, decimals });
  }
  const rest = available - units;
  const others = book.holdings.filter((one) => one.mint !== mint);
  const left = { ...held, units: rest, cost: held.cost - (held.cost * units) / available };
  return {
    ...book,
    lamports: book.lamports + lamports,
    holdings: rest === 0n ? others : [...others, left],
  };
}

export function holdingOf(book: PaperBook, mint: Address): PaperHolding | null {
  return book.holdings.find((one) => one.mint === mint) ?? null;
}
