import type { Delivery, TryEnd, Webhook } from './rules/webhook.ts';

export type Claimed = { readonly webhook: Webhook; readonly delivery: Delivery };

/** Webhooks and the deliveries of each. */
export interface WebhookStore {
  /** False where the account has as many as it may. */
  insert(webhook: Webhook): Promise<boolean>;
  /** Oldest first. */
  listOf(account: string): Promise<readonly Webhook[]>;
  find(account: string, id: string): Promise<Webhook | null>;
  /** With all of its deliveries. */
  remove(account: string, id: string): Promise<boolean>;
  /** Moves to the next generation of its secret. */
  rotate(account: string, id: string, now: number): Promise<Webhook | null>;
  /** False where it has this event already. */
  add(delivery: Delivery): Promise<boolean>;
  /** Newest first. */
  deliveriesOf(webhookId: string, limit: number): Promise<readonly Delivery[]>;
  /**
   * Makes the failed deliveries since then due again as if they were new, the oldest first, and takes a disabled webhook up again.
   * How many.
   */
  replay(account: string, id: string, since: number, now: number, most: number): Promise<number>;
  /** Takes due deliveries of webhooks that are not disabled, counts the try and makes each due again at `leaseUntil`. */
  claim(
    now: number,
    leaseUntil: number,
    most: { readonly all: number; readonly ofOne: number; readonly without: readonly string[] },
  ): Promise<readonly Claimed[]>;
  /**
   * Writes the end of the try that `claimed` was; nothing where another try has begun since. A success ends a webhook's failing; a
   * webhook that is gone, or fails since `failingBefore`, is disabled, and its waiting deliveries have failed.
   */
  finish(claimed: Delivery, end: TryEnd, now: number, failingBefore: number): Promise<void>;
  /** Disabled ones whose owner has no mail yet. */
  untold(limit: number): Promise<readonly Webhook[]>;
  markTold(id: string, now: number): Promise<void>;
}
