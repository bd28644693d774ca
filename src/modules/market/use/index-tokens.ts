import type { Address } from '@tradepost/solana';
import type { Chain } from '../../../platform/ports/chain.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { WellKnownToken } from '../../tokens/rules/safety.ts';
import type { TokenIndex } from '../../tokens/store-port.ts';

export type IndexTokensDeps = {
  readonly tokenIndex: TokenIndex;
  readonly chain: Pick<Chain, 'token'>;
  readonly wellKnown: readonly WellKnownToken[];
  readonly clock: Clock;
};

/** Tokens read in one run: each costs a call to a node where it is not cached. */
const PER_RUN = 50;
/** The holder of the update authority may change a token's name at any time. */
const READ_AGAIN_MS = 86_400_000;

/**
 * Reads the names of tokens that are traded or were made here and were not read yet, and rereads some of the others; the well-known ones
 * beside them. One that cannot be read has its turn again. Returns how many were read.
 */
export async function indexTokens({ tokenIndex, chain, wellKnown, clock }: IndexTokensDeps): Promise<number> {
  const now = clock.now();
  const verified = [...new Set(wellKnown.map(({ mint }) => mint))];
  const [due, known] = await Promise.all([
    tokenIndex.due({ readBefore: now - READ_AGAIN_MS, limit: PER_RUN }),
    tokenIndex.find(verified),
  ]);
  const isKnown = new Set<Address>(known.map(({ mint }) => mint));
  const wanted = [...new Set([...verified.filter((mint) => !isKnown.has(mint)), ...due])].slice(0, PER_RUN);
  const answers = await Promise.allSettled(wanted.map((mint) => chain.token(mint)));
  const tokens = answers.flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value !== null ? [answer.value] : [],
  );
  await tokenIndex.save(tokens, now);
  return tokens.length;
}
