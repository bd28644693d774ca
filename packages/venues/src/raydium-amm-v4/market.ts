import { type Address, addressBytes } from '@tradepost/solana';
import { accountView } from '../shared/account-view.ts';
import type { PoolAccounts } from '../shared/exchange.ts';
import { littleEndian } from '../shared/instruction-data.ts';
import { seededAddress } from '../shared/program-address.ts';
import { MARKET_AT, MARKET_BYTES } from './layout.ts';

/** The order-book accounts that the long swap form still names. */
export type Market = {
  readonly program: Address;
  readonly market: Address;
  readonly bids: Address;
  readonly asks: Address;
  readonly eventQueue: Address;
  readonly baseVault: Address;
  readonly quoteVault: Address;
  readonly vaultSigner: Address;
};

/**
 * The pool's market. When it is gone or is not as it should be, the pool's own address fills every place: a pool that only swaps does not
 * look at these accounts, and one that does would fail rather than pay less.
 */
export function marketOf(accounts: PoolAccounts, market: Address, program: Address): Market {
  const account = accounts.get(market);
  const own = accounts.id;
  const stand = { bids: own, asks: own, eventQueue: own, baseVault: own, quoteVault: own, vaultSigner: own };
  if (account === null || account.owner !== program || account.data.length !== MARKET_BYTES)
    return { program, market, ...stand };
  const view = accountView(account.data);
  const signer = vaultSigner(program, market, view.u64(MARKET_AT.vaultSignerNonce));
  if (signer === null) return { program, market, ...stand };
  return {
    program,
    market,
    bids: view.address(MARKET_AT.bids),
    asks: view.address(MARKET_AT.asks),
    eventQueue: view.address(MARKET_AT.eventQueue),
    baseVault: view.address(MARKET_AT.baseVault),
    quoteVault: view.address(MARKET_AT.quoteVault),
    vaultSigner: signer,
  };
}

/** The market's own nonce makes its signer; a nonce that yields a point on the curve is no market's. */
function vaultSigner(program: Address, market: Address, nonce: bigint): Address | null {
  return seededAddress(program, [addressBytes(market), littleEndian(nonce, 8)]);
}
