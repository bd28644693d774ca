import { Keypair } from '@solana/web3.js';
import { type Address, WSOL_MINT } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import type { TokenHolding } from '../../../src/modules/tokens/rules/token.ts';
import { suggestTokens } from '../../../src/modules/tokens/use/suggest-tokens.ts';
import { type DeskRig, startDeskRig } from '../trading/desk-rig.ts';

let rig: DeskRig;
beforeAll(async () => {
  rig = await startDeskRig('suggest-tokens');
});
afterAll(() => rig.stop());

const symbols = async (chain: Parameters<typeof suggestTokens>[0]['chain'], venues = rig.venues) =>
  (await suggestTokens({ chain, venues }, rig.wallet)).map((token) => token.symbol);

const holding = (symbol: string, amount: bigint): TokenHolding => {
  const { mint, program, decimals } = rig.token(symbol);
  return { mint, tokenProgram: program, decimals, amount, accounts: [] };
};

describe('suggestTokens', () => {
  it('offers what the desk trades, never SOL itself', async () => {
    const offered = await suggestTokens(rig, rig.wallet);
    expect(offered.map((token) => token.symbol)).toEqual(
      expect.arrayContaining(['USDC', 'PUP', 'KOI', 'TAX']),
    );
    expect(offered.map((token) => token.mint)).not.toContain(WSOL_MINT);
  });

  it('puts what the wallet holds first, leaves out empty accounts and names nothing twice', async () => {
    const chain = {
      token: (mint: Address) => rig.chain.token(mint),
      holdings: async () => [holding('TAX', 5n), holding('KOI', 0n), holding('PUP', 1n)],
    };
    const offered = await symbols(chain);
    expect(offered.slice(0, 2)).toEqual(['TAX', 'PUP']);
    expect(new Set(offered).size).toBe(offered.length);
  });

  it('is at most eight tokens, however many a stranger sprayed into the wallet', async () => {
    const known = await rig.chain.token(rig.token('PUP').mint);
    const sprayed = Array.from({ length: 50 }, () => address(Keypair.generate().publicKey.toBase58()));
    const chain = {
      token: async (mint: Address) => known && { ...known, mint },
      holdings: async () => sprayed.map((mint) => ({ ...holding('PUP', 1n), mint })),
    };
    expect(await symbols(chain)).toHaveLength(8);
  });

  it('offers what it can when the chain or a venue does not answer', async () => {
    const down = async () => {
      throw new Error('down');
    };
    const broken = [...rig.venues, { ...rig.venues[0]!, featured: down }];
    const token = (mint: Address) => rig.chain.token(mint);
    expect(await symbols({ token, holdings: down }, broken)).toContain('PUP');
    expect(await symbols({ token: down, holdings: down })).toEqual([]);
  });
});
