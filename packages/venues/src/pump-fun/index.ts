import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { Exchange, PoolSearch } from '../shared/exchange.ts';
import { PUMP_FEES_PROGRAM } from '../shared/pump-fees.ts';
import { curveAddress, PUMP_PROGRAM } from './layout.ts';
import { decodePumpFunPool, mintsOfPumpCurve, pumpCurveDependencies, vaultsOfPumpCurve } from './pool.ts';

/** Every coin has one curve at a derived address; wrapped SOL, which all are sold for, has none. */
const curvesOf = (mints: readonly Address[]): readonly PoolSearch[] => [
  { kind: 'addresses', addresses: mints.filter((mint) => mint !== WSOL_MINT).map(curveAddress) },
];

/**
 * pump.fun launch curves, quoted in SOL or in a token such as USDC. Where the quote is SOL the program moves the owner's native balance: a
 * purchase unwraps its input first, and a sale's proceeds arrive as lamports of the owner, not in the order's destination. A later leg of
 * the same transaction therefore cannot spend it: such a route fails as a whole.
 */
export const pumpFun: Exchange = {
  name: 'pump-fun',
  programId: PUMP_PROGRAM,
  ownAccountsOnly: true,
  helpers: [PUMP_FEES_PROGRAM],
  filters: {
    pair: (mintA, mintB) => curvesOf([mintA, mintB]),
    holding: (mint) => curvesOf([mint]),
  },
  mints: mintsOfPumpCurve,
  vaults: vaultsOfPumpCurve,
  dependencies: pumpCurveDependencies,
  decode: decodePumpFunPool,
};
