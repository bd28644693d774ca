import { endClosedPositions } from '../../../../modules/orders/use/close-position.ts';
import type { Settlement } from '../../../transactions/use/settlement.ts';
import type { WithdrawTokenParams } from './params.ts';

/** Nothing is booked: it moves a person's own tokens. Where all leave, the exits of their position end. */
export const settlement: Settlement<WithdrawTokenParams> = { moved: endClosedPositions };
