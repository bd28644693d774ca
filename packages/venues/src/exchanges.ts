import { meteoraDammV2 } from './meteora-damm-v2/index.ts';
import { meteoraDbc } from './meteora-dbc/index.ts';
import { meteoraDlmm } from './meteora-dlmm/index.ts';
import { openbookV2 } from './openbook-v2/index.ts';
import { orcaWhirlpool } from './orca-whirlpool/index.ts';
import { pumpFun } from './pump-fun/index.ts';
import { pumpSwap } from './pump-swap/index.ts';
import { raydiumAmmV4 } from './raydium-amm-v4/index.ts';
import { raydiumClmm } from './raydium-clmm/index.ts';
import { raydiumCpmm } from './raydium-cpmm/index.ts';
import { raydiumLaunchlab } from './raydium-launchlab/index.ts';
import type { Exchange } from './shared/exchange.ts';

/** The exchanges with a program of their own. One folder and one line here per venue. */
export const EXCHANGES: readonly Exchange[] = [
  raydiumAmmV4('long'),
  raydiumCpmm,
  raydiumClmm,
  raydiumLaunchlab,
  orcaWhirlpool,
  meteoraDlmm,
  meteoraDammV2,
  meteoraDbc,
  openbookV2,
  pumpSwap,
  pumpFun,
];
