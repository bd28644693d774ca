/** The firing that an intent carries out: the order, and the how-manieth time it fires. */
export type OrderChild = { readonly id: string; readonly n: number };

const PARENT = 'order:';

/** Names an order as the parent of orders that wait for its purchase, for any of its fires. */
export function parentOrderKey(orderId: string): string {
  return `${PARENT}${orderId}`;
}

/** The order that such a name means; null for the name of an intent. */
export function parentOrderOf(key: string | null): string | null {
  return key?.startsWith(PARENT) === true ? key.slice(PARENT.length) : null;
}
