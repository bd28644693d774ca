import type { Address, ChainAccount } from '@tradepost/solana';
import { createTtlCache } from '../../core/ttl-cache.ts';
import type { Token } from '../../modules/tokens/rules/token.ts';
import { decodeMetadata, metadataAddress, metaplexMetadata } from './metadata-layout.ts';
import { decodeMint } from './mint-layout.ts';

/** Supply may lag by this much; powers of a mint change by transactions that take at least as long to matter. */
const TTL_MS = 10_000;
const CAPACITY = 5_000;

/**
 * Reads mints with their metadata. Mints asked for in the same turn share one call, which takes the mint and its Metaplex
 * record together; tokens are kept for ten seconds, misses not at all (a mint may be created the next moment).
 */
export function createTokenReader(deps: {
  readonly accounts: (addresses: readonly Address[]) => Promise<readonly (ChainAccount | null)[]>;
  readonly now: () => number;
}): (mint: Address) => Promise<Token | null> {
  const cache = createTtlCache<Address, Token | null>({
    ttlMs: TTL_MS,
    capacity: CAPACITY,
    now: deps.now,
    keep: (token) => token !== null,
  });
  let batch: { readonly mints: Address[]; readonly result: Promise<Map<Address, Token | null>> } | null =
    null;

  const readBatch = async (mints: readonly Address[]): Promise<Map<Address, Token | null>> => {
    await Promise.resolve();
    batch = null;
    const seconds = deps.now() / 1_000;
    const accounts = await deps.accounts(mints.flatMap((mint) => [mint, metadataAddress(mint)]));
    return new Map(
      mints.map((mint, index) => [
        mint,
        tokenOf(mint, accounts[2 * index] ?? null, accounts[2 * index + 1] ?? null, seconds),
      ]),
    );
  };

  return (mint) =>
    cache.get(mint, async () => {
      if (batch === null) {
        const mints: Address[] = [];
        batch = { mints, result: readBatch(mints) };
      }
      batch.mints.push(mint);
      return (await batch.result).get(mint) ?? null;
    });
}

/** A name inside the mint wins over a Metaplex record, as wallets show it. */
export function tokenOf(
  mint: Address,
  account: ChainAccount | null,
  record: ChainAccount | null,
  /** Seconds of Unix time: its amounts are shown by the scale of then. Null: as units. */
  now: number | null = null,
): Token | null {
  const decoded = account === null ? null : decodeMint(mint, account, now);
  if (decoded === null) return null;
  const { metadataAddress: _, ...facts } = decoded;
  if (facts.name !== null || record === null)
    return { mint, ...facts, name: emptyToNull(facts.name), symbol: emptyToNull(facts.symbol) };
  const text = decodeMetadata(mint, record);
  const about = metaplexMetadata(mint, record);
  return {
    mint,
    ...facts,
    name: emptyToNull(text?.name ?? null),
    symbol: emptyToNull(text?.symbol ?? facts.symbol),
    ...(about === null ? {} : { updateAuthority: about.updateAuthority }),
  };
}

function emptyToNull(text: string | null): string | null {
  return text === '' ? null : text;
}
