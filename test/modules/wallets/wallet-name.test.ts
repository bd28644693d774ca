import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAppError } from '../../../src/core/errors/app-error.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import { freeWalletName, nameRefusal, walletName } from '../../../src/modules/wallets/rules/wallet-name.ts';

it('gives a clean name of 1 to 20 characters or refuses, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      try {
        const name = walletName(text);
        expect(Array.from(name).length).toBeGreaterThanOrEqual(1);
        expect(Array.from(name).length).toBeLessThanOrEqual(20);
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
        expect(walletName(name)).toBe(name);
      } catch (error) {
        expect(isAppError(error)).toBe(true);
      }
    }),
  );
});

it('finds a free name', () => {
  expect(freeWalletName([], 'made')).toBe('Main');
  expect(freeWalletName(['Main'], 'made')).toBe('Wallet 2');
  expect(freeWalletName(['a', 'WALLET 3'], 'made')).toBe('Wallet 4');
  expect(freeWalletName(['Main', 'Wаllеt 3'], 'made')).toBe('Wallet 4');
  expect(freeWalletName([], 'imported')).toBe('Imported');
  expect(freeWalletName(['Main'], 'imported')).toBe('Imported');
  expect(freeWalletName(['lmported', 'IMPORTED 2'], 'imported')).toBe('Imported 3');
});

const DAY = 86_400_000;
const NOW = 100 * DAY;
type Held = Pick<Wallet, 'id' | 'name' | 'deletedAt'>;
const held = (name: string, deletedAt: number | null = null): Held => ({ id: 'other', name, deletedAt });
const refusal = (name: string, wallets: readonly Held[], origin: Wallet['origin'] = 'made') =>
  nameRefusal(walletName(name), { id: 'own', origin }, wallets, NOW);

/** As a thief writes "Main": wide, Cyrillic, Greek, small capitals, digits, hidden characters, marks. */
const MAINS = [
  'MAIN',
  'Ｍain',
  'Маin',
  'Μain',
  'MAIΝ',
  'ᴍᴀɪɴ',
  'Ma1n',
  'Ma\u200Bin',
  'Ma\u034Fin',
  'Máin',
  'Mai\u0323n',
];

it.each(MAINS)('refuses %s beside a wallet called Main, and to an imported wallet without one', (name) => {
  expect(refusal(name, [held('Main')])?.code).toMatch(/^(NAME_RESERVED|WALLET_NAME_TAKEN)$/);
  expect(refusal(name, [held('Main', NOW - DAY)])?.details).toMatchObject({
    like: 'Main',
    reason: 'deleted',
  });
  expect(refusal(name, [], 'imported')?.details).toMatchObject({ like: 'Main', reason: 'imported' });
  expect(refusal(name, [])).toBeNull();
});

it('keeps a deleted name for 30 days, and leaves a wallet its own name', () => {
  expect(refusal('Fund', [held('Fund', NOW - 30 * DAY + 1)])?.code).toBe('NAME_RESERVED');
  expect(refusal('Fund', [held('Fund', NOW - 30 * DAY)])).toBeNull();
  expect(refusal('FUND', [{ ...held('Fund'), id: 'own' }])).toBeNull();
  expect(refusal('fund', [held('Fund')])?.code).toBe('WALLET_NAME_TAKEN');
  expect(refusal('Funds', [held('Fund')])).toBeNull();
});

it('refuses every disguise of any name, both ways, and never gives one as a free name', () => {
  const cyrillic: Readonly<Record<string, string>> = {
    a: 'а',
    c: 'с',
    e: 'е',
    o: 'о',
    p: 'р',
    x: 'х',
    y: 'у',
    i: 'і',
  };
  const disguises: readonly ((name: string) => string)[] = [
    (name) => name.toUpperCase(),
    (name) => Array.from(name, (letter) => cyrillic[letter] ?? letter).join(''),
    (name) => name.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
    (name) => Array.from(name).join('\u034F'),
    (name) => `${name}\u0301`,
  ];
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z]{1,8}( [0-9]{1,2})?$/),
      fc.constantFrom(...disguises),
      fc.constantFrom('made' as const, 'imported' as const),
      (name, disguise, origin) => {
        const worn = disguise(name).slice(0, 20);
        fc.pre(worn === disguise(name));
        for (const [one, two] of [
          [name, worn],
          [worn, name],
        ] as const) {
          expect(refusal(one, [held(two)], origin)).not.toBeNull();
          expect(refusal(one, [held(two, NOW)], origin)?.code).toBe('NAME_RESERVED');
        }
        const free = freeWalletName([worn], origin);
        expect(refusal(free, [held(worn)], origin)).toBeNull();
      },
    ),
  );
});
