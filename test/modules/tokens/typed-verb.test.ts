import { expect, it } from 'vitest';
import { readVerb, type TypedVerb } from '../../../src/modules/tokens/rules/typed-verb.ts';

const trade = (side: 'buy' | 'sell', amount: string | null, token: string | null): TypedVerb => ({
  kind: 'trade',
  side,
  amount,
  token,
});

it.each<[string, TypedVerb | null]>([
  ['buy 0.3 pup', trade('buy', '0.3', 'pup')],
  ['comprar 0,3 SOL de PUP', trade('buy', '0,3', 'PUP')],
  ['pup buy 0.3 sol', trade('buy', '0.3', 'pup')],
  ['vender 50% pup', trade('sell', '50%', 'pup')],
  ['sell all $PUP', trade('sell', 'all', '$PUP')],
  ['vender todo pup', trade('sell', 'todo', 'pup')],
  ['comprar pup', trade('buy', null, 'pup')],
  ['buy', trade('buy', null, null)],
  ['buy 0.3', trade('buy', '0.3', null)],
  // The reader of the amount refuses it: a guess would trade.
  ['buy -1 pup', trade('buy', '-1', 'pup')],
  ['buy 1e9 pup', trade('buy', '1e9', 'pup')],
  ['buy 0,5,5 pup', trade('buy', '0,5,5', 'pup')],
  ['sell', { kind: 'positions' }],
  ['Vender', { kind: 'positions' }],
  ['gm', { kind: 'home' }],
  ['Hola!', { kind: 'home' }],
  ['0.5 SOL', { kind: 'amount-alone', amount: '0.5' }],
  ['sol', null],
  ['pup', null],
  ['0.5', null],
  ['buy and sell', null],
  ['buy 1 2 pup', null],
  ['buy low then sell high', null],
  ['gm everybody', null],
  ['buy constructor', trade('buy', null, 'constructor')],
  ['constructor', null],
  ['__proto__ 5', null],
])('%s', (text, verb) => {
  expect(readVerb(text)).toEqual(verb);
});
