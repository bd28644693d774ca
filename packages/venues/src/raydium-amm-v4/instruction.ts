import { type Address, type Instruction, TOKEN_PROGRAM } from '@tradepost/solana';
import type { PoolSwap } from '../pool.ts';
import { joinBytes, readonlyMeta, signerMeta, u64, writableMeta } from '../shared/instruction-data.ts';
import { RAYDIUM_AMM_V4_AUTHORITY, RAYDIUM_AMM_V4_PROGRAM } from './layout.ts';
import type { Market } from './market.ts';

/** SwapBaseIn: every build knows it. */
export const TAG_SWAP_BASE_IN = 9;
/** SwapBaseInV2: nine accounts fewer, refused by older builds with InvalidInstructionData. */
export const TAG_SWAP_BASE_IN_V2 = 16;

/** Which swap instruction the cluster's build takes. */
export type AmmV4SwapForm = 'long' | 'short';

export type AmmV4SwapAccounts = {
  readonly pool: Address;
  readonly openOrders: Address;
  readonly coinVault: Address;
  readonly pcVault: Address;
  readonly market: Market;
};

/** Sells exactly `amountIn`; the direction follows from the mint of the source account. */
export function ammV4Swap(form: AmmV4SwapForm, accounts: AmmV4SwapAccounts, order: PoolSwap): Instruction {
  const { market } = accounts;
  const head = [
    readonlyMeta(TOKEN_PROGRAM),
    writableMeta(accounts.pool),
    readonlyMeta(RAYDIUM_AMM_V4_AUTHORITY),
  ];
  const vaults = [writableMeta(accounts.coinVault), writableMeta(accounts.pcVault)];
  const trader = [writableMeta(order.source), writableMeta(order.destination), signerMeta(order.owner)];
  const book = [
    readonlyMeta(market.program),
    writableMeta(market.market),
    writableMeta(market.bids),
    writableMeta(market.asks),
    writableMeta(market.eventQueue),
    writableMeta(market.baseVault),
    writableMeta(market.quoteVault),
    readonlyMeta(market.vaultSigner),
  ];
  return {
    programId: RAYDIUM_AMM_V4_PROGRAM,
    accounts:
      form === 'short'
        ? [...head, ...vaults, ...trader]
        : [...head, writableMeta(accounts.openOrders), ...vaults, ...book, ...trader],
    data: joinBytes(
      [form === 'short' ? TAG_SWAP_BASE_IN_V2 : TAG_SWAP_BASE_IN],
      u64(order.amountIn),
      u64(order.minOut),
    ),
  };
}
