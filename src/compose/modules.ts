import { alertsModule } from '../modules/alerts/index.ts';
import { autoBuyModule } from '../modules/auto-buy/index.ts';
import { convertModule } from '../modules/convert/index.ts';
import { copyingModule } from '../modules/copying/index.ts';
import { depositsModule } from '../modules/deposits/index.ts';
import { followsModule } from '../modules/follows/index.ts';
import { gamesModule } from '../modules/games/index.ts';
import { groupsModule } from '../modules/groups/index.ts';
import { guardModule } from '../modules/guard/index.ts';
import { keysModule } from '../modules/keys/index.ts';
import { launchModule } from '../modules/launch/index.ts';
import { launchesModule } from '../modules/launches/index.ts';
import { mailModule } from '../modules/mail/index.ts';
import { marketModule, pricesModule } from '../modules/market/index.ts';
import { mintModule } from '../modules/mint/index.ts';
import { operationsModule } from '../modules/operations/index.ts';
import { ordersModule } from '../modules/orders/index.ts';
import { paperModule } from '../modules/paper/index.ts';
import { passportModule } from '../modules/passport/index.ts';
import { personalKeysModule } from '../modules/personal-keys/index.ts';
import { pointsModule } from '../modules/points/index.ts';
import { positionsModule } from '../modules/positions/index.ts';
import { referralsModule } from '../modules/referrals/index.ts';
import { settingsModule } from '../modules/settings/index.ts';
import { submissionsModule } from '../modules/submissions/index.ts';
import { tokensModule } from '../modules/tokens/index.ts';
import { tradingModule } from '../modules/trading/index.ts';
import { walletDataModule } from '../modules/wallet-data/index.ts';
import { walletsModule } from '../modules/wallets/index.ts';
import { webhooksModule } from '../modules/webhooks/index.ts';
import { withdrawalsModule } from '../modules/withdrawals/index.ts';
import type { Module } from './module.ts';

/** Each noun that plugs something in, in the order of the documents: features, routes, pages and jobs are taken from here. */
export const MODULES: readonly Module[] = [
  referralsModule,
  tradingModule,
  ordersModule,
  alertsModule,
  followsModule,
  groupsModule,
  copyingModule,
  launchesModule,
  launchModule,
  paperModule,
  depositsModule,
  withdrawalsModule,
  submissionsModule,
  webhooksModule,
  mintModule,
  settingsModule,
  autoBuyModule,
  walletsModule,
  positionsModule,
  guardModule,
  personalKeysModule,
  pointsModule,
  gamesModule,
  convertModule,
  keysModule,
  mailModule,
  passportModule,
  operationsModule,
  marketModule,
  tokensModule,
  walletDataModule,
  pricesModule,
];
