import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import type { PoolCatalogue } from '../../../src/modules/market/store/pool-catalogue-port.ts';
import { lookUpToken } from '../../../src/modules/tokens/use/look-up-token.ts';
import { searchTokens } from '../../../src/modules/tokens/use/search-tokens.ts';
import type { Venue } from '../../../src/platform/ports/venue.ts';
import { fakePoolCatalogue } from '../../support/fakes/pool-catalogue.ts';
import { type DeskRig, startDeskRig } from '../trading/desk-rig.ts';

let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('look-up-token');
});
afterAll(() => rig.stop());

const fresh = () => address(Keypair.generate().publicKey.toBase58());
const catalogue = fakePoolCatalogue();
const lookUp = (text: string) => lookUpToken({ ...rig, catalogue }, text);

describe('lookUpToken', () => {
  it('takes a mint alone, with spaces, in a link and in a sentence', async () => {
    const { mint } = rig.token('KOI');
    for (const text of [mint, `  ${mint}\n`, `https://example.com/coin/${mint}?ref=1`, `buy ${mint} now!`]) {
      expect(await lookUp(text)).toMatchObject({ mint, symbol: 'KOI' });
    }
  });

  it('takes the ticker of a token that is traded here, in any case, with or without a dollar sign', async () => {
    const { mint } = rig.token('PUP');
    for (const text of ['PUP', 'pup', '$PUP', ' $pup ']) expect((await lookUp(text)).mint).toBe(mint);
  });

  it('names the mint when the address is an account that holds it', async () => {
    const { vaultA, mintA } = rig.local.world.pools[2]!;
    await expect(lookUp(vaultA)).rejects.toMatchObject({
      code: 'TOKEN_ACCOUNT_NOT_MINT',
      details: { address: vaultA, mint: mintA },
    });
  });

  it('finds nothing at a wallet, an empty address, an unknown ticker, a part of one and no text', async () => {
    for (const text of [rig.wallet, fresh(), 'NOSUCH', 'PU', '', '🐶', 'x'.repeat(5_000)]) {
      await expect(lookUp(text)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
    }
  });

  it('does not choose between two tokens of one ticker', async () => {
    const [pup, koi] = [rig.token('PUP').mint, rig.token('KOI').mint];
    const chain = {
      ...rig.chain,
      token: async (mint: typeof pup) => {
        const token = await rig.chain.token(mint);
        return token === null || mint !== koi ? token : { ...token, symbol: 'PUP' };
      },
    };
    await expect(lookUpToken({ chain, venues: rig.venues, catalogue }, 'PUP')).rejects.toMatchObject({
      code: 'TOKEN_NOT_FOUND',
    });
    const found = await searchTokens({ chain, venues: rig.venues, catalogue }, 'PUP');
    expect(new Set(found.map((token) => token.mint))).toEqual(new Set([pup, koi]));
  });
});

describe('searchTokens', () => {
  const symbols = async (
    text: string,
    venues: readonly Venue[] = rig.venues,
    known: Pick<PoolCatalogue, 'findNames'> = catalogue,
  ) =>
    (await searchTokens({ chain: rig.chain, venues, catalogue: known }, text)).map((token) => token.symbol);

  it('finds any token of the catalogue, whatever it is traded against, and asks its venues for no list', async () => {
    const [koi, usdc] = [rig.token('KOI').mint, rig.token('USDC').mint];
    const known = fakePoolCatalogue();
    const venue: Venue = {
      name: 'exchange',
      pools: async () => [],
      counterparts: () => Promise.reject(new Error('every pool against SOL was asked for')),
      upkeep: {
        search: async () => ({ pools: [], outcome: 'whole' }),
        recognize: async () => [],
        look: async () => [],
      },
    };
    expect(await symbols('koi', [venue], known)).toEqual([]);
    const found = [{ id: fresh(), mints: [koi, usdc] as const }];
    await known.record({ venue: 'exchange', mintA: koi, mintB: usdc }, found, 1, 'whole');
    await known.saveNames([{ mint: koi, symbol: 'koi', name: 'koi pond' }], 1);
    expect(await symbols('$KOI', [venue], known)).toEqual(['KOI']);
    // The chain has the last word on what a mint is called.
    await known.saveNames([{ mint: koi, symbol: 'usdc', name: '' }], 1);
    expect(await symbols('usdc', [venue], known)).toEqual([]);
  });

  it('still searches the venues when the catalogue cannot be read', async () => {
    const broken = { findNames: () => Promise.reject(new Error('database down')) };
    expect(await symbols('koi', rig.venues, broken)).toEqual(['KOI']);
  });

  it('finds by symbol and by name', async () => {
    expect(await symbols('koi')).toEqual(['KOI']);
    expect(await symbols('lantern')).toEqual(['LAN']);
    expect(await symbols('pup')).toEqual(['PUP']);
  });

  it('lists exact symbols before beginnings, names and parts', async () => {
    // TAX by symbol; "Taxed Token" also contains it. A single letter is in many.
    expect((await symbols('p'))[0]).toBe('PUP');
    expect(await symbols('p')).toContain('USDC');
  });

  it('finds nothing for nothing, and survives a venue that is down', async () => {
    expect(await symbols('')).toEqual([]);
    expect(await symbols('$')).toEqual([]);
    const down: Venue = {
      name: 'down',
      pools: async () => [],
      counterparts: () => Promise.reject(new Error('down')),
    };
    expect(await symbols('koi', [down, ...rig.venues])).toEqual(['KOI']);
  });
});
