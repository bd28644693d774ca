/** The firing that an intent carries out: the order, and the how-manieth time it fires. */
export type OrderChild = { readonly id: string; readonly n: number };

/** Names an order as the parent of orders that wait for what it buys, whichever of its fires that is. */
export function parentOrderKey(orderId: string): string {
  return `order:${orderId}`;
}
