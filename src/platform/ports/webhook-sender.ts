/** Posts to addresses that strangers chose. */
export interface WebhookSender {
  /** Why this address cannot be called now, or null: its name does not resolve, or leads to an address that is not public. */
  problemOf(url: string): Promise<string | null>;
  /**
   * One POST, signed as Standard Webhooks ask, with each of the secrets. It connects to an address that was checked in this call, follows
   * no redirect and takes at most 15 seconds. Never throws.
   */
  send(post: WebhookPost): Promise<WebhookAnswer>;
}

export type WebhookPost = {
  readonly url: string;
  /** The same in every try. */
  readonly id: string;
  /** Epoch milliseconds; seconds are sent. */
  readonly at: number;
  readonly body: string;
  readonly secrets: readonly Uint8Array[];
};

export type WebhookAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'unanswered'; readonly reason: string };
