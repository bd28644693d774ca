import type { Words } from '../../../compose/texts/words.ts';
import type { StandingExits } from '../../../modules/orders/use/standing-exits.ts';
import type { SaleProfit } from '../../../modules/positions/use/sale-profit.ts';
import type { Token } from '../../../modules/tokens/rules/token.ts';
import type { Html } from '../../../platform/telegram/ui/html.ts';
import type { LandedReceipt } from '../rules/intent.ts';
import type { TradeTerms } from '../rules/terms.ts';

/** What the result of an intent that worked is written from. */
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
  /** What a sale made over what was paid for the units; null where that is not known. */
  readonly profit: SaleProfit | null;
  /** Whether a sale left nothing of the token; its account may stay open. */
  readonly soldAll: boolean;
  /** Units that a sale left; null where that is not known. */
  readonly leftUnits: bigint | null;
  /** How long what a sale sold was held; null where that is not known. */
  readonly heldMs: number | null;
  /** What sells by itself what the wallet holds of the token. */
  readonly exits: StandingExits;
};

/** What a receipt is written from. */
export type ReceiptFacts = {
  readonly receipt: LandedReceipt;
  /** Terms in force when it was signed. */
  readonly terms: TradeTerms | null;
  readonly token: Token | null;
  /** Tokens that the route passed through, as far as they are known. */
  readonly intermediates: readonly Token[];
};

/** How the chat shows one kind of intent: pure functions of what was agreed and what landed. */
export type KindView<P> = {
  done(words: Words, params: P, facts: DoneFacts): Html;
  /** The lines between a receipt's title and its fees. */
  receipt(words: Words, params: P, facts: ReceiptFacts): readonly Html[];
  /** What is said when its time ran out. */
  readonly expired: 'result.expired_trade' | 'result.expired_token' | 'result.expired_withdrawal';
  /** What leaves the wallet, for one that may be made to wait. */
  amountOf?(params: P, token: Token | null): string;
  /** The symbol of the token that it makes, for links that share it. */
  symbolOf?(params: P): string;
  /** True where the token that it makes has a market from the start. */
  readonly isTraded?: true;
  /** True where the result leads to the wizard that gives authorities up. */
  readonly leadsToRevoking?: true;
};
