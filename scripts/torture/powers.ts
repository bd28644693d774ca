import { type Address, TOKEN_2022_PROGRAM } from '@tradepost/solana';
import { address } from '../../src/core/address/address.ts';
import { REVOCABLE_AUTHORITIES } from '../../src/modules/mint/rules/instructions/revoke-authority.ts';
import { insist } from './insist.ts';
import type { Request } from './people.ts';
import type { TortureWorld } from './world.ts';

/** Powers over tokens that people have made, each offered once: a power is given up once. */
export function createPowers(world: Pick<TortureWorld, 'query'>) {
  const known = new Set<string>();
  const waiting: Request[] = [];

  async function learn(): Promise<void> {
    const rows = await insist(() =>
      world.query('SELECT mint, user_id, wallet_id, revocations::text FROM created_tokens'),
    );
    for (const { mint = '', user_id: userId = '', wallet_id: walletId = '', revocations = '' } of rows) {
      if (known.has(mint)) continue;
      known.add(mint);
      for (const authority of REVOCABLE_AUTHORITIES) {
        if (authority in (JSON.parse(revocations) as object)) continue;
        waiting.push({
          userId,
          walletId,
          params: {
            kind: 'revoke-authority',
            mint: address(mint) satisfies Address,
            tokenProgram: TOKEN_2022_PROGRAM,
            authority,
            record: null,
            tier: 'economy',
          },
        });
      }
    }
  }

  return {
    /** A power to give up; null while every one is given up or about to be. */
    async next(): Promise<Request | null> {
      if (waiting.length === 0) await learn();
      return waiting.shift() ?? null;
    },
  };
}
