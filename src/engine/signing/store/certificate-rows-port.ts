import type { ConvertPeriod, PeriodSeal } from '../../../modules/convert/rules.ts';
import type { Copy } from '../../../modules/copying/rules/copy.ts';
import type { Guard } from '../../../modules/guard/rules/guard.ts';
import type { Order } from '../../../modules/orders/rules/order.ts';
import type {
  AddressFacts,
  PersonFacts,
  ReceivingFacts,
  WalletFacts,
} from '../../../platform/ports/certificates.ts';

type Certified<F> = F & { readonly certificate: string | null };
type Given = readonly { readonly id: string; readonly certificate: string }[];

/** The wallet with the moments that it has, and their certificates. */
export type ReceivingRow = {
  readonly id: string;
  readonly moments: readonly { readonly facts: ReceivingFacts; readonly certificate: string | null }[];
};
type GivenReceivings = readonly {
  readonly id: string;
  readonly act: ReceivingFacts['act'];
  readonly certificate: string;
}[];

/** The rows of people and wallets as they are, for the certifier of earlier rows and for audits. No unit of work takes part in it. */
export interface CertificateRows {
  /**
   * Whether there are rows, and none of them has a certificate: an earlier release wrote them all. `orders`: those that are open.
   * `receivings`: moments from which wallets receive.
   */
  unadopted(): Promise<{
    readonly keys: boolean;
    readonly orders: boolean;
    readonly receivings: boolean;
    readonly guards: boolean;
    readonly addresses: boolean;
    /** Periods of conversion from which people may still be paid. */
    readonly periods: boolean;
  }>;
  /** The rows behind `after` ('' = from the first), by their ids. */
  people(after: string, limit: number): Promise<readonly Certified<PersonFacts>[]>;
  wallets(after: string, limit: number): Promise<readonly Certified<WalletFacts>[]>;
  /** The moments from which wallets receive, both of a wallet in one page; `id` is the wallet's. */
  receivings(after: string, limit: number): Promise<readonly ReceivingRow[]>;
  /** The guards, proved by nothing; `id` is the person's. */
  guards(after: string, limit: number): Promise<readonly { readonly id: string; readonly guard: Guard }[]>;
  /** The addresses of all books. */
  addresses(after: string, limit: number): Promise<readonly Certified<AddressFacts>[]>;
  /** The orders that are not over. */
  orders(after: string, limit: number): Promise<readonly Order[]>;
  /** The copies that are not over, with their mandates. */
  copies(after: string, limit: number): Promise<readonly Copy[]>;
  /** Periods of conversion that are to come or owe something, by their numbers, and the sum that each paid by the rows. */
  periods(
    after: string,
    limit: number,
  ): Promise<
    readonly { readonly id: string; readonly period: ConvertPeriod; readonly paidLamports: bigint }[]
  >;
  /** Writes them where there is none, in one commit; of guards and periods in place of any. */
  write(given: {
    readonly people: Given;
    readonly wallets: Given;
    readonly orders: Given;
    readonly receivings: GivenReceivings;
    readonly addresses: Given;
    readonly copies: Given;
    readonly periods: readonly (Given[number] & Omit<PeriodSeal, 'certificate'>)[];
    readonly guards: readonly (Given[number] & { readonly version: number })[];
  }): Promise<void>;
}
