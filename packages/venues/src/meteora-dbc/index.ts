import { type Address, addressBytes } from '@tradepost/solana';
import type { Exchange, PoolSearch } from '../shared/exchange.ts';
import { tokenVaults } from '../shared/token-vaults.ts';
import { DBC_AUTHORITY, DBC_PROGRAM, POOL, POOL_AT } from './layout.ts';
import { configOfDbcPool, decodeMeteoraDbcPool, mintsOfDbcPool } from './pool.ts';

const byBaseMint = (mint: Address): PoolSearch => ({
  kind: 'program',
  programId: DBC_PROGRAM,
  filters: [
    { kind: 'size', bytes: POOL.minBytes },
    { kind: 'match', offset: POOL_AT.baseMint, bytes: addressBytes(mint) },
  ],
});

/** Meteora's launch curve: liquidity in up to twenty steps, until the token migrates to a DAMM pool. */
export const meteoraDbc: Exchange = {
  name: 'meteora-dbc',
  programId: DBC_PROGRAM,
  vaultAuthority: DBC_AUTHORITY,
  filters: {
    pair: (mintA, mintB) => [byBaseMint(mintA), byBaseMint(mintB)],
    // A curve names its base mint only: it is found from the launched token, never from the token it is sold for.
    holding: (mint) => [byBaseMint(mint)],
  },
  mints: mintsOfDbcPool,
  mintDependencies: configOfDbcPool,
  vaults: tokenVaults(POOL, [POOL_AT.baseVault, POOL_AT.quoteVault]),
  dependencies: (_id, account) => configOfDbcPool(account),
  decode: decodeMeteoraDbcPool,
};
