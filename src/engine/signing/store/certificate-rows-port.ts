import type { Order } from '../../../modules/orders/rules/order.ts';
import type { PersonFacts, WalletFacts } from '../../../platform/ports/certificates.ts';

type Certified<F> = F & { readonly certificate: string | null };
type Given = readonly { readonly id: string; readonly certificate: string }[];

/** The rows of people and wallets as they are, for the certifier of earlier rows and for audits. No unit of work takes part in it. */
export interface CertificateRows {
  /** Whether there are rows, and none of them has a certificate: an earlier release wrote them all. `orders`: those that are open. */
  unadopted(): Promise<{ readonly keys: boolean; readonly orders: boolean }>;
  /** The rows behind `after` ('' = from the first), by their ids. */
  people(after: string, limit: number): Promise<readonly Certified<PersonFacts>[]>;
  wallets(after: string, limit: number): Promise<readonly Certified<WalletFacts>[]>;
  /** The orders that are not over. */
  orders(after: string, limit: number): Promise<readonly Order[]>;
  /** Writes them where there is none, in one commit. */
  write(given: { readonly people: Given; readonly wallets: Given; readonly orders: Given }): Promise<void>;
}
