import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { filesOfRing } from '../../../support/rings.ts';

/** The screens of the nouns, by their path below `src/modules`. */
const SCREENS = filesOfRing('chat')
  .filter(({ path }) => path.startsWith('modules/'))
  .map(({ path, text }) => ({ path: path.slice('modules/'.length), text }));

/**
 * What each file of questions looked like when its version was given. A dialogue that waits while the questions change
 * replays them wrongly, so a change of such a file raises `version` in it (unless no question changed) and puts the
 * new hash here.
 */
const KNOWN: Readonly<Record<string, string>> = {
  'guard/chat/address-book-flow.ts': '44ccbb7e1d571e63',
  'copying/chat/flow.ts': '77fe8e98f3633f60',
  'follows/chat/flow.ts': '98b6e0c76b926e5c',
  'auto-buy/chat/flow.ts': '3b2ee94a117d9652',
  'convert/chat/flow.ts': '89e82b28e08035b4',
  'launches/chat/flow.ts': '908e6af88fe58a20',
  'mint/chat/flow.ts': '12c800418f8cfdfa',
  'games/chat/flow.ts': 'b1b50f9adcdf6c3f',
  'keys/chat/review-flow.ts': '6c4faa81ed57127f',
  'orders/chat/flow.ts': 'a8bce23713ae23f7',
  'personal-keys/chat/flow.ts': '95cc0724cf936032',
  'points/chat/flow.ts': 'ea6b2a4e06de984d',
  'referrals/chat/flow.ts': '71a747e669a881ff',
  'guard/chat/notice-mail-flow.ts': 'b362db881ca1abdb',
  'guard/chat/security-flow.ts': '43fd0874e160a827',
  'settings/chat/flow.ts': '203287bbb2202a26',
  'trading/chat/flow.ts': '6c90fe2a78d8f0f0',
  'wallets/chat/flow.ts': '4064d2c14c586e1a',
  'withdrawals/chat/flow.ts': 'e32d66259c085ffc',
};

it('notices every change to a file of questions', () => {
  const found = Object.fromEntries(
    SCREENS.filter(({ path }) => path.endsWith('flow.ts')).map(({ path, text }) => [path, hashOf(text)]),
  );
  expect(found).toEqual(KNOWN);
});

it('has every question in such a file', () => {
  const asks = /\b(?:defineForm|plainForm)\(|\btypedQuestion\(\s*\{/;
  const elsewhere = SCREENS.filter(({ path, text }) => !path.endsWith('flow.ts') && asks.test(text));
  expect(elsewhere).toEqual([]);
});

/** White space, comments and where its imports lie do not matter. */
function hashOf(source: string): string {
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^import [^;]*;$/gm, '')
    .replace(/\s+/g, '');
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}
