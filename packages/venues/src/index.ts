export { EXCHANGES } from './exchanges.ts';
export type {
  CreatedLaunch,
  CurveKeys,
  CurveLook,
  CurveState,
  LaunchEvent,
  PadFeed,
  RisenLaunch,
} from './launch-feed.ts';
export type { LaunchPrograms } from './launch-programs.ts';
export type { LaunchNames, LaunchOffer, LaunchOrder, LaunchProgress, Launchpad } from './launchpad.ts';
export { createMeteoraDbcFeed } from './meteora-dbc/launch-feed.ts';
export { createMeteoraDbcLaunchpad } from './meteora-dbc/launchpad.ts';
export { DBC_PROGRAM } from './meteora-dbc/layout.ts';
export type { BookLevel, OrderBook } from './order-book.ts';
export type { MarketKind, MintFacts, Pool, PoolSwap, PoolVaults } from './pool.ts';
export { createPumpFunFeed } from './pump-fun/launch-feed.ts';
export { createPumpFunLaunchpad } from './pump-fun/launchpad.ts';
export { PUMP_PROGRAM } from './pump-fun/layout.ts';
export { createRaydiumLaunchlabFeed } from './raydium-launchlab/launch-feed.ts';
export { createRaydiumLaunchlabLaunchpad } from './raydium-launchlab/launchpad.ts';
export { LAUNCHLAB_PROGRAM } from './raydium-launchlab/layout.ts';
export type { AccountReader, RanTransaction, RentReader, SlotRange, TransactionReader } from './readers.ts';
export { type AccountView, accountView } from './shared/account-view.ts';
export { associatedTokenAddress } from './shared/associated-token.ts';
export type {
  AccountFilter,
  Exchange,
  ExchangePool,
  PoolAccounts,
  PoolFacts,
  PoolSearch,
} from './shared/exchange.ts';
export { type LaunchReads, looksAt } from './shared/launch-reads.ts';
export { rentOf } from './shared/launch-rent.ts';
export { programAddress, textSeed } from './shared/program-address.ts';
export { isRefusal, type Refusal, type RefusalReason, refuse } from './shared/refusal.ts';
