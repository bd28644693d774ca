import type { Module } from '../../compose/module.ts';
import { walletHoldings } from './api/holdings.ts';
import { walletPnl } from './api/wallet-pnl.ts';
import { walletTrades } from './api/wallet-trades.ts';

/** The parts that it plugs in. */
export const walletDataModule = {
  name: 'wallet-data',
  routes: [walletHoldings, walletTrades, walletPnl],
} satisfies Module;
