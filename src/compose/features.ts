import { alertsFeature } from '../modules/alerts/chat/index.ts';
import { autoBuyFeature } from '../modules/auto-buy/chat/index.ts';
import { convertFeature } from '../modules/convert/chat/index.ts';
import { copyFeature } from '../modules/copying/chat/index.ts';
import { depositFeature } from '../modules/deposits/chat/deposit.ts';
import { followFeature } from '../modules/follows/chat/index.ts';
import { gamesFeature } from '../modules/games/chat/index.ts';
import { groupsFeature } from '../modules/groups/chat/index.ts';
import { actsFeature } from '../modules/guard/chat/acts.ts';
import { addressBookFeature } from '../modules/guard/chat/address-book.ts';
import { cancelFeature } from '../modules/guard/chat/cancel.ts';
import { noticeMailFeature } from '../modules/guard/chat/notice-mail.ts';
import { panicFeature } from '../modules/guard/chat/panic.ts';
import { secondFactorFeature } from '../modules/guard/chat/second-factor.ts';
import { securityFeature } from '../modules/guard/chat/security.ts';
import { keyReviewFeature } from '../modules/keys/chat/review.ts';
import { launchesFeature } from '../modules/launches/chat/index.ts';
import { chartFeature } from '../modules/market/chat/chart.ts';
import { createTokenFeature } from '../modules/mint/chat/index.ts';
import { revokeFeature } from '../modules/mint/chat/revoke.ts';
import { ordersFeature } from '../modules/orders/chat/index.ts';
import { paperFeature } from '../modules/paper/chat/index.ts';
import { personalKeysFeature } from '../modules/personal-keys/chat/index.ts';
import { pointsFeature } from '../modules/points/chat/index.ts';
import { exportFeature } from '../modules/positions/chat/export.ts';
import { positionsFeature } from '../modules/positions/chat/index.ts';
import { referralFeature } from '../modules/referrals/chat/index.ts';
import { helpFeature } from '../modules/settings/chat/help.ts';
import { settingFeature } from '../modules/settings/chat/index.ts';
import { startFeature } from '../modules/settings/chat/start.ts';
import { searchFeature } from '../modules/tokens/chat/search.ts';
import { tradeFeature } from '../modules/trading/chat/index.ts';
import { receiptFeature } from '../modules/trading/chat/receipt.ts';
import { backupFeature } from '../modules/wallets/chat/backup.ts';
import { homeFeature } from '../modules/wallets/chat/home.ts';
import { walletsFeature } from '../modules/wallets/chat/index.ts';
import { withdrawFeature } from '../modules/withdrawals/chat/index.ts';
import type { Feature } from '../platform/telegram/feature.ts';
import type { FeatureDeps } from './bot-deps.ts';

/** Everything the bot can do: one folder and one line each. Handlers, menu and dialogues derive from this list. */
const FEATURES: readonly ((deps: FeatureDeps) => Feature)[] = [
  startFeature,
  homeFeature,
  referralFeature,
  tradeFeature,
  ordersFeature,
  alertsFeature,
  followFeature,
  groupsFeature,
  copyFeature,
  chartFeature,
  searchFeature,
  launchesFeature,
  paperFeature,
  depositFeature,
  withdrawFeature,
  createTokenFeature,
  revokeFeature,
  settingFeature,
  autoBuyFeature,
  cancelFeature,
  helpFeature,
  walletsFeature,
  receiptFeature,
  positionsFeature,
  exportFeature,
  securityFeature,
  secondFactorFeature,
  actsFeature,
  noticeMailFeature,
  addressBookFeature,
  personalKeysFeature,
  panicFeature,
  backupFeature,
  pointsFeature,
  gamesFeature,
  convertFeature,
  keyReviewFeature,
];

export function createFeatures(deps: FeatureDeps): readonly Feature[] {
  return FEATURES.map((create) => create(deps));
}
