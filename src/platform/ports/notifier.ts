import type { NoticeToTell } from '../../engine/notices/store-port.ts';

/** Delivers a notice to the person's chat. */
export interface Notifier {
  /**
   * `retry` names the milliseconds to wait (the messenger's own limit); `away` means that the person blocked the service and
   * may come back; `undeliverable` that these words never reach them.
   */
  deliver(
    told: NoticeToTell,
  ): Promise<
    | { readonly kind: 'delivered' }
    | { readonly kind: 'away' }
    | { readonly kind: 'undeliverable' }
    | { readonly kind: 'retry'; readonly afterMs: number }
  >;
}
