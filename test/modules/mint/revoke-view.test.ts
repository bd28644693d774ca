import { NO_SPEC_EXTENSIONS } from '@tradepost/solana';
import { expect, it } from 'vitest';
import { wordsOf } from '../../../src/compose/texts/words.ts';
import { tokenView } from '../../../src/modules/mint/chat/revoke-view.ts';
import type { CreatedToken } from '../../../src/modules/mint/rules/created-token.ts';
import { NOW, walletRow } from '../../conformance/store-rows.ts';

const wallet = walletRow();
/** A token whose accounts are born frozen, with every power still held. */
const BORN_FROZEN: CreatedToken = {
  mint: walletRow().address,
  userId: wallet.userId ?? '',
  walletId: wallet.id,
  creator: wallet.address,
  intentId: 'intent',
  signature: 'signature',
  spec: {
    program: 'token2022',
    name: 'Ice',
    symbol: 'ICE',
    decimals: 6,
    supply: 1n,
    mintTo: wallet.address,
    mintAuthority: true,
    freezeAuthority: true,
    updateAuthority: true,
    extensions: { ...NO_SPEC_EXTENSIONS, defaultAccountState: 'frozen' },
  },
  way: 'native',
  uri: 'https://desk.example/x.json',
  metadataHash: null,
  createdAt: NOW,
  revocations: {},
};

it.each([
  [
    'en',
    /Best order: mint, freeze, metadata\. Keep the freeze authority where accounts start frozen/,
    ['mint', 'freeze', 'metadata'],
  ],
  [
    'es',
    /mejor orden: crear más, congelar, metadatos\. Conserva la autoridad de congelar si las cuentas nacen congeladas/,
    ['crear más', 'congelar', 'metadatos'],
  ],
] as const)('the screen of powers never advises to give up freeze first (%s)', (language, advice, order) => {
  const facts = { token: BORN_FROZEN, passport: null, stateId: 'a'.repeat(22) };
  const { text, keyboard } = tokenView(wordsOf(language), facts);
  expect(text.markup).toMatch(advice);
  const labels = (keyboard ?? []).flat().map((button) => button.text.toLowerCase());
  const places = order.map((power) => labels.findIndex((label) => label.includes(power)));
  expect(places).toEqual([0, 1, 2]);
  const lines = text.markup
    .toLowerCase()
    .split('\n')
    .filter((line) => line.startsWith('•'));
  expect(order.map((power) => lines.findIndex((line) => line.includes(power)))).toEqual([0, 1, 2]);
});
