import { confirmCopied, settleCopied, voidCopied } from '../../../../modules/copying/use/settle-copy.ts';
import {
  endWaitingFor,
  settleOrder,
  voidOrder,
  wakeOrders,
} from '../../../../modules/orders/use/settle-order.ts';
import { accrueReward } from '../../../../modules/referrals/use/accrue-reward.ts';
import type { Settlement } from '../../../transactions/use/settlement.ts';
import type { BuyParams } from './params.ts';

/** Books the fee and the inviter's share of it, and the fill of the order behind it. */
export const settlement: Settlement<BuyParams> = {
  confirm: async (deps, stores, { intent, receipt }) => {
    await wakeOrders(deps, stores, intent, receipt, 'awakened');
    await confirmCopied(stores, intent, receipt);
  },
  capture: async (deps, stores, { intent, attempt, receipt, fee }) => {
    await settleOrder(deps, stores, intent, attempt, receipt);
    await wakeOrders(deps, stores, intent, receipt, 'units-corrected');
    await settleCopied(stores, intent, receipt);
    await accrueReward(deps, stores, fee);
  },
  giveBack: async (deps, stores, { intent, landedError, receipt }) => {
    await voidOrder(deps, stores, intent, { landedError, receipt });
    await endWaitingFor(stores, intent);
    await voidCopied(deps, stores, intent, { landedError, receipt });
  },
};
