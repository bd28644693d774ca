import type { Address } from '@tradepost/solana';
import type { CreatedTokenStore } from '../../mint/store/created-token-store-port.ts';
import type { Exit } from '../../tokens/rules/safety.ts';
import type { ExitCheck } from '../../trading/use/exit-check.ts';
import type { Doubt } from '../rules/doubt.ts';
import { FAIR_RETURN_BPS } from '../rules/judge-trade.ts';
import { createTokenAge, type TokenAgeDeps } from './token-age.ts';

export type DoubtDeps = TokenAgeDeps & {
  readonly db: { readonly createdTokens: Pick<CreatedTokenStore, 'find'> };
  readonly exitCheck: ExitCheck;
  /** Mints that are never asked for their age and maker: SOL, the dollar tokens, the seeded tokens of a local chain. */
  readonly knownMints: ReadonlySet<Address>;
};

/** The reasons against trading this mint without a PIN; `wallet` pretends to buy and sell it. Throws CHAIN_UNREACHABLE. */
export type DoubtToken = (mint: Address, wallet: Address | null) => Promise<readonly Doubt[]>;

/**
 * Three questions: who made the token, how old it is, and whether a purchase can be sold again. A missing answer counts against the
 * token, because the PIN is asked at most every twelve hours.
 */
export function createDoubtToken(deps: DoubtDeps): DoubtToken {
  const isOld = createTokenAge(deps);
  return async (mint, wallet) => {
    const known = deps.knownMints.has(mint);
    const [made, aged, exit] = await Promise.all([
      known ? null : deps.db.createdTokens.find(mint),
      known || isOld(mint),
      deps.exitCheck(mint, wallet),
    ]);
    return [
      ...(made === null ? [] : (['home-made'] as const)),
      ...(aged ? [] : (['young'] as const)),
      ...(isPoorExit(exit, known) ? (['poor-exit'] as const) : []),
    ];
  };
}

function isPoorExit(exit: Exit, known: boolean): boolean {
  switch (exit.kind) {
    case 'cannot-buy':
    case 'cannot-sell':
      return true;
    case 'unchecked':
      // Hubs are never rehearsed; for any other token "could not be tried" is no proof of a way out.
      return !known;
    case 'sold':
      return exit.returnedLamports * 10_000n < exit.spentLamports * BigInt(FAIR_RETURN_BPS);
  }
}
