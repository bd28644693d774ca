import { settleCopied, voidCopied } from '../../../../modules/copying/use/settle-copy.ts';
import { endClosedPositions } from '../../../../modules/orders/use/close-position.ts';
import { settleOrder, voidOrder } from '../../../../modules/orders/use/settle-order.ts';
import { accrueReward } from '../../../../modules/referrals/use/accrue-reward.ts';
import type { Settlement } from '../../../transactions/use/settlement.ts';
import type { SellParams } from './params.ts';

/** Books the fee and the inviter's share of it, and the fill of the order behind it. A sale of all ends the position's exits. */
export const settlement: Settlement<SellParams> = {
  capture: async (deps, stores, { intent, attempt, receipt, fee }) => {
    await settleOrder(deps, stores, intent, attempt, receipt);
    await settleCopied(stores, intent, receipt);
    await accrueReward(deps, stores, fee);
  },
  moved: endClosedPositions,
  giveBack: async (deps, stores, { intent, landedError, receipt }) => {
    await voidOrder(deps, stores, intent, { landedError, receipt });
    await voidCopied(deps, stores, intent, { landedError, receipt });
  },
};
