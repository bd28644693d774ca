import { expect, it } from 'vitest';
import { createPaperAccount, PaperError } from '../src/paper-account.ts';

const MINT = 'Gh3kQ8mcW6wmNkRZ2CTMGZc4hYhFy1aW1sJQ9u3GmVwA';
const { signal } = new AbortController();

/** Two units for a lamport, and back at the same price. */
const account = () =>
  createPaperAccount(async ({ fromTokenAddress, amount }) => {
    const given = BigInt(String(amount));
    return { toTokenAmount: (fromTokenAddress === MINT ? given / 2n : given * 2n).toString() };
  });

it('books what a quote takes and gives, and the cost of what is sold, rounded up', async () => {
  const paper = account();
  await paper.buy({ mint: MINT, lamports: '1000' }, signal);
  expect(paper.state()).toEqual({
    lamports: '9999999000',
    realizedLamports: '0',
    tokens: [{ mint: MINT, units: '2000', costLamports: '1000' }],
  });
  await paper.sell({ mint: MINT, units: '3' }, signal);
  expect(paper.state()).toEqual({
    lamports: '9999999001',
    realizedLamports: '-1',
    tokens: [{ mint: MINT, units: '1997', costLamports: '998' }],
  });
  await paper.sell({ mint: MINT }, signal);
  expect(paper.state()).toEqual({ lamports: '9999999999', realizedLamports: '-1', tokens: [] });
});

it('does not spend the same lamports twice where two purchases come at once', async () => {
  const paper = account();
  const ends = await Promise.allSettled(
    [1, 2].map(() => paper.buy({ mint: MINT, lamports: '6000000000' }, signal)),
  );
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(paper.state().lamports).toBe('4000000000');
});

it.each([
  [{ mint: MINT, lamports: '10000000001' }, 'the paper account has 10000000000 lamports'],
  [{ mint: MINT, lamports: 5 }, 'lamports: expected a text of digits, from 1 up'],
  [{ mint: MINT, lamports: '-5' }, 'lamports: expected a text of digits, from 1 up'],
  [{ mint: 'PUP', lamports: '5' }, 'mint: expected the address of a token'],
  [{ mint: 'So11111111111111111111111111111111111111112', lamports: '5' }, 'expected another token than SOL'],
])('refuses a purchase of %j', async (input, sentence) => {
  const paper = account();
  const failure = await paper.buy(input, signal).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PaperError);
  expect(String(failure)).toContain(sentence);
  expect(paper.state().lamports).toBe('10000000000');
});

it('refuses to sell what it does not have, and books nothing where the quote is refused', async () => {
  const paper = createPaperAccount(() => Promise.reject(new Error('NO_ROUTE')));
  await expect(paper.sell({ mint: MINT }, signal)).rejects.toThrow('none of this token');
  await expect(paper.buy({ mint: MINT, lamports: '5' }, signal)).rejects.toThrow('NO_ROUTE');
  expect(paper.state()).toEqual({ lamports: '10000000000', realizedLamports: '0', tokens: [] });
});
