import type { Notice } from './notice-store.ts';

/** Delivers a notice to the person's chat. */
export interface Notifier {
  /** `retry` names the milliseconds to wait (the messenger's own limit); `undeliverable` means the person cannot be reached. */
  deliver(
    notice: Notice,
  ): Promise<
    | { readonly kind: 'delivered' }
    | { readonly kind: 'undeliverable' }
    | { readonly kind: 'retry'; readonly afterMs: number }
  >;
}
