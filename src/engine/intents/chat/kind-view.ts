import type { Words } from '../../../compose/texts/words.ts';
import type { StandingExits } from '../../../modules/orders/use/standing-exits.ts';
import type { SaleProfit } from '../../../modules/positions/use/sale-profit.ts';
import type { Token } from '../../../modules/tokens/rules/token.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import type { LandedReceipt } from '../rules/intent.ts';
import type { TradeTerms } from '../rules/terms.ts';

/** The source of the result text of an intent that worked. */
export type DoneFacts = {
  /** How far it is, in words: landed, or final. */
  readonly state: string;
  readonly final: boolean;
  /** Null while no endpoint serves the transaction. */
  readonly receipt: LandedReceipt | null;
  /** The traded or withdrawn token; null when it is SOL or cannot be read just now. */
  readonly token: Token | null;
  /** Millionths of a dollar per SOL now; null while it is not known. */
  readonly microUsdPerSol: bigint | null;
  /** A sale's proceeds over the cost of its units; null where that is not known. */
  readonly profit: SaleProfit | null;
  /** Whether a sale left nothing of the token; its account may stay open. */
  readonly soldAll: boolean;
  /** Units that a sale left; null where that is not known. */
  readonly leftUnits: bigint | null;
  /** How long the sold units were held; null where that is not known. */
  readonly heldMs: number | null;
  /** The orders that sell the wallet's units of the token by themselves. */
  readonly exits: StandingExits;
};

/** The source of a receipt's text. */
export type ReceiptFacts = {
  readonly receipt: LandedReceipt;
  /** Terms in force when it was signed. */
  readonly terms: TradeTerms | null;
  readonly token: Token | null;
  /** Tokens that the route passed through, as far as they are known. */
  readonly intermediates: readonly Token[];
};

/** How the chat shows one kind of intent: pure functions of the agreed and the landed facts. */
export type KindView<P> = {
  done(words: Words, params: P, facts: DoneFacts): Html;
  /** The lines between a receipt's title and its fees. */
  receipt(words: Words, params: P, facts: ReceiptFacts): readonly Html[];
  /** The text for an intent whose time ran out. */
  readonly expired: 'result.expired_trade' | 'result.expired_token' | 'result.expired_withdrawal';
  /** The amount that leaves the wallet, for an intent that may be made to wait. */
  amountOf?(words: Words, params: P, token: Token | null): string;
  /** The symbol of the token that it makes, for links that share it. */
  symbolOf?(params: P): string;
  /** True where the token that it makes has a market from the start. */
  readonly isTraded?: true;
  /** True where the result leads to the wizard that gives authorities up. */
  readonly leadsToRevoking?: true;
};
