import type { Address } from '@tradepost/solana';
import { elapsedSince, markOf } from '../../../core/time/elapsed.ts';
import type { Clock, Mark } from '../../../platform/ports/clock.ts';
import type { MetadataStore } from '../../../platform/ports/metadata-store.ts';
import type { CreatedTokenStore } from '../../mint/store/created-token-store-port.ts';
import { documentHash, storedDocument } from './stored-document.ts';

/** Paths of pictures on this host, by mint; a token without one is absent. */
export type TokenPictures = (mints: readonly Address[]) => Promise<ReadonlyMap<Address, string>>;

/** A token may be made here the next moment. What it was made with never changes. */
const NONE_MS = 60_000;
const MOST_KNOWN = 20_000;

/**
 * The pictures with which tokens were made here, as far as we store them: no link of a token is ever followed. A table has its pictures while
 * the database is away, as far as they were shown before. Never rejects.
 */
export function createTokenPictures(deps: {
  readonly createdTokens: Pick<CreatedTokenStore, 'findAll'>;
  readonly metadata: Pick<MetadataStore, 'find'>;
  readonly clock: Clock;
}): TokenPictures {
  const { createdTokens, metadata, clock } = deps;
  const known = new Map<Address, { readonly path: string | null; readonly at: Mark }>();
  const read = async (mints: readonly Address[]): Promise<void> => {
    const tokens = await createdTokens.findAll(mints);
    const paths = new Map(
      await Promise.all(
        tokens.map(async (token) => {
          const document = await storedDocument(metadata, documentHash(token.uri, token));
          return [token.mint, document?.picture ?? null] as const;
        }),
      ),
    );
    if (known.size > MOST_KNOWN) known.clear();
    for (const mint of mints) known.set(mint, { path: paths.get(mint) ?? null, at: markOf(clock) });
  };
  const isDue = (mint: Address): boolean => {
    const one = known.get(mint);
    return one === undefined || (one.path === null && elapsedSince(one.at, clock) >= NONE_MS);
  };
  return async (mints) => {
    const due = mints.filter(isDue);
    // A picture that cannot be read is shown as a letter.
    if (due.length > 0) await read(due).catch(() => undefined);
    return new Map(
      mints.flatMap((mint) => {
        const path = known.get(mint)?.path ?? null;
        return path === null ? [] : [[mint, path] as const];
      }),
    );
  };
}
