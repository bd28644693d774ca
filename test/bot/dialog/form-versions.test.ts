import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const FEATURES = join(dirname(fileURLToPath(import.meta.url)), '../../../src/bot/features');

/**
 * What each file of questions looked like when its version was given. A dialogue that waits while the questions change
 * replays them wrongly, so: whoever changes such a file raises `version` in it (unless no question changed) and puts the
 * new hash here.
 */
const KNOWN: Readonly<Record<string, string>> = {
  'address-book/flow.ts': '5a05f4358d855b7d',
  'alerts/flow.ts': '1842d45bef83d4f8',
  'auto-buy/flow.ts': '9c35ac1dd8fc5b50',
  'convert/flow.ts': 'a21bad8f87640591',
  'create-token/flow.ts': 'ca07e9ab29f2a557',
  'games/flow.ts': '2ef47f14ec3ff666',
  'key-review/flow.ts': '7193219d096aef0d',
  'orders/flow.ts': '535fca36e7270cf6',
  'points/flow.ts': '8b7c2ec3d234621c',
  'referral/flow.ts': '1745b792c6081ab2',
  'security/flow.ts': '8bf09b3313de73b4',
  'setting/flow.ts': '5f67454e19f8f429',
  'trade/flow.ts': '8a6d35cd3b786638',
  'wallets/flow.ts': '8e882ba25dfa0ec1',
  'withdraw/flow.ts': '4bd58536f8303588',
};

it('notices every change to a file of questions', () => {
  const found = Object.fromEntries(
    readdirSync(FEATURES, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('flow.ts'))
      .map((path) => [path.split('\\').join('/'), hashOf(readFileSync(join(FEATURES, path), 'utf8'))]),
  );
  expect(found).toEqual(KNOWN);
});

it('has every question in such a file', () => {
  const asks = /\b(?:defineForm|plainForm)\(|\btypedQuestion\(\s*\{/;
  const elsewhere = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      path.endsWith('.ts') &&
      !path.endsWith('flow.ts') &&
      asks.test(readFileSync(join(FEATURES, path), 'utf8')),
  );
  expect(elsewhere).toEqual([]);
});

/** White space and comments do not matter. */
function hashOf(source: string): string {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\s+/g, '');
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}
