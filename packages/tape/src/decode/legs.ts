import type { MarketKeys } from '../market-keys.ts';
import type { TapeTransaction } from '../transaction.ts';
import { lamportMoves, type Move, tokenMoves } from './token-moves.ts';

export type VaultSide = 'base' | 'quote';

/** The effect of one instruction on one vault. Positive amounts enter it. */
export type Leg = Pick<Move, 'amount' | 'certainty'> & {
  readonly side: VaultSide;
  /** Its instruction's place in the transaction. */
  readonly at: number;
};

/** Everything that instructions state of the market's two vaults, in order. */
export function legsOf(
  { instructions }: Pick<TapeTransaction, 'instructions'>,
  market: Pick<MarketKeys, 'kind' | 'baseVault' | 'quoteVault'>,
): readonly Leg[] {
  return instructions.flatMap((instruction, at) => {
    const moves = [
      ...tokenMoves(instruction).map((move) => ({ move, isLamports: false })),
      ...(market.kind === 'lamports' ? lamportMoves(instruction) : []).map((move) => ({
        move,
        isLamports: true,
      })),
    ];
    return moves.flatMap(({ move, isLamports }): readonly Leg[] => {
      const { account, amount, certainty } = move;
      const isQuoteLamports = market.kind === 'lamports';
      if (account === market.baseVault && !isLamports) return [{ side: 'base', at, amount, certainty }];
      if (account === market.quoteVault && isLamports === isQuoteLamports)
        return [{ side: 'quote', at, amount, certainty }];
      return [];
    });
  });
}

/** A vault's balance before and after, or null when the transaction does not name it. */
export type VaultChange = { readonly before: bigint; readonly after: bigint };

export function vaultChange(
  { tokens, lamports }: Pick<TapeTransaction, 'tokens' | 'lamports'>,
  market: Pick<MarketKeys, 'kind' | 'baseVault' | 'quoteVault' | 'baseMint' | 'quoteMint'>,
  side: VaultSide,
): VaultChange | null {
  const vault = side === 'base' ? market.baseVault : market.quoteVault;
  if (side === 'quote' && market.kind === 'lamports')
    return lamports.find(({ account }) => account === vault) ?? null;
  const held = tokens.find(({ account }) => account === vault);
  if (held !== undefined) return held;
  // Named, and no token account before or after: it is about to be made, or its maker failed to make it.
  return lamports.some(({ account }) => account === vault) ? { before: 0n, after: 0n } : null;
}
