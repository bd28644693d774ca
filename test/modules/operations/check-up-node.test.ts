import { expect, it } from 'vitest';
import { judgeNode } from '../../../src/modules/operations/rules/check-up.ts';

const node = (genesis: string, health = 'ok') => ({
  host: 'node.example',
  health,
  version: 'solana-core 2.0.0',
  genesis,
});

it.each([
  ['well, and no signer was here', node('genesis-a'), ['genesis-a'], null, 'ok', /genesis /],
  ['of the network that the journal is of', node('genesis-a'), ['genesis-a'], 'genesis-a', 'ok', /genesis /],
  [
    'alone and of another network than the journal',
    node('other-b'),
    ['other-b'],
    'genesis-a',
    'bad',
    /signs nothing/,
  ],
  [
    'of another network than the others',
    node('other-b'),
    ['other-b', 'genesis-a'],
    null,
    'bad',
    /no witness/,
  ],
  ['behind', node('genesis-a', 'behind by 9 slots'), ['genesis-a'], 'genesis-a', 'warn', /behind by 9/],
] as const)('a node is %s', (_, answer, all, signed, state, fact) => {
  const judged = judgeNode(answer, new Set(all), signed);
  expect(judged.state).toBe(state);
  expect(judged.fact).toMatch(fact);
  expect(judged.mend === '').toBe(state === 'ok');
});
