import { type Address, addressBytes, type ChainAccount } from '@tradepost/solana';
import { textSeed } from '../../src/shared/program-address.ts';
import {
  FEE_CONFIG_DISCRIMINATOR,
  PUMP_FEES_PROGRAM,
  type PumpFeeConfig,
  type PumpFees,
  type PumpFeeTier,
  pumpFeeConfigAddress,
} from '../../src/shared/pump-fees.ts';
import { AccountBytes, derivedAddress } from './build.ts';

/** Rates in basis points: liquidity providers, protocol, creator. */
export const fees = (lp: number, protocol: number, creator: number): PumpFees => ({
  lpBps: BigInt(lp),
  protocolBps: BigInt(protocol),
  creatorBps: BigInt(creator),
});

/** A table of the published shape. */
export const FEE_CONFIG: PumpFeeConfig = {
  flat: fees(25, 5, 0),
  tiers: [
    { fromMarketCap: 0n, fees: fees(2, 93, 30) },
    { fromMarketCap: 420_000_000_000n, fees: fees(20, 5, 95) },
    { fromMarketCap: 1_470_000_000_000n, fees: fees(20, 5, 90) },
  ],
  stableTiers: [{ fromMarketCap: 1_000n, fees: fees(10, 20, 30) }],
  exotic: fees(0, 0, 0),
};

/** The account has room for the most tiers there may be; the rest stays zero. */
const ACCOUNT_BYTES = 4097;

export function buildFeeConfig(config: PumpFeeConfig = FEE_CONFIG): ChainAccount {
  const bytes = new AccountBytes(ACCOUNT_BYTES).bytes(0, FEE_CONFIG_DISCRIMINATOR);
  const write = (at: number, value: PumpFees) =>
    bytes
      .u64(at, value.lpBps)
      .u64(at + 8, value.protocolBps)
      .u64(at + 16, value.creatorBps);
  const writeTiers = (at: number, tiers: readonly PumpFeeTier[]) => {
    bytes.u32(at, tiers.length);
    tiers.forEach((tier, index) => {
      bytes.u128(at + 4 + index * 40, tier.fromMarketCap);
      write(at + 20 + index * 40, tier.fees);
    });
    return at + 4 + tiers.length * 40;
  };
  write(41, config.flat);
  write(writeTiers(writeTiers(65, config.tiers), config.stableTiers), config.exotic);
  return bytes.ownedBy(PUMP_FEES_PROGRAM);
}

/** The fees program reads its configuration only where it derived it itself. */
export function plantPumpFees(
  chain: {
    get(address: Address): ChainAccount | null;
    set(address: Address, account: ChainAccount): void;
  },
  program: Address,
): void {
  const key = pumpFeeConfigAddress(program);
  const { bump } = derivedAddress(PUMP_FEES_PROGRAM, [textSeed('fee_config'), addressBytes(program)]);
  const config = chain.get(key)!;
  config.data[8] = bump;
  chain.set(key, config);
}
