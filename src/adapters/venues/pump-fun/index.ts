import type { Address } from '../../../core/address/address.ts';
import { WSOL_MINT } from '../../../core/address/programs.ts';
import type { Exchange, PoolSearch } from '../shared/exchange/exchange.ts';
import {
  createExchangeVenue,
  type ExchangeDeps,
  type ExchangeVenue,
} from '../shared/exchange/exchange-venue.ts';
import { curveAddress, PUMP_PROGRAM } from './layout.ts';
import { decodePumpFunPool, mintsOfPumpCurve, pumpCurveDependencies } from './pool.ts';

/** Every coin has one curve at a derived address; wrapped SOL, which all are sold for, has none. */
const curvesOf = (mints: readonly Address[]): readonly PoolSearch[] => [
  { kind: 'addresses', addresses: mints.filter((mint) => mint !== WSOL_MINT).map(curveAddress) },
];

/**
 * pump.fun launch curves quoted in SOL. Quotes speak of wrapped SOL like every venue, but the program moves the owner's
 * native balance: whoever builds the transaction must not wrap for these pools.
 */
export const pumpFun: Exchange = {
  name: 'pump-fun',
  programId: PUMP_PROGRAM,
  filters: {
    pair: (mintA, mintB) => curvesOf([mintA, mintB]),
    holding: (mint) => curvesOf([mint]),
  },
  mints: mintsOfPumpCurve,
  dependencies: pumpCurveDependencies,
  decode: decodePumpFunPool,
};

export function createPumpFunVenue(deps: ExchangeDeps): ExchangeVenue {
  return createExchangeVenue(pumpFun, deps);
}
