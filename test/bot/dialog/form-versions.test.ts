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
  'address-book/flow.ts': '27e4ede1de926903',
  'create-token/flow.ts': 'c894fcabb7c4bb20',
  'key-review/flow.ts': '76b94dfeb2c2e415',
  'points/flow.ts': '8b8b6aab1dd0e854',
  'referral/flow.ts': '0da41620c9596466',
  'security/flow.ts': '1d5048a06f10fafd',
  'setting/flow.ts': '31cc991d76c2694e',
  'trade/flow.ts': '278f11b73edb0c5c',
  'wallets/flow.ts': '1a6ea205921fe1e0',
  'withdraw/flow.ts': 'b664faf647dc2a5f',
};

it('notices every change to a file of questions', () => {
  const found = Object.fromEntries(
    readdirSync(FEATURES, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('flow.ts'))
      .map((path) => [path.split('\\').join('/'), hashOf(readFileSync(join(FEATURES, path), 'utf8'))]),
  );
  expect(found).toEqual(KNOWN);
});

/** White space and comments do not matter. */
function hashOf(source: string): string {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\s+/g, '');
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}
