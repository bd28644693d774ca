import type { Address } from '@tradepost/solana';
import { expect, it } from 'vitest';
import type { CreatedToken } from '../../../src/modules/mint/rules/created-token.ts';
import { createTokenPictures } from '../../../src/modules/passport/use/token-pictures.ts';
import { walletRow } from '../../conformance/store-rows.ts';
import { fakeClock } from '../../support/fakes/clock.ts';
import { fakeMetadataStore } from '../../support/fakes/metadata-store.ts';

const mints = Array.from({ length: 5 }, () => walletRow().address) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const [named, elsewhere, strange, unstored, notHere] = mints;

async function pictured() {
  const metadata = fakeMetadataStore();
  const clock = fakeClock();
  const picture = await metadata.put('png', Uint8Array.of(1, 2, 3));
  const put = (image: string) =>
    metadata.put('json', new TextEncoder().encode(JSON.stringify({ name: 'x', image })));
  const ours = await put(picture.uri);
  const foreign = await put('https://tracker.example/a.png');
  const missing = await put(`https://desk.example/images/${'0'.repeat(64)}.png`);
  const made = (mint: Address, uri: string, metadataHash: string | null) =>
    ({ mint, uri, metadataHash }) as CreatedToken;
  const tokens: CreatedToken[] = [
    made(named, ours.uri, null),
    made(elsewhere, 'ipfs://bafy', ours.sha256),
    made(strange, foreign.uri, foreign.sha256),
    made(unstored, missing.uri, missing.sha256),
  ];
  const asked: (readonly Address[])[] = [];
  const state = { isAway: false };
  const pictures = createTokenPictures({
    createdTokens: {
      findAll: async (wanted) => {
        asked.push(wanted);
        if (state.isAway) throw new Error('away');
        return tokens.filter(({ mint }) => wanted.includes(mint));
      },
    },
    metadata,
    clock,
  });
  return { pictures, asked, state, clock, tokens, path: `/images/${picture.sha256}.png`, made, ours };
}

it('gives the picture that the document of a token names and we store, and follows no link', async () => {
  const { pictures, path } = await pictured();
  expect(await pictures(mints)).toEqual(
    new Map([
      [named, path],
      [elsewhere, path],
    ]),
  );
});

it('asks for a token with a picture once, and for one without again after a minute', async () => {
  const { pictures, asked, clock, tokens, path, made, ours } = await pictured();
  await pictures([named, notHere]);
  await pictures([named, notHere]);
  expect(asked).toEqual([[named, notHere]]);
  tokens.push(made(notHere, ours.uri, null));
  clock.advance(60_000);
  expect((await pictures([named, notHere])).get(notHere)).toBe(path);
  expect(asked).toEqual([[named, notHere], [notHere]]);
});

it('gives what it knows while the database is away, and asks again for the rest', async () => {
  const { pictures, state, path } = await pictured();
  await pictures([named]);
  state.isAway = true;
  expect(await pictures([named, elsewhere])).toEqual(new Map([[named, path]]));
  state.isAway = false;
  expect((await pictures([elsewhere])).get(elsewhere)).toBe(path);
});
