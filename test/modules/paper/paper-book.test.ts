import { expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import {
  holdingOf,
  MAX_PAPER_HOLDINGS,
  newPaperBook,
  PAPER_LAMPORTS,
  paperBuy,
  paperSell,
} from '../../../src/modules/paper/rules.ts';

const mint = address('So11111111111111111111111111111111111111112');
const fill = (units: bigint, lamports: bigint) => ({ mint, decimals: 6, units, lamports });

it('keeps the average cost, and every lamport where it went', () => {
  const bought = paperBuy(newPaperBook(), fill(100n, 1_000n));
  const more = bought === null ? null : paperBuy(bought, fill(50n, 501n));
  if (more === null) throw new Error('there is room');
  expect(more.lamports).toBe(PAPER_LAMPORTS - 1_501n);
  expect(holdingOf(more, mint)).toMatchObject({ units: 150n, cost: 1_501n });
  const sold = paperSell(more, fill(50n, 600n));
  // A third of 1,501, rounded down, leaves with the third that is sold.
  expect(holdingOf(sold, mint)).toMatchObject({ units: 100n, cost: 1_001n });
  const gone = paperSell(sold, fill(100n, 900n));
  expect(gone.holdings).toEqual([]);
  expect(gone.lamports).toBe(PAPER_LAMPORTS - 1_501n + 1_500n);
});

it('pays with no more than there is, and sells no more than is held', () => {
  const book = newPaperBook();
  expect(() => paperBuy(book, fill(1n, PAPER_LAMPORTS + 1n))).toThrow(/INSUFFICIENT_LAMPORTS/);
  expect(() => paperSell(book, fill(1n, 5n))).toThrow(/INSUFFICIENT_TOKENS/);
  const one = paperBuy(book, fill(10n, 10n));
  if (one === null) throw new Error('there is room');
  expect(() => paperSell(one, fill(11n, 5n))).toThrow(/INSUFFICIENT_TOKENS/);
});

it('has room for so many tokens, and for more of each', () => {
  const holdings = Array.from({ length: MAX_PAPER_HOLDINGS }, (_, index) => ({
    mint: address(`So1111111111111111111111111111111111111111${'23456789ABCDEFGHJKLM'[index]}`),
    decimals: 6,
    units: 1n,
    cost: 1n,
  }));
  const full = { ...newPaperBook(), holdings };
  const other = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
  expect(paperBuy(full, { ...fill(1n, 1n), mint: other })).toBeNull();
  expect(paperBuy(full, fill(1n, 1n))?.holdings).toHaveLength(MAX_PAPER_HOLDINGS);
});
