import { addressBytes, OPENBOOK_V2_PROGRAM } from '@tradepost/solana';
import { type Exchange, searchesByMints } from '../shared/exchange.ts';
import { MARKET, MARKET_AT } from './layout.ts';
import {
  decodeOpenbookV2Market,
  mintsOfOpenbookV2Market,
  openbookV2Dependencies,
  vaultsOfOpenbookV2Market,
} from './pool.ts';

/** OpenBook v2: a book of limit orders; we take, we never post. */
export const openbookV2: Exchange = {
  name: 'openbook-v2',
  programId: OPENBOOK_V2_PROGRAM,
  ownAccountsOnly: true,
  filters: searchesByMints(
    OPENBOOK_V2_PROGRAM,
    MARKET.minBytes,
    [MARKET_AT.baseMint, MARKET_AT.quoteMint],
    addressBytes,
    [{ kind: 'match', offset: 0, bytes: MARKET.discriminator ?? new Uint8Array() }],
  ),
  mints: mintsOfOpenbookV2Market,
  vaults: vaultsOfOpenbookV2Market,
  dependencies: openbookV2Dependencies,
  decode: decodeOpenbookV2Market,
};
