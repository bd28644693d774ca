import { expect, it } from 'vitest';
import { passagesOf, rank } from '../src/rank.ts';

const GUIDE = `# Rates
How often a client may ask.
## Headers
The header ratelimit-remaining.
\`\`\`sh
# Headers of a block
curl x
\`\`\`
## Empty
`;

it('cuts a guide at its titles, and takes a comment of a block for no title', () => {
  expect(passagesOf('/docs/rates.md', GUIDE)).toEqual([
    { path: '/docs/rates.md', title: 'Rates', text: 'How often a client may ask.' },
    {
      path: '/docs/rates.md',
      title: 'Rates: Headers',
      text: 'The header ratelimit-remaining.\n```sh\n# Headers of a block\ncurl x\n```',
    },
  ]);
});

it('puts a rare word before a common one, and a title before a text', () => {
  const passages = [
    { path: 'a', title: 'Swap', text: 'the swap of a token' },
    { path: 'b', title: 'Errors', text: 'the swap of a token with slippage' },
    { path: 'c', title: 'Slippage', text: 'of a token' },
    { path: 'd', title: 'Keys', text: 'of a person' },
  ];
  expect(rank(passages, 'token slippage').map(({ path }) => path)).toEqual(['c', 'b', 'a']);
  expect(rank(passages, 'nowhere')).toEqual([]);
  expect(rank(passages, '')).toEqual([]);
});
