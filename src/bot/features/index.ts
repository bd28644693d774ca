import type { FeatureDeps } from '../deps.ts';
import type { Feature } from '../feature.ts';
import { actsFeature } from './acts/index.ts';
import { addressBookFeature } from './address-book/index.ts';
import { alertsFeature } from './alerts/index.ts';
import { autoBuyFeature } from './auto-buy/index.ts';
import { backupFeature } from './backup/index.ts';
import { cancelFeature } from './cancel/index.ts';
import { chartFeature } from './chart/index.ts';
import { convertFeature } from './convert/index.ts';
import { createTokenFeature } from './create-token/index.ts';
import { depositFeature } from './deposit/index.ts';
import { exportFeature } from './export/index.ts';
import { gamesFeature } from './games/index.ts';
import { helpFeature } from './help/index.ts';
import { homeFeature } from './home/index.ts';
import { keyReviewFeature } from './key-review/index.ts';
import { ordersFeature } from './orders/index.ts';
import { panicFeature } from './panic/index.ts';
import { paperFeature } from './paper/index.ts';
import { pointsFeature } from './points/index.ts';
import { positionsFeature } from './positions/index.ts';
import { receiptFeature } from './receipt/index.ts';
import { referralFeature } from './referral/index.ts';
import { revokeFeature } from './revoke/index.ts';
import { searchFeature } from './search/index.ts';
import { secondFactorFeature } from './second-factor/index.ts';
import { securityFeature } from './security/index.ts';
import { settingFeature } from './setting/index.ts';
import { startFeature } from './start/index.ts';
import { tradeFeature } from './trade/index.ts';
import { walletsFeature } from './wallets/index.ts';
import { withdrawFeature } from './withdraw/index.ts';

/** Everything the bot can do: one folder and one line each. Handlers, menu and dialogues derive from this list. */
const FEATURES: readonly ((deps: FeatureDeps) => Feature)[] = [
  startFeature,
  homeFeature,
  referralFeature,
  tradeFeature,
  ordersFeature,
  alertsFeature,
  chartFeature,
  searchFeature,
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
  addressBookFeature,
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
