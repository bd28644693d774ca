import type { Grants } from '../../guard/rules/grants.ts';
import type { Order } from '../../orders/rules/order.ts';
import type { Copy } from './copy.ts';

/** The grants of the PIN that switched the copy on. */
export function grantsOf({ rules, lockEpoch, until }: Pick<Copy, 'rules' | 'lockEpoch' | 'until'>): Grants {
  return { steep: true, doubts: rules.young ? ['young'] : [], lockEpoch, until };
}

/** The grants of an exit beside a copied purchase: a stop sells in a crash as was agreed with the PIN; a profit is taken without any. */
export function exitGrants(
  { lockEpoch }: Pick<Copy, 'lockEpoch'>,
  { type, expiresAt }: Pick<Order, 'type' | 'expiresAt'>,
): Grants | null {
  return type === 'TAKE_PROFIT' ? null : { steep: true, doubts: [], lockEpoch, until: expiresAt };
}
